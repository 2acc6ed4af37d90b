"""Articulated-body algorithm."""

from __future__ import annotations

from spatial_v2.engine.articulate import articulate, respond
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.inertia import apply_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.rotors import rows, turn_joint
from spatial_v2.engine.sweep import rest, sub_body_force, sub_force
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import crf, crm, dot6, plus, put, shift_motion, six

__all__ = ["aba", "bias"]


@part
def bias(
    tree: Tree, qd: Floats, f_ext: Floats, f_body: Floats, R: Floats, d: Floats, S: Floats,
    IC: Floats, IA: Floats, p: Floats, v: Floats, c: Floats, pA: Floats,
) -> None:  # fmt: skip
    """Velocity products c, and the bias forces pA that go with them; p (nb + 1, 3) is scratch.

    f_ext (links, 6) has its couples about the ground's origin, f_body (links, 6) about the bodies'
    and is along their axes R; none are given by an empty array.
    """
    p[-1, :] = 0.0
    for i in range(tree.parent.size):
        par, vJ = tree.parent[i], c[i]
        vJ[:] = 0.0
        turn_joint(tree, i, S, qd, vJ)
        vp = shift_motion(d[i], six(v[par]))
        vi, ci = plus(vp, six(vJ)), crm(vp, six(vJ))
        put(vi, v[i])
        put(ci, c[i])
        put(crf(vi, apply_inertia(IC[i], vi)), pA[i])
        for r in range(6):
            pA[i, r] += dot6(six(IA[i, r]), ci)
        if i < f_ext.shape[0]:
            for r in range(3):
                p[i, r] = p[par, r] + d[i, r]
            sub_force(f_ext[i], (p[i, 0], p[i, 1], p[i, 2]), pA[i])
        if i < f_body.shape[0]:
            sub_body_force(f_body[i], R[i], d[-1], pA[i])


@jit
def aba(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, qdd: Floats
) -> None:
    """Joint accelerations qdd (B, nv) under the joint forces tau (B, nv)."""
    nb, nv, m = tree.parent.size, qd.shape[1], rows(tree)
    R, d, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 3)
    S, U, D = empty(q, m, 6), empty(q, m, 6), empty(q, nb, 6, 6)
    IC, IA, W = empty(q, nb, 10), empty(q, nb + 1, 6, 6), empty(q, 2, 6, 6)
    v, a, pA = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    c, u, w, none = empty(q, nb, 6), empty(q, nv), empty(q, 6), empty(q, 0, 6)
    rest(tree, v, a)
    for b in range(q.shape[0]):
        articulate(tree, q[b], R, d, S, IC, IA, U, D, W)
        external = f_ext[b] if f_ext.size else none
        carried = f_body[b] if f_body.size else none
        bias(tree, qd[b], external, carried, R, d, S, IC, IA, p, v, c, pA)
        respond(tree, d, S, U, D, c, pA, a, tau[b], u, w, qdd[b])
