"""The regressor of ``H qdd + C qd_r + g``, with the Coriolis matrix of Christoffel symbols."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import (
    add_ten,
    centrifugal,
    chain,
    in_body,
    inertial,
    outward,
    put_ten,
    two_velocities,
)
from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.vectors import six

__all__ = ["force_rows", "regressor_sl"]


@part
def force_rows(
    tree: Tree, R: Floats, p: Floats, S: Floats, v: Floats, w: Floats, a: Floats,
    row: Ints, var: Ints, body: Ints, s: Floats, Y: Floats, Y_rot: Floats,
) -> None:  # fmt: skip
    """Y (nv, 10 links) and Y_rot (nv, 10 rotors) of one state; row, var, body, s are scratch."""
    nb = links(tree)
    for i in range(tree.parent.size):
        n = chain(tree, i, R, p, S, row, var, body, s)
        vi, wi = in_body(R[i], p[i], v[i]), in_body(R[i], p[i], w[i])
        m = two_velocities(in_body(R[i], p[i], a[i]), vi, wi)
        omega, half = (vi[0], vi[1], vi[2]), (0.5 * wi[0], 0.5 * wi[1], 0.5 * wi[2])
        for k in range(n):
            x = add_ten(inertial(six(s[k]), m), centrifugal(six(s[k]), omega, half))
            if i < nb:
                put_ten(x, Y[var[k]], 10 * i)
            else:
                put_ten(x, Y_rot[var[k]], 10 * (i - nb))


@jit
def regressor_sl(
    tree: Tree, q: Floats, qd: Floats, qd_r: Floats, qdd: Floats, Y: Floats, Y_rot: Floats
) -> None:
    """Y (B, nv, 10 links) and Y_rot (B, nv, 10 rotors)."""
    nb, m = tree.parent.size, rows(tree)
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, m, 6)
    v, w, a = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, nb + 1, 6)
    vJ, s = empty(q, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        outward(tree, qd[b], qd_r[b], qdd[b], S, vJ, v, w, a)
        force_rows(tree, R, p, S, v, w, a, row, var, body, s, Y[b], Y_rot[b])
