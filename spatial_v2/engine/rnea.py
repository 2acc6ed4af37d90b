"""Recursive Newton-Euler algorithm in the ground frame."""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.sweep import body_force, rest, sub_body_force, sub_force
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import Three, combine, crm, dot6, fold, plus, put, six

__all__ = ["inward", "outward", "rnea"]


@inline
def outward(
    tree: Tree, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, b: int,
    R: Floats, p: Floats, o: Three, S: Floats, v: Floats, a: Floats, f: Floats,
) -> None:  # fmt: skip
    """Forces f (nb + 1, 6) of the bodies in state b; f[i] is vJ before it is the force.

    R, p, S and o are from `near`; an empty qdd, f_ext or f_body is zero.
    """
    rest(tree, v, a)
    for i in range(tree.parent.size):
        v0, v1, vJ = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4], f[i]
        vJ[:] = 0.0
        combine(S, v0, v1, qd[b], vJ)
        vp = six(v[tree.parent[i]])
        vi = plus(vp, six(vJ))
        put(vi, v[i])
        put(plus(six(a[tree.parent[i]]), crm(vp, six(vJ))), a[i])
        if qdd.size:
            combine(S, v0, v1, qdd[b], a[i])
        put(body_force(tree.I[i], R[i], p[i], vi, six(a[i])), f[i])
        if f_ext.size:
            sub_force(f_ext[b, i], o, f[i])
        if f_body.size:
            sub_body_force(f_body[b, i], R[i], p[i], f[i])


@inline
def inward(tree: Tree, S: Floats, f: Floats, tau: Floats) -> None:
    """tau (nv,) from the forces of the bodies."""
    for i in range(tree.parent.size - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            tau[k] = dot6(six(S[k]), six(f[i]))
        fold(f[i], f[tree.parent[i]])


@jit
def rnea(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, tau: Floats
) -> None:
    """Joint forces tau (B, nv) of the motions q, qd, qdd (B, n).

    External forces (B, nb, 6) are constant in the base or in the bodies, or none: (0, 0, 6).
    """
    nb, nv = tree.parent.size, qd.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    v, a, f = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    for b in range(q.shape[0]):
        o = near(tree, q[b], R, p, S)
        outward(tree, qd, qdd, f_ext, f_body, b, R, p, o, S, v, a, f)
        inward(tree, S, f, tau[b])
