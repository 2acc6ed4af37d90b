"""Velocities of the bodies, and rates of their motion subspaces."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import combine, crm, six, store
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["Velocities", "new_velocities", "velocities"]


class Velocities(NamedTuple):
    """Poses R, p of the bodies, motion subspaces S and their rates Sd, and body velocities v."""

    R: Floats
    p: Floats
    S: Floats
    Sd: Floats
    v: Floats


@within
def new_velocities(q: Floats, nb: int, nv: int) -> Velocities:
    """Allocate a `Velocities`, for the kind of number of q."""
    return Velocities(
        empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6), empty(q, nv, 6),
        empty(q, nb + 1, 6),
    )  # fmt: skip


@inline
def velocities(tree: Tree, q: Floats, qd: Floats, bodies: Velocities) -> None:
    """Compute the results of `about_robot`, rates ``Sd = crm(v) S`` and body velocities v."""
    R, p, S, Sd, v = bodies
    about_robot(tree, q, R, p, S)
    v[-1, :] = 0.0
    for i in range(tree.parent.size):
        v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        store(six(v[tree.parent[i]]), v[i])
        combine(S, v0, v1, qd, v[i])
        mover = tree.parent[i] if v1 == v0 + 1 else i
        for k in range(v0, v1):
            store(crm(six(v[mover]), six(S[k])), Sd[k])
