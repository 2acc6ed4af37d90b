"""Derivatives of the regressors of H qd and C^T qd by q and qd."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import add_ten, chain, in_body, inertial
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.regressor_hqd_ctqd import body_velocities
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.variations import put_rate, turned, velocity_rates
from spatial_v2.engine.vectors import crm, six, times

__all__ = ["regressor_hqd_ctqd_rates"]


@part
def body_rates(
    tree: Tree, i: int, n: int, R: Floats, p: Floats, S: Floats, v: Floats, row: Ints, var: Ints,
    bodies: Ints, s: Floats, P: Floats, Q: Floats, H_dq: Floats, H_dqd: Floats, C_dq: Floats,
    C_dqd: Floats, c: int,
) -> None:  # fmt: skip
    """The ten numbers from c on of all results (nv, ., nv) for body i; P, Q (n, 6) are scratch."""
    vi = in_body(R[i], p[i], v[i])
    velocity_rates(tree, i, n, R, p, S, v, row, bodies, P, Q)
    for k in range(n):
        sk, sdk, r = six(s[k]), six(Q[k]), var[k]
        for j in range(n):
            sj, Pj, at = six(s[j]), six(P[j]), var[j]
            below = j < k and bodies[j] != bodies[k]
            x = inertial(turned(bodies, k, j, s), vi)
            put_rate(add_ten(x, inertial(sk, Pj)), H_dq[r], c, at)
            put_rate(inertial(sk, sj), H_dqd[r], c, at)
            x = inertial(crm(sdk, sj) if below else crm(Pj, sk), vi)
            put_rate(add_ten(x, inertial(sdk, Pj)), C_dq[r], c, at)
            x = inertial(times(0.0 if below else 1.0, crm(sj, sk)), vi)
            put_rate(add_ten(x, inertial(sdk, sj)), C_dqd[r], c, at)


@jit
def regressor_hqd_ctqd_rates(
    tree: Tree, q: Floats, qd: Floats, H_dq: Floats, H_dqd: Floats, C_dq: Floats, C_dqd: Floats,
    H_rot_dq: Floats, H_rot_dqd: Floats, C_rot_dq: Floats, C_rot_dqd: Floats,
) -> None:  # fmt: skip
    """Each (B, nv, 10 links, nv), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, s, P, Q = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        body_velocities(tree, qd[b], S, v)
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            if i < n_links:
                body_rates(
                    tree, i, n, R, p, S, v, row, var, body, s, P, Q,
                    H_dq[b], H_dqd[b], C_dq[b], C_dqd[b], 10 * i,
                )  # fmt: skip
            else:
                body_rates(
                    tree, i, n, R, p, S, v, row, var, body, s, P, Q,
                    H_rot_dq[b], H_rot_dqd[b], C_rot_dq[b], C_rot_dqd[b], 10 * (i - n_links),
                )  # fmt: skip
