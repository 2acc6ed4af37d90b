"""Forward sweeps: what moves, and the forces that it takes, from the base outward."""

from __future__ import annotations

from spatial_v2.engine.body_coriolis import coriolis_matrix
from spatial_v2.engine.compile import inline
from spatial_v2.engine.inertia import ground_inertia
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import turn_joint
from spatial_v2.engine.tree import Floats, Tree
from spatial_v2.engine.vectors import (
    Six,
    Three,
    add,
    combine,
    crm,
    cross,
    plus,
    put,
    shift_motion,
    six,
    turn,
    turn_back,
)

__all__ = [
    "advance",
    "body_force",
    "forward",
    "rest",
    "sub_body_force",
    "sub_force",
    "velocities",
]


@inline
def rest(tree: Tree, v: Floats, a: Floats) -> None:
    """Row -1 of v and a: the base is at rest and accelerates against gravity."""
    g = tree.gravity
    put((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), v[-1])
    put((0.0, 0.0, 0.0, -g[0], -g[1], -g[2]), a[-1])


@inline
def body_force(I: Floats, R: Floats, p: Floats, v: Six, a: Six) -> Six:
    """I a + v x* I v in ground coordinates, computed about the body's origin."""
    p0, p1, p2 = p[0], p[1], p[2]
    w0, w1, w2, u0, u1, u2 = v
    a0, a1, a2, b0, b1, b2 = a
    # acceleration of the body's origin, b + a x p + w x (u + w x p); then everything in body axes
    x, y, z = cross(w0, w1, w2, p0, p1, p2)
    x, y, z = cross(w0, w1, w2, u0 + x, u1 + y, u2 + z)
    c0, c1, c2 = cross(a0, a1, a2, p0, p1, p2)
    c0, c1, c2 = turn_back(R, b0 + c0 + x, b1 + c1 + y, b2 + c2 + z)
    w0, w1, w2 = turn_back(R, w0, w1, w2)
    a0, a1, a2 = turn_back(R, a0, a1, a2)
    m, h0, h1, h2 = I[5, 5], I[2, 4], I[0, 5], I[1, 3]
    e0, e1, e2 = cross(w0, w1, w2, h0, h1, h2)
    e0, e1, e2 = cross(w0, w1, w2, e0, e1, e2)
    g0, g1, g2 = cross(a0, a1, a2, h0, h1, h2)
    f0, f1, f2 = turn(R, m * c0 + g0 + e0, m * c1 + g1 + e1, m * c2 + g2 + e2)
    x, y, z = turn(I, w0, w1, w2)
    x, y, z = cross(w0, w1, w2, x, y, z)
    a0, a1, a2 = turn(I, a0, a1, a2)
    k0, k1, k2 = cross(h0, h1, h2, c0, c1, c2)
    n0, n1, n2 = turn(R, a0 + k0 + x, a1 + k1 + y, a2 + k2 + z)
    k0, k1, k2 = cross(p0, p1, p2, f0, f1, f2)
    return n0 + k0, n1 + k1, n2 + k2, f0, f1, f2


@inline
def sub_force(f_ext: Floats, o: Three, f: Floats) -> None:
    """f -= f_ext, the couple of f_ext about the ground's origin, that of f about o."""
    n0, n1, n2 = cross(o[0], o[1], o[2], f_ext[3], f_ext[4], f_ext[5])
    add((n0 - f_ext[0], n1 - f_ext[1], n2 - f_ext[2], -f_ext[3], -f_ext[4], -f_ext[5]), f)


@inline
def sub_body_force(f_body: Floats, R: Floats, p: Floats, f: Floats) -> None:
    """f -= f_body, which is along the axes R of the body and about its origin p."""
    n0, n1, n2 = turn(R, f_body[0], f_body[1], f_body[2])
    f0, f1, f2 = turn(R, f_body[3], f_body[4], f_body[5])
    k0, k1, k2 = cross(p[0], p[1], p[2], f0, f1, f2)
    add((-n0 - k0, -n1 - k1, -n2 - k2, -f0, -f1, -f2), f)


@inline
def velocities(
    tree: Tree, q: Floats, qd: Floats, R: Floats, p: Floats, S: Floats, Sd: Floats, v: Floats
) -> None:
    """`near`, and the rates Sd = v x S and body velocities v of one state."""
    near(tree, q, R, p, S)
    v[-1, :] = 0.0
    for i in range(tree.parent.size):
        v0, v1 = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        put(six(v[tree.parent[i]]), v[i])
        combine(S, v0, v1, qd, v[i])
        mover = tree.parent[i] if v1 == v0 + 1 else i
        for k in range(v0, v1):
            put(crm(six(v[mover]), six(S[k])), Sd[k])


@inline
def advance(
    tree: Tree, i: int, vp: Six, ap: Six, qd: Floats, qdd: Floats, S: Floats,
    psid: Floats, psidd: Floats, rate: Floats, v: Floats, a: Floats, vJ: Floats,
) -> Six:  # fmt: skip
    """Velocity and acceleration of body i, whose parent has vp and ap; returns the velocity.

    So Algorithm 1 begins; rate = psid + Sd, and vJ is scratch space.
    """
    vJ[:] = 0.0
    turn_joint(tree, i, S, qd, vJ)
    vi = plus(vp, six(vJ))
    put(vi, v[i])
    put(plus(ap, crm(vp, six(vJ))), a[i])
    turn_joint(tree, i, S, qdd, a[i])
    for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
        s = six(S[k])
        ds = crm(vp, s)
        put(ds, psid[k])
        put(plus(crm(ap, s), crm(vp, ds)), psidd[k])
        put(plus(ds, crm(vi, s)), rate[k])
    return vi


@inline
def forward(
    tree: Tree, qd: Floats, qdd: Floats, R: Floats, p: Floats, local: bool, S: Floats,
    psid: Floats, psidd: Floats, rate: Floats, v: Floats, a: Floats,
    IC: Floats, BC: Floats, fC: Floats,
) -> None:  # fmt: skip
    """Algorithm 1, lines 1-11, for all bodies on their own; rate = psid + Sd.

    BC is twice the body Coriolis matrix. R, p and S are those of `near`, or, if `local`, those of
    `local`. fC[i] is vJ before it is the force.
    """
    rest(tree, v, a)
    for i in range(tree.parent.size):
        vp, ap, at = six(v[tree.parent[i]]), six(a[tree.parent[i]]), p[i]
        if local:
            vp, ap, at = shift_motion(p[i], vp), shift_motion(p[i], ap), p[-1]
        vi = advance(tree, i, vp, ap, qd, qdd, S, psid, psidd, rate, v, a, fC[i])
        ground_inertia(tree.I[i], R[i], at, IC[i])
        coriolis_matrix(IC[i], vi, BC[i])
        put(body_force(tree.I[i], R[i], at, vi, six(a[i])), fC[i])
