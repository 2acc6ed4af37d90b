"""The regressors of the kinetic and the potential energy."""

from __future__ import annotations

from spatial_v2.engine.body_rows import in_body, inertial, put_ten
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.regressor_hqd_ctqd import body_velocities
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import times, turn_back

__all__ = ["regressor_energy"]


@part
def energies(
    tree: Tree, i: int, R: Floats, p: Floats, v: Floats, KE: Floats, PE: Floats, c: int
) -> None:
    """The ten numbers from c on of KE and PE for body i."""
    vi, g = in_body(R[i], p[i], v[i]), tree.gravity
    put_ten(inertial(times(0.5, vi), vi), KE, c)
    PE[c] = 0.0
    for k in range(3):
        PE[c] -= g[k] * (p[i, k] - p[-1, k])
    PE[c + 1], PE[c + 2], PE[c + 3] = turn_back(R[i], -g[0], -g[1], -g[2])


@jit
def regressor_energy(
    tree: Tree, q: Floats, qd: Floats, KE: Floats, PE: Floats, KE_rot: Floats, PE_rot: Floats
) -> None:
    """Those of the energies, each (B, 10 links), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S = empty(q, m, 6)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        body_velocities(tree, qd[b], S, v)
        for i in range(nb):
            if i < n_links:
                energies(tree, i, R, p, v, KE[b], PE[b], 10 * i)
            else:
                energies(tree, i, R, p, v, KE_rot[b], PE_rot[b], 10 * (i - n_links))
