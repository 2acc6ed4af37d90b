"""The regressors of the kinetic and the potential energy, and their derivatives."""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import in_body, six, times, turn_back
from spatial_v2.engine.parts.body_rows import (
    Chain,
    body_velocities,
    inertial,
    new_chain,
    set_chain,
    store_ten,
)
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.parts.sweep import rest
from spatial_v2.engine.parts.variations import store_rate, velocity_rates
from spatial_v2.engine.tree import Floats, Tree


@part
def energies(
    tree: Tree, i: int, chain: Chain, v: Floats, out: tuple[Floats, Floats], c: int
) -> None:
    """Compute the ten entries of the regressors KE and PE from entry c on, for body i."""
    (KE, PE), R, p, g = out, chain.R, chain.p, tree.gravity
    vi = in_body(R[i], p[i], six(v[i]))
    store_ten(inertial(times(0.5, vi), vi), KE, c)
    PE[c] = 0.0
    for k in range(3):
        PE[c] -= g[k] * (p[i, k] - p[-1, k])
    PE[c + 1], PE[c + 2], PE[c + 3] = turn_back(R[i], -g[0], -g[1], -g[2])


@jit
def RegressorEnergy(
    tree: Tree, q: Floats, qd: Floats, KE: Floats, PE: Floats, KE_rot: Floats, PE_rot: Floats
) -> None:
    """Compute energy regressors KE, PE (B, 10*NB), and KE_rot, PE_rot (B, 10*NB_rot) of rotors."""
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v = new_chain(q, nb, m), empty(q, nb + 1, 6)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            out = (KE[b], PE[b]) if i < n_links else (KE_rot[b], PE_rot[b])
            energies(tree, i, chain, v, out, 10 * (i % n_links))


Three = tuple[Floats, Floats, Floats]


@part
def energy_rates(
    i: int, n: int, chain: Chain, v: Floats, g: Floats, P: Floats, out: Three, c: int
) -> None:
    """Compute ten rows of all results (., nv) for body i, from row c on; g (2, 6) is of `rest`."""
    (KE_dq, KE_dqd, PE_dq), R, p, var, s = out, chain.R, chain.p, chain.var, chain.s
    vi, a = in_body(R[i], p[i], six(v[i])), in_body(R[i], p[i], six(g[1]))
    for j in range(n):
        store_rate(inertial(six(P[j]), vi), KE_dq, c, var[j])
        store_rate(inertial(six(s[j]), vi), KE_dqd, c, var[j])
        store_rate(inertial(six(s[j]), a), PE_dq, c, var[j])


@jit
def RegressorEnergy_derivatives(
    tree: Tree, q: Floats, qd: Floats, KE_dq: Floats, KE_dqd: Floats, PE_dq: Floats,
    KE_rot_dq: Floats, KE_rot_dqd: Floats, PE_rot_dq: Floats,
) -> None:  # fmt: skip
    """Compute the derivatives of the energy regressors.

    Each is (B, 10*NB, nv), or (B, 10*NB_rot, nv) for rotors.
    """
    nb, m, n_links = tree.parent.size, row_count(tree), links(tree)
    chain, v, g = new_chain(q, nb, m), empty(q, nb + 1, 6), empty(q, 2, 6)
    P, Q = empty(q, m, 6), empty(q, m, 6)
    rest(tree, g[:1], g)
    for b in range(q.shape[0]):
        body_velocities(tree, q[b], qd[b], chain, v)
        for i in range(nb):
            n = set_chain(tree, i, chain)
            velocity_rates(tree, i, n, chain, v, P, Q)
            out = KE_dq[b], KE_dqd[b], PE_dq[b]
            if i >= n_links:
                out = KE_rot_dq[b], KE_rot_dqd[b], PE_rot_dq[b]
            energy_rates(i, n, chain, v, g, P, out, 10 * (i % n_links))
