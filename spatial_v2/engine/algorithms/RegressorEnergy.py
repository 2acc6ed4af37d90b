"""The regressors of the kinetic and the potential energy."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import in_body, six, times, turn_back
from spatial_v2.engine.parts.body_rows import Chain, body_velocities, inertial, new_chain, store_ten
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["RegressorEnergy"]


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
