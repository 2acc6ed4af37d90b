"""Quantities of the sweeps of inverse dynamics in body coordinates.

They are computed about each body's own origin along the ground's axes, and turned to the body's
axes at the end.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import (
    add,
    combine,
    crm,
    dot6,
    plus,
    shift_force,
    shift_motion,
    six,
    store,
    turn_back,
    turn_six_back,
)
from spatial_v2.engine.parts.external import sub_body_force, sub_force
from spatial_v2.engine.parts.joint_terms import add_drag, add_springs
from spatial_v2.engine.parts.poses import about_body, motion_transform
from spatial_v2.engine.parts.sweep import Moving, own_force, rest
from spatial_v2.engine.tree import Floats, Tree


@inline
def motions(
    tree: Tree, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, b: int, bodies: Moving,
    p: Floats,
) -> None:  # fmt: skip
    """Compute velocities v, accelerations a, and the forces f that they require minus external
    forces, in state b.

    R, d and S are results of `about_body`; an empty qdd, f_ext or f_body stands for zero; p (nb +
    1, 3) is scratch space. f[i] first holds the joint velocity vJ.
    """
    R, d, S, v, a, f = bodies
    rest(tree, v, a)
    p[-1, :] = 0.0
    for i in range(tree.parent.size):
        par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        f[i, :] = 0.0
        combine(S, v0, v1, qd, f[i])
        vJ, vp = six(f[i]), shift_motion(d[i], six(v[par]))
        vi = plus(vp, vJ)
        store(vi, v[i])
        store(plus(shift_motion(d[i], six(a[par])), crm(vp, vJ)), a[i])
        if qdd.size:
            combine(S, v0, v1, qdd, a[i])
        store(own_force(tree.I[i], R[i], vi, six(a[i])), f[i])
        if f_ext.size:
            for c in range(3):
                p[i, c] = p[par, c] + d[i, c]
            sub_force(f_ext[b, i], (p[i, 0], p[i, 1], p[i, 2]), f[i])
        if f_body.size:
            sub_body_force(f_body[b, i], R[i], d[-1], f[i])


@inline
def subtree_forces(tree: Tree, d: Floats, S: Floats, f: Floats, tau: Floats) -> None:
    """Sum forces f (nb + 1, 6) over subtrees, in place; project them to joint forces tau."""
    f[-1, :] = 0.0
    for i in range(tree.parent.size - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            tau[k] = dot6(six(S[k]), six(f[i]))
        add(shift_force(d[i], six(f[i])), f[tree.parent[i]])


@inline
def motion_and_forces(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, b: int,
    bodies: Moving, p: Floats, tau: Floats,
) -> None:  # fmt: skip
    """Compute `bodies` in state b, with forces summed over subtrees, and the joint forces tau.

    An empty qdd stands for zero; armature is not included.
    """
    about_body(tree, q[b], bodies.R, bodies.p, bodies.S)
    motions(tree, qd[b], qdd, f_ext, f_body, b, bodies, p)
    subtree_forces(tree, bodies.p, bodies.S, bodies.f, tau)
    add_drag(tree, 1.0, qd[b], tau)
    add_springs(tree, 1.0, q[b], tau)


@inline
def store_bodies(
    tree: Tree, bodies: Moving, Q: Floats, x: Floats, Xup: Floats, v_out: Floats, a_out: Floats,
    f_out: Floats,
) -> None:  # fmt: skip
    """Store transforms Xup from the parents, zero on entry, and vectors along the bodies' axes.

    The vectors are the velocities v, accelerations a and forces f of `bodies`. Q (3, 3) and x (3,)
    are scratch space.
    """
    R, d, v, a, f = bodies.R, bodies.p, bodies.v, bodies.a, bodies.f
    for i in range(tree.parent.size):
        P = R[tree.parent[i]]
        x[0], x[1], x[2] = turn_back(P, d[i, 0], d[i, 1], d[i, 2])
        for c in range(3):
            Q[0, c], Q[1, c], Q[2, c] = turn_back(P, R[i, 0, c], R[i, 1, c], R[i, 2, c])
        motion_transform(Q, x, Xup[i])
        store(turn_six_back(R[i], six(v[i])), v_out[i])
        store(turn_six_back(R[i], six(a[i])), a_out[i])
        store(turn_six_back(R[i], six(f[i])), f_out[i])
