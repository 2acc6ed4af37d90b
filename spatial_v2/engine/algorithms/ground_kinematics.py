"""Poses, motion subspaces and velocities in the ground frame."""

from __future__ import annotations

from spatial_v2.engine.algorithms.robot_kinematics import store_columns, transforms
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import shift_motion, six, store
from spatial_v2.engine.parts.sweep import velocities
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["ground_kinematics"]


@jit
def ground_kinematics(
    tree: Tree, q: Floats, qd: Floats, S: Floats, Sd: Floats, X0: Floats, v: Floats
) -> None:
    """Compute motion subspaces S and their rates Sd (B, 6, nv), transforms X0 (B, nb, 6, 6) from
    base to body, and velocities v (B, nb, 6).

    They are computed about a point of the robot and shifted to the ground's origin at the end. X0
    must be zero on entry.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, w = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    rows, rates, base = empty(q, nv, 6), empty(q, nv, 6), empty(q, 3)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, rows, rates, w)
        for c in range(3):
            base[c] = p[-1, c]
        for k in range(nv):
            store(shift_motion(base, six(rows[k])), rows[k])
            store(shift_motion(base, six(rates[k])), rates[k])
        for i in range(nb):
            store(shift_motion(base, six(w[i])), v[b, i])
            for c in range(3):
                p[i, c] -= base[c]
        store_columns(rows, rates, S[b], Sd[b])
        transforms(R, p, X0[b])
