"""The Jacobian of a frame with first and second derivatives."""

from __future__ import annotations

from spatial_v2.engine.algorithms.frame_derivatives import first_derivatives, store_first
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, plus, six, store_second
from spatial_v2.engine.parts.frame_view import asked_for, new_frame_path, part_of, see
from spatial_v2.engine.tree import Floats, View

__all__ = ["frame_SO_derivatives"]


@jit
def frame_SO_derivatives(view: View, q: Floats, J: Floats, dJ: Floats, d2J: Floats) -> None:
    """Compute the Jacobian J (B, 6, nv) of a frame, its derivatives dJ (B, 6, nv, nv) and second
    derivatives d2J (B, 6, nv, nv, nv); all must be zero on entry.
    """
    nv = J.shape[2]
    path, pairs = new_frame_path(view, q, nv), empty(q, nv, nv, 6)
    for b in range(q.shape[0]):
        n = see(view, q[b], path)
        first_derivatives(view, n, path, pairs)
        store_first(view, n, path, pairs, J[b], dJ[b])
        rows, index = path.J, path.var
        for x in range(n):
            for y in range(n):
                below = y < path.last[x]
                s, a = six(rows[x]), part_of(view, below, six(rows[y]))
                for z in range(n):
                    da = part_of(view, below, six(pairs[y, z]))
                    t = plus(crm(da, s), crm(a, six(pairs[x, z])))
                    out = d2J[b, :, index[x]]
                    store_second(asked_for(view, path.p, t), index[y], index[z], out)
