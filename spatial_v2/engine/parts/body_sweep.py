"""Quantities of the sweeps of inverse dynamics in body coordinates.

They are computed about each body's own origin along the ground's axes, and turned to the body's
axes at the end.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.vectors import (
    Six,
    add,
    combine,
    crm,
    cross,
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
from spatial_v2.engine.parts.inertia import turn_inertias
from spatial_v2.engine.parts.joint_terms import add_drag, add_springs
from spatial_v2.engine.parts.poses import about_body, motion_transform
from spatial_v2.engine.parts.sweep import Moving, own_force, rest, still
from spatial_v2.engine.tree import Floats, Tree


@inline
def turned_force(I: Floats, v: Six, a: Six) -> Six:
    """Return `own_force` of a body from its inertia, a result of `turn_inertia`."""
    w0, w1, w2, u0, u1, u2 = v
    a0, a1, a2, b0, b1, b2 = a
    m, h0, h1, h2, xy, xz, yz = I[0], I[1], I[2], I[3], I[7], I[8], I[9]
    c0, c1, c2 = cross(w0, w1, w2, u0, u1, u2)
    c0, c1, c2 = b0 + c0, b1 + c1, b2 + c2
    e0, e1, e2 = cross(w0, w1, w2, h0, h1, h2)
    e0, e1, e2 = cross(w0, w1, w2, e0, e1, e2)
    g0, g1, g2 = cross(a0, a1, a2, h0, h1, h2)
    k0, k1, k2 = cross(h0, h1, h2, c0, c1, c2)
    x, y, z = (
        I[4] * w0 + xy * w1 + xz * w2,
        xy * w0 + I[5] * w1 + yz * w2,
        xz * w0 + yz * w1 + I[6] * w2,
    )
    x, y, z = cross(w0, w1, w2, x, y, z)
    return (
        I[4] * a0 + xy * a1 + xz * a2 + k0 + x,
        xy * a0 + I[5] * a1 + yz * a2 + k1 + y,
        xz * a0 + yz * a1 + I[6] * a2 + k2 + z,
        m * c0 + g0 + e0,
        m * c1 + g1 + e1,
        m * c2 + g2 + e2,
    )


@inline
def motions(tree: Tree, qd: Floats, qdd: Floats, bodies: Moving) -> None:
    """Compute velocities v and accelerations a from those of the base, rows -1.

    R, d and S are results of `about_body`; an empty qdd stands for zero. The forces f are scratch
    space.
    """
    _, d, S, v, a, f = bodies
    for i in range(tree.parent.size):
        par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        store((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), f[i])
        combine(S, v0, v1, qd, f[i])
        vJ, vp = six(f[i]), shift_motion(d[i], six(v[par]))
        store(plus(vp, vJ), v[i])
        store(plus(shift_motion(d[i], six(a[par])), crm(vp, vJ)), a[i])
        if qdd.size:
            combine(S, v0, v1, qdd, a[i])


@inline
def sub_external(
    tree: Tree, f_ext: Floats, f_body: Floats, b: int, bodies: Moving, p: Floats
) -> None:
    """Subtract external forces in state b from the forces f; an empty f_ext or f_body stands for
    zero, and p (nb + 1, 3) is scratch space.
    """
    R, d, f = bodies.R, bodies.p, bodies.f
    for i in range(tree.parent.size if f_ext.size else 0):
        for c in range(3):
            p[i, c] = d[i, c] if tree.parent[i] < 0 else p[tree.parent[i], c] + d[i, c]
        sub_force(f_ext[b, i], (p[i, 0], p[i, 1], p[i, 2]), f[i])
    for i in range(tree.parent.size if f_body.size else 0):
        sub_body_force(f_body[b, i], R[i], d[-1], f[i])


@inline
def joint_forces(tree: Tree, q: Floats, qd: Floats, bodies: Moving, tau: Floats) -> None:
    """Sum the forces f (nb + 1, 6) over subtrees, in place; project them to joint forces tau, and
    add those of dampers and springs.
    """
    d, S, f = bodies.p, bodies.S, bodies.f
    f[-1, :] = 0.0
    for i in range(tree.parent.size - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            tau[k] = dot6(six(S[k]), six(f[i]))
        add(shift_force(d[i], six(f[i])), f[tree.parent[i]])
    add_drag(tree, 1.0, qd, tau)
    add_springs(tree, 1.0, q, tau)


@inline
def motion_and_forces(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, b: int,
    bodies: Moving, p: Floats, tau: Floats,
) -> None:  # fmt: skip
    """Compute `bodies` in state b, with forces summed over subtrees, and the joint forces tau.

    An empty qdd stands for zero; armature is not included.
    """
    R, v, a, f = bodies.R, bodies.v, bodies.a, bodies.f
    about_body(tree, q[b], R, bodies.p, bodies.S)
    rest(tree, v, a)
    motions(tree, qd[b], qdd, bodies)
    for i in range(tree.parent.size):
        store(own_force(tree.I[i], R[i], six(v[i]), six(a[i])), f[i])
    sub_external(tree, f_ext, f_body, b, bodies, p)
    joint_forces(tree, q[b], qd[b], bodies, tau)


@inline
def inertias_and_bias(
    tree: Tree, q: Floats, qd: Floats, f_ext: Floats, f_body: Floats, b: int, bodies: Moving,
    p: Floats, I: Floats, C: Floats,
) -> None:  # fmt: skip
    """Compute the inertias I (nb + 1, 10) of the bodies, see `turn_inertia`, and the bias force C
    in state b.

    The accelerations of `bodies` are those without joint accelerations and without gravity, which
    is added to them for the forces alone.
    """
    R, v, a, f, g = bodies.R, bodies.v, bodies.a, bodies.f, tree.gravity
    about_body(tree, q[b], R, bodies.p, bodies.S)
    turn_inertias(tree, R, I)
    still(v, a)
    motions(tree, qd[b], qd[b, :0], bodies)
    for i in range(tree.parent.size):
        a0, a1, a2, a3, a4, a5 = six(a[i])
        lifted = a0, a1, a2, a3 - g[0], a4 - g[1], a5 - g[2]
        store(turned_force(I[i], six(v[i]), lifted), f[i])
    sub_external(tree, f_ext, f_body, b, bodies, p)
    joint_forces(tree, q[b], qd[b], bodies, C)


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
