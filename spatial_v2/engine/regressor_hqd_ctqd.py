"""The regressors of the generalised momentum H qd and of C^T qd."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import chain, in_body, inertial, put_ten
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows, turn_joint
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.vectors import crm, put, six

__all__ = ["body_velocities", "regressor_hqd_ctqd"]


@part
def body_velocities(tree: Tree, qd: Floats, S: Floats, v: Floats) -> None:
    """Velocities v (nb + 1, 6) of links and rotors."""
    v[-1, :] = 0.0
    for i in range(tree.parent.size):
        put(six(v[tree.parent[i]]), v[i])
        turn_joint(tree, i, S, qd, v[i])


@part
def momentum_rows(
    tree: Tree, i: int, n: int, R: Floats, p: Floats, Sd: Floats, v: Floats, row: Ints, var: Ints,
    s: Floats, H: Floats, C: Floats, c: int,
) -> None:  # fmt: skip
    """The ten numbers from c on of H and C (nv, .) for body i."""
    vi = in_body(R[i], p[i], v[i])
    for k in range(n):
        put_ten(inertial(six(s[k]), vi), H[var[k]], c)
        put_ten(inertial(in_body(R[i], p[i], Sd[row[k]]), vi), C[var[k]], c)


@jit
def regressor_hqd_ctqd(
    tree: Tree, q: Floats, qd: Floats, H: Floats, C: Floats, H_rot: Floats, C_rot: Floats
) -> None:
    """Those of H qd and C^T qd, each (B, nv, 10 links), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, v = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    S, Sd, s = empty(q, m, 6), empty(q, m, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        body_velocities(tree, qd[b], S, v)
        for i in range(nb):
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                put(crm(six(v[i]), six(S[k])), Sd[k])
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            if i < n_links:
                momentum_rows(tree, i, n, R, p, Sd, v, row, var, s, H[b], C[b], 10 * i)
            else:
                c = 10 * (i - n_links)
                momentum_rows(tree, i, n, R, p, Sd, v, row, var, s, H_rot[b], C_rot[b], c)
