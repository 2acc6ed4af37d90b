"""Time derivative of the Jacobian of a frame.

Its column k is ``(v_k - N v) x J_k``: v_k is the velocity of the body that variable k moves, v that
of the frame, and N selects the part of v with which the axes of the view move.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crm, plus, six, store_column
from spatial_v2.engine.parts.frame_view import (
    asked_for,
    new_frame_path,
    part_of,
    path_velocities,
    see,
)
from spatial_v2.engine.tree import Floats, View

__all__ = ["FrameJacobianTimeDerivative"]


@jit
def FrameJacobianTimeDerivative(view: View, q: Floats, qd: Floats, Jd: Floats) -> None:
    """Compute the rates Jd (B, 6, nv) of the Jacobians of a frame; Jd must be zero on entry."""
    nv = qd.shape[1]
    path, v = new_frame_path(view, q, nv), empty(q, nv + 1, 6)
    for b in range(q.shape[0]):
        n = see(view, q[b], path)
        path_velocities(n, qd[b], path, v)
        turned = part_of(view, False, six(v[-1]))
        for x in range(n):
            rate = crm(plus(six(v[x]), turned), six(path.J[x]))
            store_column(asked_for(view, path.p, rate), path.var[x], Jd[b])
