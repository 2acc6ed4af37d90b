"""Poses of the bodies, and their velocities in body coordinates."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import combine, shift_motion, six, store, turn_six_back
from spatial_v2.engine.parts.poses import about_body, motion_transform
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["forward_kinematics"]


@inline
def outward_origins(tree: Tree, qd: Floats, d: Floats, S: Floats, p: Floats, v: Floats) -> None:
    """Compute origins p (nb + 1, 3) of the bodies, and velocities v (nb + 1, 6) about them."""
    p[-1, :] = 0.0
    v[-1, :] = 0.0
    for i in range(tree.parent.size):
        par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        for c in range(3):
            p[i, c] = p[par, c] + d[i, c]
        store(shift_motion(d[i], six(v[par])), v[i])
        combine(S, v0, v1, qd, v[i])


@inline
def store_body(
    R: Floats, p: Floats, w: Floats, X0: Floats, Rb: Floats, pb: Floats, v: Floats
) -> None:
    """Store the pose X0, Rb, pb and the velocity v of one body, with v rotated to the body's
    axes; of these the arrays that are not empty.
    """
    if X0.size:
        motion_transform(R, p, X0)
    if Rb.size:
        for r in range(3):
            for c in range(3):
                Rb[r, c] = R[r, c]
    if pb.size:
        pb[0], pb[1], pb[2] = p[0], p[1], p[2]
    if v.size:
        store(turn_six_back(R, six(w)), v)


@jit
def forward_kinematics(
    tree: Tree, q: Floats, qd: Floats, X0: Floats, R: Floats, p: Floats, v: Floats
) -> None:
    """Compute transforms X0 (B, nb, 6, 6) from base to body, orientations R, origins p and body
    velocities v.

    X0 must be zero on entry.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    Rg, d, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    pg, w = empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    for b in range(q.shape[0]):
        about_body(tree, q[b], Rg, d, S)
        outward_origins(tree, qd[b], d, S, pg, w)
        for i in range(nb):
            store_body(Rg[i], pg[i], w[i], X0[b, i], R[b, i], p[b, i], v[b, i])
