"""The regressors of the generalised momentum H qd and of C^T qd, and their derivatives."""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, six, store, times
from spatial_v2.engine.parts.body_rows import (
    Chain,
    add_ten,
    body_velocities,
    inertial,
    new_chain,
    set_chain,
    store_ten,
)
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.variations import store_rate, turned_freedom, velocity_rates
from spatial_v2.engine.tree import Floats, Tree


@part
def momentum_rows(
    i: int, n: int, chain: Chain, Sd: Floats, v: Floats, out: tuple[Floats, Floats], c: int
) -> None:
    """Compute ten columns of the regressors H and C (nv, .), from column c on, for body i."""
    (H, C), R, p, row, var, s = out, chain.R, chain.p, chain.row, chain.var, chain.s
    vi = in_body(R[i], p[i], six(v[i]))
    for k in range(n):
        store_ten(inertial(six(s[k]), vi), H[var[k]], c)
        store_ten(inertial(in_body(R[i], p[i], six(Sd[row[k]])), vi), C[var[k]], c)


@jit
def Regressor_HqdandCTqd(
    tree: Tree, q: Floats, qd: Floats, H: Floats, C: Floats, H_rot: Floats, C_rot: Floats
) -> None:
    """Compute the regressors H of the momentum H qd, and C of C^T qd, each (B, nv, 10*NB).

    H_rot and C_rot (B, nv, 10*NB_rot) are the regressors for rotors.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v = new_chain(q, nb, m), empty(q, nb + 1, 6)
    S, Sd = chain.S, empty(q, m, 6)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                store(crm(six(v[i]), six(S[k])), Sd[k])
        for i in range(nb):
            n = set_chain(tree, i, chain)
            out = (H[b], C[b]) if i < n_links else (H_rot[b], C_rot[b])
            momentum_rows(i, n, chain, Sd, v, out, 10 * (i % n_links))


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
            sj, Pj, column = six(s[j]), six(P[j]), var[j]
            below = j < k and bodies[j] != bodies[k]
            x = inertial(turned_freedom(bodies, k, j, s), vi)
            store_rate(add_ten(x, inertial(sk, Pj)), H_dq[r], c, column)
            store_rate(inertial(sk, sj), H_dqd[r], c, column)
            x = inertial(crm(sdk, sj) if below else crm(Pj, sk), vi)
            store_rate(add_ten(x, inertial(sdk, Pj)), C_dq[r], c, column)
            x = inertial(times(0.0 if below else 1.0, crm(sj, sk)), vi)
            store_rate(add_ten(x, inertial(sdk, sj)), C_dqd[r], c, column)


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
