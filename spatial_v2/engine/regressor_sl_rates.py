"""Derivatives of the regressor of ``H qdd + C qd_r + g`` by q, qd and qd_r."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import (
    add_ten,
    centrifugal,
    chain,
    in_body,
    outward,
    two_velocities,
)
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.variations import force_row, put_rate, turned, vary
from spatial_v2.engine.vectors import crm, minus, plus, put, six

__all__ = ["regressor_sl_rates"]


@part
def body_rates(
    tree: Tree, i: int, n: int, R: Floats, p: Floats, S: Floats, v: Floats, w: Floats, a: Floats,
    dv: Floats, dw: Floats, da: Floats, Sd: Floats, row: Ints, var: Ints, bodies: Ints, s: Floats,
    M: Floats, dq: Floats, dqd: Floats, dqd_r: Floats, c: int,
) -> None:  # fmt: skip
    """The ten numbers from c on of dq, dqd, dqd_r (nv, ., nv) for body i; scratch M (6, n, 6)."""
    vi, wi = in_body(R[i], p[i], v[i]), in_body(R[i], p[i], w[i])
    m = two_velocities(in_body(R[i], p[i], a[i]), vi, wi)
    x = M[0, 0]
    for k in range(n):
        r, par = row[k], tree.parent[bodies[k]]
        put(minus(six(da[r]), crm(six(w[i]), six(dv[r]))), x)
        Q = in_body(R[i], p[i], x)
        P, W = in_body(R[i], p[i], dv[r]), in_body(R[i], p[i], dw[r])
        put(minus(six(w[i]), six(w[par])), x)
        beyond = in_body(R[i], p[i], x)
        put(P, M[1, k])
        put(W, M[2, k])
        zero = minus(P, P)
        put(plus(two_velocities(Q, P, wi), two_velocities(zero, vi, W)), M[3, k])
        put(two_velocities(crm(six(s[k]), beyond), six(s[k]), wi), M[4, k])
        put(two_velocities(in_body(R[i], p[i], Sd[r]), vi, six(s[k])), M[5, k])
    for k in range(n):
        sk = six(s[k])
        for j in range(n):
            sj, half = six(s[j]), (0.5 * M[2, j, 0], 0.5 * M[2, j, 1], 0.5 * M[2, j, 2])
            y = force_row(sk, six(M[3, j]), six(M[1, j]), wi)
            y = add_ten(y, centrifugal(sk, (vi[0], vi[1], vi[2]), half))
            y = add_ten(y, force_row(turned(bodies, k, j, s), m, vi, wi))
            put_rate(y, dq[var[k]], c, var[j])
            put_rate(force_row(sk, six(M[4, j]), sj, wi), dqd[var[k]], c, var[j])
            put_rate(force_row(sk, six(M[5, j]), vi, sj), dqd_r[var[k]], c, var[j])


@jit
def regressor_sl_rates(
    tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, dq: Floats, dqd: Floats,
    dqd_r: Floats, dq_rot: Floats, dqd_rot: Floats, dqd_r_rot: Floats,
) -> None:  # fmt: skip
    """Each (B, nv, 10 links, nv), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, m, 6)
    v, w, a = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    dv, dw, da, Sd = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    vJ, s, M = empty(q, 6), empty(q, m, 6), empty(q, 6, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        outward(tree, qd[b], qd_r[b], qdd[b], S, vJ, v, w, a)
        vary(tree, S, v, w, a, dv, dw, da, Sd)
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            if i < n_links:
                body_rates(
                    tree, i, n, R, p, S, v, w, a, dv, dw, da, Sd, row, var, body, s, M,
                    dq[b], dqd[b], dqd_r[b], 10 * i,
                )  # fmt: skip
            else:
                body_rates(
                    tree, i, n, R, p, S, v, w, a, dv, dw, da, Sd, row, var, body, s, M,
                    dq_rot[b], dqd_rot[b], dqd_r_rot[b], 10 * (i - n_links),
                )  # fmt: skip
