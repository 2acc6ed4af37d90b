"""The path from the base to a frame, and its motion subspaces in the axes of a `View`.

The tree of a view is a chain: the bodies on the path from the base to the frame, with the indices
in q and qd that their joints have in the whole tree, and last the frame, on a fixed joint.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import (
    Six,
    add,
    shift_motion,
    six,
    store,
    times,
    turn_six_back,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.paths import path_variables
from spatial_v2.engine.parts.poses import place_bodies, subspaces
from spatial_v2.engine.tree import Floats, Ints, Tree, View

BODY, BASE, MIXED = range(3)
"""Codes of the axes of a view: those of the body, of the base, or of the base at the origin of the
frame.
"""


class FramePath(NamedTuple):
    """The path to a frame in one configuration."""

    R: Annotated[Floats, "view.tree.parent.size + 1, 3, 3"]  # results of `about_frame`
    p: Annotated[Floats, "view.tree.parent.size + 1, 3"]  # p[-1]: the base relative to the frame
    S: Annotated[Floats, "nv, 6"]
    var: Annotated[Ints, "nv"]  # results of `path_variables`
    first: Annotated[Ints, "nv"]
    last: Annotated[Ints, "nv"]
    J: Annotated[Floats, "nv, 6"]  # columns of the Jacobian for the variables var[:n]


new_frame_path = allocator(FramePath, "view, q, nv")


@inline
def about_frame(tree: Tree, q: Floats, R: Floats, p: Floats, S: Floats) -> None:
    """Compute orientations R, origins p and motion subspaces S of a chain about its last body;
    p[-1] is the base relative to it.
    """
    place_bodies(tree, q, R, p)
    p[-1, :] = 0.0
    for i in range(tree.parent.size - 1, -1, -1):
        for c in range(3):
            d = p[i, c]
            p[i, c] = p[-1, c]
            p[-1, c] -= d
    subspaces(tree, R, p, False, S)


@inline
def see(view: View, q: Floats, path: FramePath) -> int:
    """Compute the columns J[:n] of the Jacobian for the variables var[:n], and return n.

    They are about the frame, along its own axes or those of the base.
    """
    R, p, S = path.R, path.p, path.S
    about_frame(view.tree, q, R, p, S)
    end = view.tree.parent.size - 1
    n = path_variables(view.tree, end, path.var, path.first, path.last)
    for x in range(n):
        s = six(S[path.var[x]])
        store(turn_six_back(R[end], s) if view.axes == BODY else s, path.J[x])
    return n


@inline
def path_velocities(n: int, qd: Floats, path: FramePath, v: Floats) -> None:
    """Compute rows v[x], the velocities of the bodies that the variables var[:n] move.

    They are in the coordinates of J. v is (nv + 1, 6), and v[-1] is the velocity of the frame.
    """
    v[-1, :] = 0.0
    for x in range(n):
        add(times(qd[path.var[x]], six(path.J[x])), v[-1])
        if x == path.last[x] - 1:
            for y in range(path.first[x], path.last[x]):
                store(six(v[-1]), v[y])


@inline
def asked_for(view: View, p: Floats, x: Six) -> Six:
    """Return a motion vector in the axes of the view; p[-1] is the base relative to the frame."""
    return shift_motion(p[-1], x) if view.axes == BASE else x


@inline
def part_of(view: View, carried: bool, x: Six) -> Six:
    """Return ``(1 - N) x`` if `carried` is True, else ``-N x``.

    N selects the part of a velocity with which the axes of the view move.
    """
    whole = 1.0 if carried else 0.0
    a = whole - 1.0 if view.axes == BODY else whole
    b = whole if view.axes == BASE else whole - 1.0
    return a * x[0], a * x[1], a * x[2], b * x[3], b * x[4], b * x[5]
