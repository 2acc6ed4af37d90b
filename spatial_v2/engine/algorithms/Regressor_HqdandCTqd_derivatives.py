"""Derivatives of the regressors of H qd and C^T qd with respect to q and qd."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, six, times
from spatial_v2.engine.parts.body_rows import (
    Chain,
    add_ten,
    body_velocities,
    inertial,
    new_chain,
    set_chain,
)
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.variations import store_rate, turned_freedom, velocity_rates
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["Regressor_HqdandCTqd_derivatives"]

Four = tuple[Floats, Floats, Floats, Floats]


@part
def momentum_force_rates(
    tree: Tree, i: int, n: int, chain: Chain, v: Floats, P: Floats, Q: Floats, out: Four, c: int
) -> None:
    """Compute ten columns of all results (nv, ., nv), from column c on, for body i.

    P and Q (n, 6) are scratch space.
    """
    R, p, var, bodies, s = chain.R, chain.p, chain.var, chain.bodies, chain.s
    H_dq, H_dqd, C_dq, C_dqd = out
    vi = in_body(R[i], p[i], six(v[i]))
    velocity_rates(tree, i, n, chain, v, P, Q)
    for k in range(n):
        sk, sdk, r = six(s[k]), six(Q[k]), var[k]
        for j in range(n):
            sj, Pj, at = six(s[j]), six(P[j]), var[j]
            below = j < k and bodies[j] != bodies[k]
            x = inertial(turned_freedom(bodies, k, j, s), vi)
            store_rate(add_ten(x, inertial(sk, Pj)), H_dq[r], c, at)
            store_rate(inertial(sk, sj), H_dqd[r], c, at)
            x = inertial(crm(sdk, sj) if below else crm(Pj, sk), vi)
            store_rate(add_ten(x, inertial(sdk, Pj)), C_dq[r], c, at)
            x = inertial(times(0.0 if below else 1.0, crm(sj, sk)), vi)
            store_rate(add_ten(x, inertial(sdk, sj)), C_dqd[r], c, at)


@jit
def Regressor_HqdandCTqd_derivatives(
    tree: Tree, q: Floats, qd: Floats, of_links: Four, of_rotors: Four
) -> None:
    """Compute the derivatives of both regressors with respect to q and qd.

    Each is (B, nv, 10*NB, nv), or (B, nv, 10*NB_rot, nv) for rotors.
    """
    H_dq, H_dqd, C_dq, C_dqd = of_links
    H_rot_dq, H_rot_dqd, C_rot_dq, C_rot_dqd = of_rotors
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v = new_chain(q, nb, m), empty(q, nb + 1, 6)
    P, Q = empty(q, m, 6), empty(q, m, 6)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            n = set_chain(tree, i, chain)
            out = H_dq[b], H_dqd[b], C_dq[b], C_dqd[b]
            if i >= n_links:
                out = H_rot_dq[b], H_rot_dqd[b], C_rot_dq[b], C_rot_dqd[b]
            momentum_force_rates(tree, i, n, chain, v, P, Q, out, 10 * (i % n_links))
