"""The regressor of the spatial momentum of the whole tree, and its derivatives."""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, in_body, six
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
from spatial_v2.engine.parts.variations import store_rate, velocity_rates
from spatial_v2.engine.tree import Floats, Tree


@jit
def RegressorMomentum(tree: Tree, q: Floats, qd: Floats, Y: Floats, Y_rot: Floats) -> None:
    """Compute the momentum regressors Y (B, 6, 10*NB) of links and Y_rot (B, 6, 10*NB_rot) of
    rotors, about the ground's origin.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v = new_chain(q, nb, m), empty(q, nb + 1, 6)
    R, p, r, e = chain.R, chain.p, empty(q, 3), empty(q, 6)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            vi = in_body(R[i], p[i], six(v[i]))
            for c in range(3):
                r[c] = p[i, c] - p[-1, c]
            for c in range(6):
                e[:] = 0.0
                e[c] = 1.0
                x = inertial(in_body(R[i], r, six(e)), vi)
                store_ten(x, Y[b, c] if i < n_links else Y_rot[b, c], 10 * (i % n_links))


Two = tuple[Floats, Floats]


@part
def momentum_rates(
    i: int, n: int, chain: Chain, v: Floats, P: Floats, e: Floats, out: Two, c: int
) -> None:
    """Compute ten columns of dq and dqd (6, ., nv) for body i; e (9,) is scratch space."""
    (dq, dqd), R, p, var, s = out, chain.R, chain.p, chain.var, chain.s
    vi, r = in_body(R[i], p[i], six(v[i])), e[6:]
    for k in range(3):
        r[k] = p[i, k] - p[-1, k]
    for k in range(6):
        e[:6] = 0.0
        e[k] = 1.0
        x = in_body(R[i], r, six(e))
        for j in range(n):
            sj = six(s[j])
            y = add_ten(inertial(x, six(P[j])), inertial(crm(x, sj), vi))
            store_rate(y, dq[k], c, var[j])
            store_rate(inertial(x, sj), dqd[k], c, var[j])


@jit
def RegressorMomentum_derivatives(
    tree: Tree, q: Floats, qd: Floats, dq: Floats, dqd: Floats, dq_rot: Floats, dqd_rot: Floats
) -> None:
    """Compute the derivatives dq and dqd (B, 6, 10*NB, nv) of the momentum regressor, about the
    ground's origin.

    dq_rot and dqd_rot (B, 6, 10*NB_rot, nv) are the derivatives for rotors.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v = new_chain(q, nb, m), empty(q, nb + 1, 6)
    P, Q = empty(q, m, 6), empty(q, m, 6)
    e = empty(q, 9)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            n = set_chain(tree, i, chain)
            velocity_rates(tree, i, n, chain, v, P, Q)
            out = (dq[b], dqd[b]) if i < n_links else (dq_rot[b], dqd_rot[b])
            momentum_rates(i, n, chain, v, P, e, out, 10 * (i % n_links))
