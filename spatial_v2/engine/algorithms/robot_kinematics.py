"""Poses, motion subspaces and velocities about a point of the robot, and in the ground frame."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import shift_motion, six, store, store_column
from spatial_v2.engine.parts.poses import motion_transform
from spatial_v2.engine.parts.velocities import Velocities, new_velocities, velocities
from spatial_v2.engine.tree import Floats, Tree


@inline
def store_motion(bodies: Velocities, S: Floats, Sd: Floats, X0: Floats, v: Floats) -> None:
    """Store motion subspaces and their rates as columns of S and Sd (6, nv), and transforms X0 and
    velocities v of the bodies; X0 must be zero on entry.
    """
    for k in range(bodies.S.shape[0]):
        store_column(six(bodies.S[k]), k, S)
        store_column(six(bodies.Sd[k]), k, Sd)
    for i in range(v.shape[0]):
        motion_transform(bodies.R[i], bodies.p[i], X0[i])
        store(six(bodies.v[i]), v[i])


@jit
def robot_kinematics(
    tree: Tree, q: Floats, qd: Floats, S: Floats, Sd: Floats, X0: Floats, v: Floats, o: Floats
) -> None:
    """Compute the fields S, Sd, X0 and v of `RobotKinematics` about points o (B, 3).

    The points, on the robot, are results as well. X0 must be zero on entry.
    """
    bodies = new_velocities(q, tree.parent.size, qd.shape[1])
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], bodies)
        store_motion(bodies, S[b], Sd[b], X0[b], v[b])
        for c in range(3):
            o[b, c] = -bodies.p[-1, c]


@jit
def ground_kinematics(
    tree: Tree, q: Floats, qd: Floats, S: Floats, Sd: Floats, X0: Floats, v: Floats
) -> None:
    """Compute motion subspaces S and their rates Sd (B, 6, nv), transforms X0 (B, nb, 6, 6) from
    base to body, and velocities v (B, nb, 6).

    They are computed about a point of the robot and shifted to the ground's origin at the end. X0
    must be zero on entry.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    bodies, base = new_velocities(q, nb, nv), empty(q, 3)
    _, p, rows, rates, w = bodies
    for b in range(q.shape[0]):
        velocities(tree, q[b], qd[b], bodies)
        for c in range(3):
            base[c] = p[-1, c]
        for k in range(nv):
            store(shift_motion(base, six(rows[k])), rows[k])
            store(shift_motion(base, six(rates[k])), rates[k])
        for i in range(nb):
            store(shift_motion(base, six(w[i])), w[i])
            for c in range(3):
                p[i, c] -= base[c]
        store_motion(bodies, S[b], Sd[b], X0[b], v[b])
