"""The Jacobian of a frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import six, store_column
from spatial_v2.engine.parts.frame_view import asked_for, see
from spatial_v2.engine.tree import Floats, View

__all__ = ["FrameJacobian"]


@jit
def FrameJacobian(view: View, q: Floats, J: Floats) -> None:
    """J (B, 6, nv), zero before."""
    nb, nv = view.tree.parent.size, J.shape[2]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    index, first, last = (np.empty(nv, np.int64), np.empty(nv, np.int64), np.empty(nv, np.int64))
    rows = empty(q, nv, 6)
    for b in range(q.shape[0]):
        n = see(view, q[b], R, p, S, index, first, last, rows)
        for x in range(n):
            store_column(asked_for(view, p, six(rows[x])), index[x], J[b])
