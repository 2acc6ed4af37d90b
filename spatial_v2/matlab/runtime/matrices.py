"""Matrices by their names: magic squares, permutations, points of a sphere."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import Array, MatlabError

__all__: list[str] = []


@matlab()
def perms(x: Any) -> Any:
    """Permutations as rows, in reverse order of the places."""
    entries = x.a.ravel(order="F")[::-1]
    return Array(np.array(list(permutations(entries))))


@matlab()
def vander(x: Any) -> Any:
    return Array(np.vander(x.a.ravel()))


@matlab()
def hilb(n: Any) -> Any:
    k = np.arange(1, int(float(n)) + 1)
    return Array(1 / (k[:, None] + k - 1.0))


@matlab()
def toeplitz(column: Any, row: Any = None) -> Any:
    c = column.a.ravel()
    r = c if row is None else row.a.ravel()
    both = np.concatenate([c[::-1], r[1:]])
    at = np.arange(len(r)) - np.arange(len(c))[:, None] + len(c) - 1
    return Array(both[at])


@matlab()
def cylinder(radii: Any = None, n: Any = None) -> Any:
    r = np.ones(2) if radii is None else radii.a.ravel()
    r = np.repeat(r, 2) if r.size == 1 else r
    angle = np.linspace(0, 2 * np.pi, (20 if n is None else int(float(n))) + 1)
    sines = np.sin(angle)
    sines[-1] = 0
    height = np.linspace(0, 1, r.size)[:, None] * np.ones(angle.size)
    return tuple(map(Array, (r[:, None] * np.cos(angle), r[:, None] * sines, height)))


@matlab()
def sphere(n: Any = None) -> Any:
    count = 20 if n is None else int(float(n))
    around = np.linspace(-np.pi, np.pi, count + 1)
    up = np.linspace(-np.pi / 2, np.pi / 2, count + 1)[:, None]
    cosines, sines = np.cos(up), np.sin(around)
    cosines[[0, -1]], sines[[0, -1]] = 0, 0
    return tuple(
        map(Array, (cosines * np.cos(around), cosines * sines, np.sin(up) * np.ones(count + 1)))
    )


@matlab()
def magic(n: Any) -> Any:
    """Magic square, by the Siamese method and its extensions to even orders."""
    m = int(float(n))
    if m == 2 or m < 1:
        raise MatlabError(f"magic: want 1 or 3 and more, got {m}")
    if m % 2:
        return Array(_odd(m))
    if m % 4 == 0:
        square = np.arange(1.0, m * m + 1).reshape(m, m)
        at = np.arange(1, m + 1) % 4 // 2
        same = at[:, None] == at
        square[same] = m * m + 1 - square[same]
        return Array(square)
    half, k = m // 2, (m - 2) // 4
    square = np.kron(np.array([[0.0, 2], [3, 1]]), np.ones((half, half))) * half * half
    square += np.tile(_odd(half), (2, 2))
    columns = [*range(k), *range(m - k + 1, m)]
    top, bottom = np.arange(half), np.arange(half, m)
    swapped = square.copy()
    for j in columns:
        swapped[top, j], swapped[bottom, j] = square[bottom, j], square[top, j]
    for j in (0, k):
        i = half // 2
        swapped[[i, i + half], j] = swapped[[i + half, i], j]
    return Array(swapped)


def _odd(m: int) -> np.ndarray:
    j, i = np.meshgrid(np.arange(1, m + 1), np.arange(1, m + 1))
    a = (i + j - (m + 3) // 2) % m
    b = (i + 2 * j - 2) % m
    return np.asarray(m * a + b + 1.0)
