"""Random arguments of identities."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.spatial import mcI
from tensor_sva.identities.letters import KINDS

__all__ = ["draw", "draw_inertia"]


def draw(
    letters: Iterable[str], rng: np.random.Generator, batch: tuple[int, ...] = ()
) -> list[Array]:
    """Draw random arguments of order one for given letters; matrices have 1 to 6 columns.

    Parameters
    ----------
    letters : iterable of str
        Letters of `KINDS`, except those of bodies.
    rng : numpy.random.Generator
        Source of randomness, ``numpy.random.default_rng(seed)``.
    batch : tuple of int, optional
        Leading axes.

    Returns
    -------
    list of array
        One array for each letter; vectors are columns (..., 6, 1).

    Examples
    --------
    >>> [x.shape for x in draw(["v", "I"], np.random.default_rng(0), (3,))]
    [(3, 6, 1), (3, 6, 6)]
    """
    a, b, c, d = (int(n) for n in rng.integers(1, 7, 4))
    shapes = {"A": (a, b), "Y": (b, c, d), "lam": ()}
    columns = {"motion vector": 1, "force vector": 1}
    out: list[Array] = []
    for letter in letters:
        kind = KINDS[letter]
        if kind == "inertia":
            out.append(draw_inertia(rng, batch))
        elif letter == "lam":
            out.append(rng.normal())
        else:
            shape = shapes.get(letter) or (6, columns.get(kind) or int(rng.integers(1, 7)))
            out.append(rng.normal(size=(*batch, *shape)))
    return out


def draw_inertia(rng: np.random.Generator, batch: tuple[int, ...] = ()) -> Array:
    """Draw random rigid-body inertias, each of three point masses."""
    m, r = rng.uniform(0.1, 1.0, (*batch, 3)), rng.normal(size=(*batch, 3, 3))
    points = mcI(m, r, np.zeros((3, 3)))
    return points.sum(axis=-3)
