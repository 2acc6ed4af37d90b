"""Coriolis matrix, inertia matrix and its rate: Algorithm 1 of Echeandia and Wensing (2021)."""

from __future__ import annotations

from spatial_v2.engine.body_coriolis import apply_coriolis, apply_transpose, coriolis_matrix
from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_inertia, ground_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.sweep import velocities
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import dot6, fold, plus, six, times

__all__ = ["coriolis"]


@inline
def inward(
    tree: Tree, R: Floats, p: Floats, S: Floats, Sd: Floats, v: Floats, I: Floats, B: Floats,
    IC: Floats, BC: Floats, C: Floats, Hdot: Floats, H: Floats,
) -> None:  # fmt: skip
    """C, Hdot and H (nv, nv) of one state; BC is twice the body Coriolis matrix.

    Of one variable k, C_kk is due to the bodies beyond its own: what a body's spin about the axis
    would add, is zero, but would not be by as much as rounding leaves of a fast rotor's.
    """
    parent, joint = tree.parent, tree.joint
    IC[:, :] = 0.0
    BC[:, :] = 0.0
    for i in range(parent.size - 1, -1, -1):
        v0, n = joint[i, 3], joint[i, 4]
        s, ds = six(S[v0]), six(Sd[v0])
        l = apply_transpose(BC[i], s)
        alone = dot6(ds, apply_inertia(IC[i], s)) + 0.5 * (l[0] * s[0] + l[1] * s[1] + l[2] * s[2])
        ground_inertia(tree.I[i], R[i], p[i], I)
        coriolis_matrix(I, six(v[i]), B)
        fold(I, IC[i])
        fold(B, BC[i])
        for k in range(v0, v0 + n):
            s = six(S[k])
            F1 = plus(apply_inertia(IC[i], six(Sd[k])), times(0.5, apply_coriolis(BC[i], s)))
            F2, (l0, l1, l2) = apply_inertia(IC[i], s), apply_transpose(BC[i], s)
            l0, l1, l2 = 0.5 * l0, 0.5 * l1, 0.5 * l2
            j = i
            while j >= 0:
                for t in range(joint[j, 3], joint[j, 3] + joint[j, 4]):
                    s = six(S[t])
                    up = dot6(s, F1)
                    down = dot6(six(Sd[t]), F2) + l0 * s[0] + l1 * s[1] + l2 * s[2]
                    C[k, t] = down
                    H[k, t] = H[t, k] = dot6(s, F2)
                    Hdot[k, t] = Hdot[t, k] = up + down
                    if j != i:
                        C[t, k] = up
                j = parent[j]
        if n == 1:
            C[v0, v0], Hdot[v0, v0] = alone, 2.0 * alone
        fold(IC[i], IC[parent[i]])
        fold(BC[i], BC[parent[i]])


@jit
def coriolis(tree: Tree, q: Floats, qd: Floats, C: Floats, Hdot: Floats, H: Floats) -> None:
    """C, Hdot and H, each (B, nv, nv), zero before."""
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, Sd = empty(q, nv, 6), empty(q, nv, 6)
    I, B, IC, BC = empty(q, 10), empty(q, 12), empty(q, nb + 1, 10), empty(q, nb + 1, 12)
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], R, p, S, Sd, v)
        inward(tree, R, p, S, Sd, v, I, B, IC, BC, C[b], Hdot[b], H[b])
