"""Poses, motion subspaces and velocities in the ground frame."""

from __future__ import annotations

from spatial_v2.engine.algorithms.robot_kinematics import store_motion
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import shift_motion, six, store
from spatial_v2.engine.parts.velocities import new_velocities, velocities
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
    bodies, base = new_velocities(q, nb, nv), empty(q, 3)
    _, p, rows, rates, w = bodies
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], bodies)
        for c in range(3):
            base[c] = p[-1, c]
        for k in range(nv):
            store(shift_motion(base, six(rows[k])), rows[k])
            store(shift_motion(base, six(rates[k])), rates[k])
        for i in range(nb):
            store(shift_motion(base, six(w[i])), w[i])
            for c in range(3):
                p[i, c] -= base[c]
        store_motion(bodies, S[b], Sd[b], X0[b], v[b])
