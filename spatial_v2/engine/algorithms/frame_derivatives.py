"""The Jacobian J of a frame, and ``dJ_k/dq_l = ([l at or before k] - N) J_l x J_k``."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, six, store, store_column
from spatial_v2.engine.parts.frame_view import asked_for, part_of, see, store_second
from spatial_v2.engine.tree import Floats, Ints, View

__all__ = ["first_derivatives", "frame_derivatives", "store_first"]


@inline
def first_derivatives(view: View, n: int, last: Ints, J: Floats, dJ: Floats) -> None:
    """dJ[x, y] (6,) of the columns x along the variables y of a path; J has columns as rows."""
    for x in range(n):
        s = six(J[x])
        for y in range(n):
            store(crm(part_of(view, y < last[x], six(J[y])), s), dJ[x, y])


@inline
def store_first(
    view: View, n: int, index: Ints, p: Floats, J: Floats, dJ: Floats, out: Floats, dout: Floats
) -> None:
    """out[:, k] and dout[:, k, l] for columns and variables of a path, in the axes of the view."""
    for x in range(n):
        store_column(asked_for(view, p, six(J[x])), index[x], out)
        for y in range(n):
            store_second(asked_for(view, p, six(dJ[x, y])), index[x], index[y], dout)


@jit
def frame_derivatives(view: View, q: Floats, J: Floats, dJ: Floats) -> None:
    """J (B, 6, nv) and dJ (B, 6, nv, nv), zero before."""
    nb, nv = view.tree.parent.size, J.shape[2]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    index, first, last = (np.empty(nv, np.int64), np.empty(nv, np.int64), np.empty(nv, np.int64))
    rows, pairs = empty(q, nv, 6), empty(q, nv, nv, 6)
    for b in range(q.shape[0]):
        n = see(view, q[b], R, p, S, index, first, last, rows)
        first_derivatives(view, n, last, rows, pairs)
        store_first(view, n, index, p, rows, pairs, J[b], dJ[b])
