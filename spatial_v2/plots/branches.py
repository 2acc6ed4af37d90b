"""Layout of a kinematic tree as a transit map: unbranched chains of bodies on vertical lines."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.model import Model
from spatial_v2.plots.style import PALETTE

__all__ = ["Branch", "branches"]


class Branch(NamedTuple):
    """A maximal chain of bodies without a fork."""

    bodies: tuple[int, ...]
    start: int
    """The parent of its first body, -1 for the base."""
    rail: int
    """Number of the vertical line on which it is drawn, from the left."""
    color: str


def branches(model: Model) -> list[Branch]:
    """Return the branches of a tree, chains of bodies without a fork, by their first bodies.

    Each is drawn along a line, its rail, numbered from 0. Two branches whose ranges of body numbers
    overlap have different rails; otherwise a branch is on the free rail nearest to that of its
    parent.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> [(b.bodies, b.start, b.rail) for b in branches(autoTree(5, 1.5))]
    [((0, 1), -1, 0), ((2, 4), 1, 0), ((3,), 1, 1)]
    """
    parent = model.parent.tolist()
    children = np.bincount(model.parent + 1, minlength=model.NB + 1)
    chains: list[list[int]] = []
    chain_of: dict[int, list[int]] = {}
    for i, p in enumerate(parent):
        if p < 0 or children[p + 1] > 1:
            chains.append([])
            chain_of[i] = chains[-1]
        else:
            chain_of[i] = chain_of[p]
        chain_of[i].append(i)
    busy_until: list[int] = []
    rail_of: dict[int, int] = {}
    drawn = []
    for n, chain in enumerate(chains):
        start = parent[chain[0]]
        own = rail_of.get(start, 0)
        free = [rail for rail, last in enumerate(busy_until) if last <= start]
        rail = min(free, key=lambda rail: abs(rail - own), default=len(busy_until))
        busy_until[rail : rail + 1] = [chain[-1]]
        rail_of[chain[-1]] = rail
        drawn.append(Branch(tuple(chain), start, rail, PALETTE[n % len(PALETTE)]))
    return drawn
