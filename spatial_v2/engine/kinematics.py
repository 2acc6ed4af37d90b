"""Poses, motion subspaces and velocities in the ground frame."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import motion_transform
from spatial_v2.engine.sweep import velocities
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["kinematics"]


@inline
def transforms(R: Floats, p: Floats, X0: Floats) -> None:
    """`motion_transform` for all bodies."""
    for i in range(X0.shape[0]):
        motion_transform(R[i], p[i], X0[i])


@jit
def kinematics(
    tree: Tree, q: Floats, qd: Floats, S: Floats, Sd: Floats, X0: Floats, v: Floats
) -> None:
    """S, Sd (B, 6, nv), X0 (B, nb, 6, 6) from base to body, zero before, and v (B, nb, 6)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, w = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    rows, rates = empty(q, nv, 6), empty(q, nv, 6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, rows, rates, w)
        transforms(R, p, X0[b])
        for c in range(6):
            for k in range(nv):
                S[b, c, k], Sd[b, c, k] = rows[k, c], rates[k, c]
            for i in range(nb):
                v[b, i, c] = w[i, c]
