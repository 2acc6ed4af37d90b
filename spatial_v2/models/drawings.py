"""Drawing instructions in coordinates of another body."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from spatial_v2.files.matlab_values import has_vertices, is_drawing
from spatial_v2.spatial import plux, transform_parts
from spatial_v2.spatial.plnr import planar_transform_parts
from spatial_v2.three_d import rz

__all__ = ["BOX_FACES", "moved_drawing", "spatial_transform"]

BOX_FACES = [
    [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
    [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
]  # fmt: skip
"""Triangles of a box whose corners are sorted by x, then y, then z."""
_ARGUMENTS = {"cyl": 2, "sphere": 2, "tiles": 2, "mesh": 2}
"""Number of arguments of the commands that have not one."""


def spatial_transform(X: Any) -> np.ndarray:
    """Return a transform (6, 6) for drawings, also from a planar one.

    Examples
    --------
    >>> spatial_transform(np.eye(3)).shape
    (6, 6)
    """
    X = np.asarray(X).real.astype(np.float64)
    if X.shape[-1] == 6:
        return np.asarray(X)
    theta, r = planar_transform_parts(X)
    return np.asarray(plux(rz(theta), [*r, 0.0]))


def moved_drawing(drawing: Sequence[Any], X: np.ndarray) -> list[Any]:
    """Return drawing instructions in coordinates from which X (6, 6) leads to those of `drawing`.

    A box becomes its triangles. Tiles, which are floors, are left out.

    Examples
    --------
    >>> from spatial_v2.spatial import xlt
    >>> moved_drawing(["sphere", [0.0, 0, 1], 0.1], xlt([1.0, 0, 0]))
    ['sphere', array([1., 0., 1.]), 0.1]
    """
    if np.array_equal(X, np.eye(6)):
        return list(drawing)
    E, r = (np.asarray(x) for x in transform_parts(X))
    out: list[Any] = []
    rest = list(drawing)
    while rest:
        command = rest.pop(0)
        if is_drawing(command) or not isinstance(command, str):
            out.append(moved_drawing(command, X))
            continue
        values = [rest.pop(0) for _ in range(_ARGUMENTS.get(command, 1))]
        first = values[0]
        if command == "tiles":
            continue
        if command == "box":
            low, high = np.sort(np.asarray(first, dtype=np.float64), axis=0)
            corners = np.array([
                [x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1])
                for z in (low[2], high[2])
            ])  # fmt: skip
            out.append(["vertices", corners @ E + r, "triangles", np.array(BOX_FACES)])
            continue
        if command == "mesh":
            T = np.eye(4)
            T[:3, :3], T[:3, 3] = E.T, r
            values[1] = T @ np.asarray(values[1])
        elif command in ("cyl", "sphere", "vertices") or (
            command == "line" and not has_vertices(command, first)
        ):
            values[0] = np.asarray(first, dtype=np.float64) @ E + r
        out += [command, *values]
    return out
