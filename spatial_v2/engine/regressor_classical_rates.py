"""Derivatives of the regressor of inverse dynamics by q and qd."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import add_ten, chain, in_body, outward, two_velocities
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.variations import force_row, put_rate, turned, vary
from spatial_v2.engine.vectors import crm, minus, plus, put, six, times

__all__ = ["regressor_classical_rates"]


@part
def body_rates(
    tree: Tree, i: int, n: int, R: Floats, p: Floats, v: Floats, a: Floats, dv: Floats,
    da: Floats, Sd: Floats, row: Ints, var: Ints, bodies: Ints, s: Floats, M: Floats, dq: Floats,
    dqd: Floats, c: int,
) -> None:  # fmt: skip
    """The ten numbers from c on of dq and dqd (nv, ., nv) for body i; M (4, n, 6) is scratch."""
    vi = in_body(R[i], p[i], v[i])
    m, x = two_velocities(in_body(R[i], p[i], a[i]), vi, vi), M[0, 0]
    for k in range(n):
        r, sk = row[k], six(s[k])
        put(minus(six(da[r]), crm(six(v[i]), six(dv[r]))), x)
        Q, P = in_body(R[i], p[i], x), in_body(R[i], p[i], dv[r])
        zero = minus(P, P)
        put(times(2.0, P), M[1, k])
        put(plus(two_velocities(Q, P, vi), two_velocities(zero, vi, P)), M[2, k])
        put(plus(six(dv[r]), six(Sd[r])), x)
        A = minus(in_body(R[i], p[i], x), crm(vi, sk))
        put(plus(two_velocities(A, sk, vi), two_velocities(zero, vi, sk)), M[3, k])
    for k in range(n):
        sk = six(s[k])
        for j in range(n):
            y = force_row(turned(bodies, k, j, s), m, vi, vi)
            y = add_ten(y, force_row(sk, six(M[2, j]), vi, six(M[1, j])))
            put_rate(y, dq[var[k]], c, var[j])
            y = force_row(sk, six(M[3, j]), vi, times(2.0, six(s[j])))
            put_rate(y, dqd[var[k]], c, var[j])


@jit
def regressor_classical_rates(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, dq: Floats, dqd: Floats, dq_rot: Floats,
    dqd_rot: Floats,
) -> None:  # fmt: skip
    """Each (B, nv, 10 links, nv), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, m, 6)
    v, a, vJ = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6)
    dv, dw, da, Sd = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    s, M = empty(q, m, 6), empty(q, 4, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        outward(tree, qd[b], qd[b], qdd[b], S, vJ, v, v, a)
        vary(tree, S, v, v, a, dv, dw, da, Sd)
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            if i < n_links:
                body_rates(
                    tree, i, n, R, p, v, a, dv, da, Sd, row, var, body, s, M, dq[b], dqd[b], 10 * i
                )
            else:
                body_rates(
                    tree, i, n, R, p, v, a, dv, da, Sd, row, var, body, s, M,
                    dq_rot[b], dqd_rot[b], 10 * (i - n_links),
                )  # fmt: skip
