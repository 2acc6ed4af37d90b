"""Derivatives of the regressors of the energies by q and qd."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import chain, in_body, inertial
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.regressor_hqd_ctqd import body_velocities
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.sweep import rest
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.variations import put_rate, velocity_rates
from spatial_v2.engine.vectors import six

__all__ = ["regressor_energy_rates"]


@part
def body_rates(
    i: int, n: int, R: Floats, p: Floats, v: Floats, g: Floats, var: Ints, s: Floats, P: Floats,
    KE_dq: Floats, KE_dqd: Floats, PE_dq: Floats, c: int,
) -> None:  # fmt: skip
    """The ten rows from c on of all results (., nv) for body i; g (2, 6) as `rest` makes it."""
    vi, a = in_body(R[i], p[i], v[i]), in_body(R[i], p[i], g[1])
    for j in range(n):
        put_rate(inertial(six(P[j]), vi), KE_dq, c, var[j])
        put_rate(inertial(six(s[j]), vi), KE_dqd, c, var[j])
        put_rate(inertial(six(s[j]), a), PE_dq, c, var[j])


@jit
def regressor_energy_rates(
    tree: Tree, q: Floats, qd: Floats, KE_dq: Floats, KE_dqd: Floats, PE_dq: Floats,
    KE_rot_dq: Floats, KE_rot_dqd: Floats, PE_rot_dq: Floats,
) -> None:  # fmt: skip
    """Each (B, 10 links, nv), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, v, g = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6), empty(q, 2, 6)
    S, s, P, Q = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    rest(tree, g[:1], g)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        body_velocities(tree, qd[b], S, v)
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            velocity_rates(tree, i, n, R, p, S, v, row, body, P, Q)
            if i < n_links:
                body_rates(i, n, R, p, v, g, var, s, P, KE_dq[b], KE_dqd[b], PE_dq[b], 10 * i)
            else:
                body_rates(
                    i, n, R, p, v, g, var, s, P,
                    KE_rot_dq[b], KE_rot_dqd[b], PE_rot_dq[b], 10 * (i - n_links),
                )  # fmt: skip
