"""The Jacobian of a frame."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.vectors import six, store_column
from spatial_v2.engine.parts.frame_view import asked_for, new_frame_path, see
from spatial_v2.engine.tree import Floats, View

__all__ = ["FrameJacobian"]


@jit
def FrameJacobian(view: View, q: Floats, J: Floats) -> None:
    """Compute the Jacobians J (B, 6, nv) of a frame; J must be zero on entry."""
    path = new_frame_path(view, q, J.shape[2])
    for b in range(q.shape[0]):
        n = see(view, q[b], path)
        for x in range(n):
            store_column(asked_for(view, path.p, six(path.J[x])), path.var[x], J[b])
