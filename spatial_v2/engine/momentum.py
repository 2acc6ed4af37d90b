"""Generalised momentum H qd and C^T qd in O(N)."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_inertia, ground_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.sweep import velocities
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import dot6, fold, put, six

__all__ = ["momentum"]


@inline
def inward(
    tree: Tree, R: Floats, p: Floats, S: Floats, Sd: Floats, v: Floats, I: Floats, h: Floats,
    Hqd: Floats, CTqd: Floats,
) -> None:  # fmt: skip
    """Hqd and CTqd (nv,) of one state; h (nb + 1, 6) becomes the momenta of the subtrees."""
    for i in range(tree.parent.size):
        ground_inertia(tree.I[i], R[i], p[i], I)
        put(apply_inertia(I, six(v[i])), h[i])
    for i in range(tree.parent.size - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            Hqd[k], CTqd[k] = dot6(six(S[k]), six(h[i])), dot6(six(Sd[k]), six(h[i]))
        fold(h[i], h[tree.parent[i]])


@jit
def momentum(tree: Tree, q: Floats, qd: Floats, Hqd: Floats, CTqd: Floats) -> None:
    """H qd and C^T qd, each (B, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, Sd, I, h = empty(q, nv, 6), empty(q, nv, 6), empty(q, 10), empty(q, nb + 1, 6)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        inward(tree, R, p, S, Sd, v, I, h, Hqd[b], CTqd[b])
