"""The Jacobian of a frame."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import six, store_column, turn_six_back
from spatial_v2.engine.parts.frame_view import BODY, about_frame, asked_for
from spatial_v2.engine.tree import Floats, View

__all__ = ["FrameJacobian"]


@jit
def FrameJacobian(view: View, q: Floats, J: Floats) -> None:
    """Compute the Jacobians J (B, 6, nv) of a frame; J must be zero on entry."""
    tree, nb = view.tree, view.tree.parent.size
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, J.shape[2], 6)
    for b in range(q.shape[0]):
        about_frame(tree, q[b], R, p, S)
        for i in range(nb):
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                s = six(S[k])
                x = turn_six_back(R[nb - 1], s) if view.axes == BODY else asked_for(view, p, s)
                store_column(x, k, J[b])
