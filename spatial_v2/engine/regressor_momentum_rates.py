"""Derivatives of the regressor of the spatial momentum by q and qd."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import add_ten, chain, in_body, inertial
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.regressor_hqd_ctqd import body_velocities
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.variations import put_rate, velocity_rates
from spatial_v2.engine.vectors import crm, six

__all__ = ["regressor_momentum_rates"]


@part
def body_rates(
    i: int, n: int, R: Floats, p: Floats, v: Floats, var: Ints, s: Floats, P: Floats, e: Floats,
    dq: Floats, dqd: Floats, c: int,
) -> None:  # fmt: skip
    """The ten numbers from c on of dq and dqd (6, ., nv) for body i; e (9,) is scratch."""
    vi, r = in_body(R[i], p[i], v[i]), e[6:]
    for k in range(3):
        r[k] = p[i, k] - p[-1, k]
    for k in range(6):
        e[:6] = 0.0
        e[k] = 1.0
        x = in_body(R[i], r, e)
        for j in range(n):
            sj = six(s[j])
            y = add_ten(inertial(x, six(P[j])), inertial(crm(x, sj), vi))
            put_rate(y, dq[k], c, var[j])
            put_rate(inertial(x, sj), dqd[k], c, var[j])


@jit
def regressor_momentum_rates(
    tree: Tree, q: Floats, qd: Floats, dq: Floats, dqd: Floats, dq_rot: Floats, dqd_rot: Floats
) -> None:
    """Each (B, 6, 10 links, nv), about the ground's origin, and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, s, P, Q = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body, e = np.empty(m, dtype=np.int64), empty(q, 9)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        body_velocities(tree, qd[b], S, v)
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            velocity_rates(tree, i, n, R, p, S, v, row, body, P, Q)
            if i < n_links:
                body_rates(i, n, R, p, v, var, s, P, e, dq[b], dqd[b], 10 * i)
            else:
                c = 10 * (i - n_links)
                body_rates(i, n, R, p, v, var, s, P, e, dq_rot[b], dqd_rot[b], c)
