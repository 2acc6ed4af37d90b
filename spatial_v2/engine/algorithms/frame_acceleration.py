"""The spatial or the classical acceleration of a frame."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import exact, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import Three, add, crm, plus, six, store, times
from spatial_v2.engine.parts.frame_view import asked_for, new_frame_path, path_velocities, see
from spatial_v2.engine.tree import Floats, View

__all__ = ["frame_acceleration"]


@exact
def turning(w0: float, w1: float, w2: float, v0: float, v1: float, v2: float) -> Three:
    """Return the product of angular and linear velocity, rounded alike in every call."""
    return w1 * v2 - w2 * v1, w2 * v0 - w0 * v2, w0 * v1 - w1 * v0


@jit
def frame_acceleration(view: View, q: Floats, qd: Floats, qdd: Floats, a: Floats) -> None:
    """Compute the accelerations a (B, 6) of a frame; a must be zero on entry."""
    nv = qd.shape[1]
    path, v = new_frame_path(view, q, nv), empty(q, nv + 1, 6)
    for b in range(q.shape[0]):
        n = see(view, q[b], path)
        path_velocities(n, qd[b], path, v)
        a[b, :] = 0.0
        for x in range(n):
            k, s = path.var[x], six(path.J[x])
            add(plus(times(qdd[b, k], s), times(qd[b, k], crm(six(v[x]), s))), a[b])
        store(asked_for(view, path.p, six(a[b])), a[b])
        if view.classical:
            w0, w1, w2, v0, v1, v2 = asked_for(view, path.p, six(v[-1]))
            c0, c1, c2 = turning(w0, w1, w2, v0, v1, v2)
            a[b, 3] += c0
            a[b, 4] += c1
            a[b, 5] += c2
