"""Poses of the bodies, and their velocities in body coordinates."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import motion_transform
from spatial_v2.engine.sweep import velocities
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import put, shift_motion, six, turn_back

__all__ = ["body_motion"]


@inline
def store(R: Floats, p: Floats, w: Floats, X0: Floats, Rb: Floats, pb: Floats, v: Floats) -> None:
    """The pose and the velocity of one body, from ground coordinates."""
    motion_transform(R, p, X0)
    for r in range(3):
        pb[r] = p[r]
        for c in range(3):
            Rb[r, c] = R[r, c]
    a0, a1, a2, b0, b1, b2 = shift_motion(p, six(w))
    a0, a1, a2 = turn_back(R, a0, a1, a2)
    b0, b1, b2 = turn_back(R, b0, b1, b2)
    put((a0, a1, a2, b0, b1, b2), v)


@jit
def body_motion(
    tree: Tree, q: Floats, qd: Floats, X0: Floats, R: Floats, p: Floats, v: Floats
) -> None:
    """X0 (B, nb, 6, 6), zero before, R (B, nb, 3, 3), p (B, nb, 3) and v (B, nb, 6)."""
    nb, nv = tree.parent.size, qd.shape[1]
    Rg, pg, w = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, Sd = empty(q, nv, 6), empty(q, nv, 6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], Rg, pg, S, Sd, w)
        for i in range(nb):
            store(Rg[i], pg[i], w[i], X0[b, i], R[b, i], p[b, i], v[b, i])
