"""The regressors of the joint-space inertia matrix and of gravity."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import chain, inertial, put_ten
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.vectors import six, turn_back

__all__ = ["regressor_handg"]


@part
def body_blocks(
    tree: Tree, R: Floats, i: int, n: int, var: Ints, s: Floats, YH: Floats, Yg: Floats, c: int
) -> None:
    """The ten numbers from c on of YH (nv, nv, .) and Yg (nv, .) for body i."""
    g = tree.gravity
    g0, g1, g2 = turn_back(R[i], -g[0], -g[1], -g[2])
    for k in range(n):
        sk = six(s[k])
        put_ten(inertial(sk, (0.0 * g0, 0.0 * g0, 0.0 * g0, g0, g1, g2)), Yg[var[k]], c)
        for j in range(k + 1):
            x = inertial(sk, six(s[j]))
            put_ten(x, YH[var[k], var[j]], c)
            put_ten(x, YH[var[j], var[k]], c)


@jit
def regressor_handg(
    tree: Tree, q: Floats, YH: Floats, Yg: Floats, YH_rot: Floats, Yg_rot: Floats
) -> None:
    """YH (B, nv, nv, 10 links), Yg (B, nv, 10 links), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    S, s = empty(q, m, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            if i < n_links:
                body_blocks(tree, R, i, n, var, s, YH[b], Yg[b], 10 * i)
            else:
                body_blocks(tree, R, i, n, var, s, YH_rot[b], Yg_rot[b], 10 * (i - n_links))
