"""The velocity of a frame."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.vectors import add, six, store, times
from spatial_v2.engine.parts.frame_view import asked_for, new_frame_path, see
from spatial_v2.engine.tree import Floats, View

__all__ = ["frame_velocity"]


@jit
def frame_velocity(view: View, q: Floats, qd: Floats, v: Floats) -> None:
    """Compute the velocities v (B, 6) of a frame."""
    path = new_frame_path(view, q, qd.shape[1])
    for b in range(q.shape[0]):
        v[b, :] = 0.0
        for x in range(see(view, q[b], path)):
            add(times(qd[b, path.var[x]], six(path.J[x])), v[b])
        store(asked_for(view, path.p, six(v[b])), v[b])
