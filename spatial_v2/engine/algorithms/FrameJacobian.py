"""The Jacobian of a frame, its rate, and the velocity and acceleration of the frame.

Column k of the rate is ``(v_k - N v) x J_k``: v_k is the velocity of the body that variable k
moves, v that of the frame, and N selects the part of v with which the axes of the view move.
"""

from spatial_v2.engine.compile.decorators import exact, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    Three,
    add,
    crm,
    plus,
    six,
    store,
    store_column,
    times,
    turn_six_back,
)
from spatial_v2.engine.parts.frame_view import (
    BODY,
    about_frame,
    asked_for,
    new_frame_path,
    part_of,
    path_velocities,
    see,
)
from spatial_v2.engine.tree import Floats, View


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


@jit
def frame_velocity(view: View, q: Floats, qd: Floats, v: Floats) -> None:
    """Compute the velocities v (B, 6) of a frame."""
    path = new_frame_path(view, q, qd.shape[1])
    for b in range(q.shape[0]):
        v[b, :] = 0.0
        for x in range(see(view, q[b], path)):
            add(times(qd[b, path.var[x]], six(path.J[x])), v[b])
        store(asked_for(view, path.p, six(v[b])), v[b])


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
