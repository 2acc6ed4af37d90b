"""H qdd + C qd_r + g in O(N), the Coriolis matrix being that of the Christoffel symbols."""

from __future__ import annotations

from spatial_v2.engine.body_coriolis import apply_coriolis, coriolis_matrix
from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_inertia, ground_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.rnea import inward
from spatial_v2.engine.sweep import rest, velocities
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import combine, plus, put, six, times

__all__ = ["slotine_li"]


@inline
def forces(
    tree: Tree, qd_r: Floats, qdd: Floats, R: Floats, p: Floats, S: Floats, Sd: Floats, v: Floats,
    w: Floats, a: Floats, I: Floats, B: Floats, f: Floats,
) -> None:  # fmt: skip
    """Forces f (nb + 1, 6) of the bodies; w and a are their reference motions."""
    rest(tree, w, a)
    for i in range(tree.parent.size):
        v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        put(six(w[tree.parent[i]]), w[i])
        put(six(a[tree.parent[i]]), a[i])
        combine(S, v0, v1, qd_r, w[i])
        combine(S, v0, v1, qdd, a[i])
        combine(Sd, v0, v1, qd_r, a[i])
        ground_inertia(tree.I[i], R[i], p[i], I)
        coriolis_matrix(I, six(v[i]), B)
        twice = apply_coriolis(B, six(w[i]))
        put(plus(apply_inertia(I, six(a[i])), times(0.5, twice)), f[i])


@jit
def slotine_li(tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, tau: Floats) -> None:
    """Joint forces tau (B, nv)."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    w, a, f = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    S, Sd, I, B = empty(q, nv, 6), empty(q, nv, 6), empty(q, 10), empty(q, 12)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        forces(tree, qd_r[b], qdd[b], R, p, S, Sd, v, w, a, I, B, f)
        inward(tree, S, f, tau[b])
