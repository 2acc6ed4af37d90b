"""The path from a frame to the base, and its motion subspaces in the axes of a view.

The tree of a view is a chain: the bodies on the path from the base to the frame, with the places in
q and qd that their joints have in the whole tree, and last the frame, on a fixed joint.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import Six, shift_motion, six, store, turn_six_back
from spatial_v2.engine.parts.path import path
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.tree import Floats, Ints, View

__all__ = ["BASE", "BODY", "MIXED", "asked_for", "part_of", "see", "store_second"]

BODY, BASE, MIXED = range(3)
"""Axes of a view."""


@inline
def see(
    view: View, q: Floats, R: Floats, p: Floats, S: Floats, index: Ints, first: Ints, last: Ints,
    J: Floats,
) -> int:  # fmt: skip
    """Rows J[:n] for the variables index[:n]: about the frame, along its own or the base's axes.

    See `path` for index, first and last; R (n + 2, 3, 3), p (n + 2, 3) and S (nv, 6) are scratch.
    The point of `about_robot` differs from the frame's origin by the rounding error of the distance
    to the base, p[end].
    """
    about_robot(view.tree, q, R, p, S)
    end = view.tree.parent.size - 1
    for c in range(3):
        p[-1, c] -= p[end, c]
    n = path(view.tree, end, index, first, last)
    for x in range(n):
        s = shift_motion(p[end], six(S[index[x]]))
        store(turn_six_back(R[end], s) if view.axes == BODY else s, J[x])
    return n


@inline
def asked_for(view: View, p: Floats, x: Six) -> Six:
    """A motion vector in the axes of the view; p[-1] is the base relative to the frame."""
    return shift_motion(p[-1], x) if view.axes == BASE else x


@inline
def part_of(view: View, carried: bool, x: Six) -> Six:
    """``(1 - N) x`` if carried, else ``-N x``; N is the part of a velocity the observer has."""
    whole = 1.0 if carried else 0.0
    a = whole - 1.0 if view.axes == BODY else whole
    b = whole if view.axes == BASE else whole - 1.0
    return a * x[0], a * x[1], a * x[2], b * x[3], b * x[4], b * x[5]


@inline
def store_second(x: Six, j: int, k: int, out: Floats) -> None:
    """out[:, j, k] = x."""
    out[0, j, k], out[1, j, k], out[2, j, k] = x[0], x[1], x[2]
    out[3, j, k], out[4, j, k], out[5, j, k] = x[3], x[4], x[5]
