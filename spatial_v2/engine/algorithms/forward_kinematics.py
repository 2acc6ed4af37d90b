"""Poses of the bodies or of a frame, and their velocities in own coordinates."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import (
    Six,
    plus,
    shift_motion,
    six,
    store,
    turn,
    turn_six_back,
)
from spatial_v2.engine.parts.poses import has_axis, motion_transform, place_bodies
from spatial_v2.engine.tree import Floats, Tree, View
from spatial_v2.joints.table import REVOLUTE


@inline
def joint_velocity(tree: Tree, i: int, R: Floats, qd: Floats) -> Six:
    """Return the velocity of joint i about the body's origin, for the orientation R of the body."""
    kind, axis, k, n = tree.joint[i, 0], tree.joint[i, 1], tree.joint[i, 3], tree.joint[i, 4]
    if n == 0:
        zero = 0.0 * R[0, 0]
        return zero, zero, zero, zero, zero, zero
    if has_axis(kind):
        rate, pitch = tree.par[i, 0] * qd[k], tree.par[i, 1]
        x, y, z = rate * R[0, axis], rate * R[1, axis], rate * R[2, axis]
        if kind == REVOLUTE:
            return x, y, z, pitch * x, pitch * y, pitch * z
        return 0.0 * x, 0.0 * y, 0.0 * z, x, y, z
    a, b, c = turn(R, qd[k], qd[k + 1], qd[k + 2])
    if n == 3:
        return a, b, c, 0.0 * a, 0.0 * b, 0.0 * c
    x, y, z = turn(R, qd[k + 3], qd[k + 4], qd[k + 5])
    return a, b, c, x, y, z


@inline
def move_body(tree: Tree, i: int, qd: Floats, R: Floats, d: Floats, p: Floats, v: Floats) -> None:
    """Compute the origin p[i] of a body, and its velocity v[i] about it, from those of its
    parent.
    """
    par = tree.parent[i]
    for c in range(3):
        p[i, c] = p[par, c] + d[i, c]
    store(plus(shift_motion(d[i], six(v[par])), joint_velocity(tree, i, R[i], qd)), v[i])


@inline
def store_body(
    R: Floats, p: Floats, w: Floats, X0: Floats, Rb: Floats, pb: Floats, v: Floats
) -> None:
    """Store the pose X0, Rb, pb and the velocity v of one body, with v rotated to the body's
    axes; of these the arrays that are not empty.
    """
    if X0.size:
        for r in range(3):
            for c in range(3, 6):
                X0[r, c] = 0.0
        motion_transform(R, p, X0)
    if Rb.size:
        for r in range(3):
            for c in range(3):
                Rb[r, c] = R[r, c]
    if pb.size:
        pb[0], pb[1], pb[2] = p[0], p[1], p[2]
    if v.size:
        store(turn_six_back(R, six(w)), v)


@jit
def forward_kinematics(
    tree: Tree, q: Floats, qd: Floats, X0: Floats, R: Floats, p: Floats, v: Floats
) -> None:
    """Compute transforms X0 (B, nb, 6, 6) from base to body, orientations R, origins p and body
    velocities v: all entries of each.
    """
    nb = tree.parent.size
    Rg, d = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3)
    pg, w = empty(q, nb + 1, 3), empty(q, nb + 1, 6)
    pg[-1, :] = w[-1, :] = 0.0
    for b in range(q.shape[0]):
        place_bodies(tree, q[b], Rg, d)
        for i in range(nb):
            move_body(tree, i, qd[b], Rg, d, pg, w)
            store_body(Rg[i], pg[i], w[i], X0[b, i], R[b, i], p[b, i], v[b, i])


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
