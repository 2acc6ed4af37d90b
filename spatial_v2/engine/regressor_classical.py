"""The regressor of inverse dynamics."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.body_rows import outward
from spatial_v2.engine.compile import jit
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.regressor_sl import force_rows
from spatial_v2.engine.rotors import rows
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["regressor_classical"]


@jit
def regressor_classical(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, Y: Floats, Y_rot: Floats
) -> None:
    """Y (B, nv, 10 links) and Y_rot (B, nv, 10 rotors)."""
    nb, m = tree.parent.size, rows(tree)
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, m, 6)
    v, a, vJ, s = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6), empty(q, m, 6)
    row, var = np.empty(m, dtype=np.int64), np.empty(m, dtype=np.int64)
    body = np.empty(m, dtype=np.int64)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        outward(tree, qd[b], qd[b], qdd[b], S, vJ, v, v, a)
        force_rows(tree, R, p, S, v, v, a, row, var, body, s, Y[b], Y_rot[b])
