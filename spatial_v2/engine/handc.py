"""Composite-rigid-body algorithm in the ground frame, and the bias force."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_inertia, ground_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rnea import inward, outward
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import dot6, fold, six

__all__ = ["handc"]


@inline
def mass_matrix(tree: Tree, R: Floats, p: Floats, S: Floats, IC: Floats, H: Floats) -> None:
    """H (nv, nv), zero before, of one state; IC (nb + 1, 10) become the composite inertias."""
    parent, joint = tree.parent, tree.joint
    for i in range(parent.size):
        ground_inertia(tree.I[i], R[i], p[i], IC[i])
    for i in range(parent.size - 1, -1, -1):
        for k in range(joint[i, 3], joint[i, 3] + joint[i, 4]):
            F = apply_inertia(IC[i], six(S[k]))
            j = i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    H[k, t] = H[t, k] = dot6(six(S[t]), F)
                j = parent[j]
        fold(IC[i], IC[parent[i]])


@jit
def handc(
    tree: Tree, q: Floats, qd: Floats, f_ext: Floats, f_body: Floats, H: Floats, C: Floats
) -> None:
    """H (B, nv, nv), zero before, and C (B, nv) with tau = H qdd + C."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    v, a, f = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    IC, qdd = empty(q, nb + 1, 10), empty(q, 0, 0)
    for b in range(q.shape[0]):
        o = near(tree, q[b], R, p, S)
        outward(tree, qd, qdd, f_ext, f_body, b, R, p, o, S, v, a, f)
        inward(tree, S, f, C[b])
        mass_matrix(tree, R, p, S, IC, H[b])
