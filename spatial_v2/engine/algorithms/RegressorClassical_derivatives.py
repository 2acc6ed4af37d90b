"""Derivatives of the regressor of inverse dynamics with respect to q and qd."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, minus, plus, six, store, times
from spatial_v2.engine.parts.body_rows import (
    Chain,
    add_ten,
    new_chain,
    outward_motion,
    set_chain,
    two_velocities,
)
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.variations import (
    Rates,
    force_row,
    new_rates,
    store_rate,
    turned_freedom,
    vary,
)
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["RegressorClassical_derivatives"]

Two = tuple[Floats, Floats]


@part
def force_rates(
    i: int, n: int, chain: Chain, v: Floats, a: Floats, rates: Rates, M: Floats, out: Two,
    c: int,
) -> None:  # fmt: skip
    """Compute ten columns of dq and dqd (nv, ., nv), from column c on, for body i.

    M (3, n, 6) is scratch space.
    """
    (dq, dqd), dv, da, Sd = out, rates.dv, rates.da, rates.Sd
    R, p, row, var, bodies, s = chain.R, chain.p, chain.row, chain.var, chain.bodies, chain.s
    vi = in_body(R[i], p[i], six(v[i]))
    m = two_velocities(in_body(R[i], p[i], six(a[i])), vi, vi)
    for k in range(n):
        r, sk = row[k], six(s[k])
        Q = in_body(R[i], p[i], minus(six(da[r]), crm(six(v[i]), six(dv[r]))))
        P = in_body(R[i], p[i], six(dv[r]))
        zero = minus(P, P)
        store(times(2.0, P), M[0, k])
        store(plus(two_velocities(Q, P, vi), two_velocities(zero, vi, P)), M[1, k])
        A = minus(in_body(R[i], p[i], plus(six(dv[r]), six(Sd[r]))), crm(vi, sk))
        store(plus(two_velocities(A, sk, vi), two_velocities(zero, vi, sk)), M[2, k])
    for k in range(n):
        sk = six(s[k])
        for j in range(n):
            y = force_row(turned_freedom(bodies, k, j, s), m, vi, vi)
            y = add_ten(y, force_row(sk, six(M[1, j]), vi, six(M[0, j])))
            store_rate(y, dq[var[k]], c, var[j])
            y = force_row(sk, six(M[2, j]), vi, times(2.0, six(s[j])))
            store_rate(y, dqd[var[k]], c, var[j])


@jit
def RegressorClassical_derivatives(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, dq: Floats, dqd: Floats, dq_rot: Floats,
    dqd_rot: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives dq and dqd (B, nv, 10*NB, nv) of the regressor with respect to q and
    qd; dq_rot and dqd_rot for rotors.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain = new_chain(q, nb, m)
    v, a, vJ = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6)
    rates = new_rates(q, m)
    M = empty(q, 3, m, 6)
    for b in range(q.shape[0]):
        outward_motion(tree, q[b], qd[b], qd[b], qdd[b], chain, vJ, v, v, a)
        vary(tree, chain.S, v, v, a, rates)
        for i in range(nb):
            n = set_chain(tree, i, chain)
            out = (dq[b], dqd[b]) if i < n_links else (dq_rot[b], dqd_rot[b])
            force_rates(i, n, chain, v, a, rates, M, out, 10 * (i % n_links))
