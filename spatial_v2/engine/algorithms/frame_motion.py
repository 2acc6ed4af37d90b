"""The pose and the velocity of a frame."""

from __future__ import annotations

from spatial_v2.engine.algorithms.forward_kinematics import move_body, store_body
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.poses import place_bodies
from spatial_v2.engine.tree import Floats, View

__all__ = ["frame_motion"]


@jit
def frame_motion(
    view: View, q: Floats, qd: Floats, X0: Floats, R: Floats, p: Floats, v: Floats
) -> None:
    """Compute transforms X0 (B, 6, 6) from the base to a frame, its orientations R, origins p, and
    velocities v in its own axes: all entries of each.
    """
    nb = view.tree.parent.size
    Rg, d = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    pg, w = empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    pg[-1, :] = w[-1, :] = 0.0
    for b in range(q.shape[0]):
        place_bodies(view.tree, q[b], Rg, d)
        for i in range(nb):
            move_body(view.tree, i, qd[b], Rg, d, pg, w)
        store_body(Rg[nb - 1], pg[nb - 1], w[nb - 1], X0[b], R[b], p[b], v[b])
