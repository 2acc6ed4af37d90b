"""The Jacobian and the acceleration of constraints."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.held import Held, row_vectors
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import rest
from spatial_v2.engine.tree import Floats
from spatial_v2.engine.vectors import combine, crm, dot6, plus, put, six

__all__ = ["constraint_rows", "jacobian"]


@inline
def jacobian(held: Held, S: Floats, Y: Floats, G: Floats) -> None:
    """G (m, nv): the products of rows and freedoms on the ways to both bodies."""
    tree = held.tree
    G[:, :] = 0.0
    for c in range(held.ends.shape[0]):
        for e in range(2):
            i, sign = held.ends[c, e], 2.0 * e - 1.0
            while i >= 0:
                for t in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                    s = six(S[t])
                    for k in range(held.ends[c, 3], held.ends[c, 3] + held.ends[c, 4]):
                        G[k, t] += sign * dot6(s, six(Y[e, k]))
                i = tree.parent[i]


@jit
def constraint_rows(
    held: Held, q: Floats, qd: Floats, qdd: Floats, G: Floats, alpha: Floats
) -> None:
    """G (B, m, nv), and the acceleration of the rows less the wanted one (B, m)."""
    tree, m = held.tree, held.T.shape[0]
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    v, a, vJ = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6)
    Rc, pc = empty(q, 2, 3, 3), empty(q, 2, 3)
    Y, Z, X = empty(q, 2, m, 6), empty(q, 2, m, 6), empty(q, 2, m, 6)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        rest(tree, v, a)
        for i in range(nb):
            v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
            vp, ap = six(v[tree.parent[i]]), six(a[tree.parent[i]])
            vJ[:] = 0.0
            combine(S, v0, v1, qd[b], vJ)
            put(plus(vp, six(vJ)), v[i])
            put(plus(ap, crm(vp, six(vJ))), a[i])
            combine(S, v0, v1, qdd[b], a[i])
        row_vectors(held, R, p, v, a, Rc, pc, Y, Z, X, alpha[b])
        jacobian(held, S, Y, G[b])
