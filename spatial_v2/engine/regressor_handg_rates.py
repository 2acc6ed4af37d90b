"""Derivatives of the regressors of the joint-space inertia matrix and of gravity by q."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import add_ten, chain, in_body, inertial
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.sweep import rest
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.variations import put_rate, turned
from spatial_v2.engine.vectors import crm, six

__all__ = ["regressor_handg_rates"]


@part
def body_rates(
    i: int, n: int, R: Floats, p: Floats, g: Floats, var: Ints, bodies: Ints, s: Floats,
    dYH: Floats, dYg: Floats, c: int,
) -> None:  # fmt: skip
    """The ten numbers from c on of dYH (nv, nv, ., nv) and dYg (nv, ., nv) for body i."""
    a = in_body(R[i], p[i], g[1])
    for j in range(n):
        moved = crm(a, six(s[j]))
        for k in range(n):
            x = turned(bodies, k, j, s)
            y = add_ten(inertial(x, a), inertial(six(s[k]), moved))
            put_rate(y, dYg[var[k]], c, var[j])
            for t in range(k + 1):
                y = inertial(six(s[k]), turned(bodies, t, j, s))
                y = add_ten(y, inertial(x, six(s[t])))
                put_rate(y, dYH[var[k], var[t]], c, var[j])
                put_rate(y, dYH[var[t], var[k]], c, var[j])


@jit
def regressor_handg_rates(
    tree: Tree, q: Floats, dYH: Floats, dYg: Floats, dYH_rot: Floats, dYg_rot: Floats
) -> None:
    """dYH (B, nv, nv, 10 links, nv) and dYg (B, nv, 10 links, nv), and the same of rotors."""
    nb, m, n_links = tree.parent.size, rows(tree), links(tree)
    R, p, g = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, 2, 6)
    S, s = empty(q, m, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    rest(tree, g[:1], g)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        for i in range(nb):
            n = chain(tree, i, R, p, S, row, var, body, s)
            if i < n_links:
                body_rates(i, n, R, p, g, var, body, s, dYH[b], dYg[b], 10 * i)
            else:
                c = 10 * (i - n_links)
                body_rates(i, n, R, p, g, var, body, s, dYH_rot[b], dYg_rot[b], c)
