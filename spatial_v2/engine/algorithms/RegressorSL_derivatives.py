"""Derivatives of the regressors of inverse dynamics, and of ``H qdd + C qd_r + g``."""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, minus, plus, six, store, times
from spatial_v2.engine.parts.body_rows import (
    Chain,
    add_ten,
    centrifugal,
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

Three = tuple[Floats, Floats, Floats]


@part
def two_velocity_rates(
    tree: Tree, i: int, n: int, chain: Chain, motion: Three, rates: Rates, M: Floats, out: Three,
    c: int,
) -> None:  # fmt: skip
    """Compute ten columns of dq, dqd and dqd_r (nv, ., nv), from column c on, for body i.

    M (5, n, 6) is scratch space.
    """
    (v, w, a), (dv, dw, da, Sd), (dq, dqd, dqd_r) = motion, rates, out
    R, p, row, var, bodies, s = chain.R, chain.p, chain.row, chain.var, chain.bodies, chain.s
    vi, wi = in_body(R[i], p[i], six(v[i])), in_body(R[i], p[i], six(w[i]))
    m = two_velocities(in_body(R[i], p[i], six(a[i])), vi, wi)
    for k in range(n):
        r, par = row[k], tree.parent[bodies[k]]
        Q = in_body(R[i], p[i], minus(six(da[r]), crm(six(w[i]), six(dv[r]))))
        P, W = in_body(R[i], p[i], six(dv[r])), in_body(R[i], p[i], six(dw[r]))
        beyond = in_body(R[i], p[i], minus(six(w[i]), six(w[par])))
        store(P, M[0, k])
        store(W, M[1, k])
        zero = minus(P, P)
        store(plus(two_velocities(Q, P, wi), two_velocities(zero, vi, W)), M[2, k])
        store(two_velocities(crm(six(s[k]), beyond), six(s[k]), wi), M[3, k])
        store(two_velocities(in_body(R[i], p[i], six(Sd[r])), vi, six(s[k])), M[4, k])
    for k in range(n):
        sk = six(s[k])
        for j in range(n):
            sj, half = six(s[j]), (0.5 * M[1, j, 0], 0.5 * M[1, j, 1], 0.5 * M[1, j, 2])
            y = force_row(sk, six(M[2, j]), six(M[0, j]), wi)
            y = add_ten(y, centrifugal(sk, (vi[0], vi[1], vi[2]), half))
            y = add_ten(y, force_row(turned_freedom(bodies, k, j, s), m, vi, wi))
            store_rate(y, dq[var[k]], c, var[j])
            store_rate(force_row(sk, six(M[3, j]), sj, wi), dqd[var[k]], c, var[j])
            store_rate(force_row(sk, six(M[4, j]), vi, sj), dqd_r[var[k]], c, var[j])


@jit
def RegressorSL_derivatives(
    tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, of_links: Three, of_rotors: Three
) -> None:
    """Compute the derivatives (B, nv, 10*NB, nv) of the regressor with respect to q, qd and qd_r,
    and those for rotors (B, nv, 10*NB_rot, nv).
    """
    (dq, dqd, dqd_r), (dq_rot, dqd_rot, dqd_r_rot) = of_links, of_rotors
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain = new_chain(q, nb, m)
    v, w, a = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    rates = new_rates(q, m)
    vJ, M = empty(q, 6), empty(q, 5, m, 6)
    for b in range(q.shape[0]):
        outward_motion(tree, q[b], qd[b], qd_r[b], qdd[b], chain, vJ, v, w, a)
        vary(tree, chain.S, v, w, a, rates)
        for i in range(nb):
            n = set_chain(tree, i, chain)
            out = dq[b], dqd[b], dqd_r[b]
            if i >= n_links:
                out = dq_rot[b], dqd_rot[b], dqd_r_rot[b]
            two_velocity_rates(tree, i, n, chain, (v, w, a), rates, M, out, 10 * (i % n_links))


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
