"""Recursive Newton-Euler algorithm, with all that it computes on the way."""

from __future__ import annotations

from spatial_v2.engine.body_sweep import forces, motions, put_bodies
from spatial_v2.engine.compile import jit
from spatial_v2.engine.inertia import apply_matrix
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import local
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import put, six

__all__ = ["rnea_info"]


@jit
def rnea_info(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, tau: Floats,
    Xup: Floats, v: Floats, h: Floats, a: Floats, f: Floats, f0: Floats,
) -> None:  # fmt: skip
    """tau (B, nv), and the fields of `IDInfo`, each (B, ...), zero before."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, d, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    w, wd, F = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    p, Q, x, none = empty(q, nb + 1, 3), empty(q, 3, 3), empty(q, 3), empty(q, 0, 6)
    for b in range(q.shape[0]):
        local(tree, q[b], R, d, S)
        external = f_ext[b] if f_ext.size else none
        carried = f_body[b] if f_body.size else none
        motions(tree, qd[b], qdd[b], external, carried, R, d, S, p, w, wd, F)
        forces(tree, d, S, F, tau[b])
        put_bodies(tree, R, d, Q, x, w, wd, F, Xup[b], v[b], a[b], f[b])
        for i in range(nb):
            put(apply_matrix(tree.I[i], six(v[b, i])), h[b, i])
        put(six(F[-1]), f0[b])
