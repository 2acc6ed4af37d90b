"""Poses, motion subspaces and velocities about a point of the robot."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.poses import motion_transform
from spatial_v2.engine.parts.sweep import velocities
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["robot_kinematics", "store_columns", "transforms"]


@inline
def transforms(R: Floats, p: Floats, X0: Floats) -> None:
    """Compute the transforms X0 of all bodies; see `motion_transform`."""
    for i in range(X0.shape[0]):
        motion_transform(R[i], p[i], X0[i])


@inline
def store_columns(rows: Floats, rates: Floats, S: Floats, Sd: Floats) -> None:
    """Store rows (nv, 6) of motion subspaces and their rates as columns of S and Sd (6, nv)."""
    for c in range(6):
        for k in range(rows.shape[0]):
            S[c, k], Sd[c, k] = rows[k, c], rates[k, c]


@jit
def robot_kinematics(
    tree: Tree, q: Floats, qd: Floats, S: Floats, Sd: Floats, X0: Floats, v: Floats, o: Floats
) -> None:
    """Compute the fields S, Sd, X0 and v of `RobotKinematics` about points o (B, 3).

    The points, on the robot, are results as well. X0 must be zero on entry.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, w = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    rows, rates = empty(q, nv, 6), empty(q, nv, 6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, rows, rates, w)
        store_columns(rows, rates, S[b], Sd[b])
        transforms(R, p, X0[b])
        for c in range(3):
            o[b, c] = -p[-1, c]
        for i in range(nb):
            for c in range(6):
                v[b, i, c] = w[i, c]
