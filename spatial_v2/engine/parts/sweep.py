"""Forward sweeps: motion of the bodies, and the forces that this motion requires."""

from typing import Annotated, NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import inline, within
from spatial_v2.engine.numbers.vectors import (
    Six,
    Three,
    add_into,
    crm,
    cross,
    plus,
    shift_force,
    shift_motion,
    six,
    store,
    turn,
    turn_back,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.body_coriolis import coriolis_matrix
from spatial_v2.engine.parts.inertia import place_inertia
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import turn_joint
from spatial_v2.engine.tree import Floats, Tree


class Moving(NamedTuple):
    """Motion of a tree, and the forces that it requires."""

    R: Annotated[Floats, "nb + 1, 3, 3"]  # results of `about_robot` or `about_body`
    p: Annotated[Floats, "nb + 1, 3"]
    S: Annotated[Floats, "nv, 6"]
    v: Annotated[Floats, "nb + 1, 6"]  # velocities of the bodies
    a: Annotated[Floats, "nb + 1, 6"]  # accelerations
    f: Annotated[Floats, "nb + 1, 6"]  # forces


new_moving = allocator(Moving, "q, nb, nv")


class Sweep(NamedTuple):
    """Motion of a tree and the forces that it requires, in the symbols of IDSVA, Algorithm 1."""

    R: Annotated[Floats, "nb + 1, 3, 3"]  # orientations of the bodies
    p: Annotated[Floats, "nb + 1, 3"]  # origins
    S: Annotated[Floats, "rows, 6"]  # motion subspaces
    psid: Annotated[Floats, "rows, 6"]
    psidd: Annotated[Floats, "rows, 6"]
    rate: Annotated[Floats, "rows, 6"]  # psid + Sd
    v: Annotated[Floats, "nb + 1, 6"]  # velocities
    a: Annotated[Floats, "nb + 1, 6"]  # accelerations
    IC: Annotated[Floats, "nb + 1, 10"]  # inertias of the bodies, or summed over subtrees
    BC: Annotated[Floats, "nb + 1, 12"]  # twice the body Coriolis matrices
    fC: Annotated[Floats, "nb + 1, 6"]  # forces


new_sweep = allocator(Sweep, "q, nb, rows")


@within
def inertial(tree: Tree) -> Tree:
    """Return the tree without gravity and springs: at rest no force acts but that of inertia."""
    none = np.zeros(0)
    return Tree(
        tree.parent, tree.joint, tree.par, tree.Xtree, tree.I, np.zeros(3),
        tree.armature, tree.damping, tree.friction, none, none,
    )  # fmt: skip


@inline
def rest(tree: Tree, v: Floats, a: Floats) -> None:
    """Set row -1 of v and a: the base is at rest, and accelerates against gravity."""
    g = tree.gravity
    store((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), v[-1])
    store((0.0, 0.0, 0.0, -g[0], -g[1], -g[2]), a[-1])


@inline
def still(v: Floats, a: Floats) -> None:
    """Set row -1 of velocities v and accelerations a to zero: the base is at rest, without gravity.

    In rows of constraints gravity would cancel, but small accelerations would lose digits.
    """
    for k in range(6):
        v[-1, k] = a[-1, k] = 0.0


@inline
def own_force(I: Floats, R: Floats, v: Six, a: Six) -> Six:
    """Return the force ``I a + v x* I v`` of a body about its origin, along the ground's axes."""
    w0, w1, w2, u0, u1, u2 = v
    a0, a1, a2, b0, b1, b2 = a
    # the classical acceleration of the body's origin is b + (w x u), where b is the linear part of
    # a, and w, u are those of v; it is what the force m (b + w x u) needs, in body coordinates
    x, y, z = cross(w0, w1, w2, u0, u1, u2)
    c0, c1, c2 = turn_back(R, b0 + x, b1 + y, b2 + z)
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
    return n0, n1, n2, f0, f1, f2


@inline
def body_force(I: Floats, R: Floats, p: Floats, v: Six, a: Six) -> Six:
    """Return the force ``I a + v x* I v`` in ground coordinates, computed about the origin p."""
    return shift_force(p, own_force(I, R, shift_motion(p, v), shift_motion(p, a)))


@inline
def advance(
    tree: Tree, i: int, vp: Six, ap: Six, qd: Floats, qdd: Floats, sweep: Sweep, vJ: Floats
) -> Six:
    """Compute velocity and acceleration of body i from those of the parent; return the velocity.

    vp and ap are the parent's velocity and acceleration. These are the first lines of IDSVA,
    Algorithm 1; vJ is scratch space.
    """
    S, v, a = sweep.S, sweep.v, sweep.a
    vJ[:] = 0.0
    turn_joint(tree, i, S, qd, vJ)
    vi = plus(vp, six(vJ))
    store(vi, v[i])
    store(plus(ap, crm(vp, six(vJ))), a[i])
    turn_joint(tree, i, S, qdd, a[i])
    for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
        s = six(S[k])
        ds = crm(vp, s)
        store(ds, sweep.psid[k])
        store(plus(crm(ap, s), crm(vp, ds)), sweep.psidd[k])
        store(plus(ds, crm(vi, s)), sweep.rate[k])
    return vi


@inline
def forward(tree: Tree, qd: Floats, qdd: Floats, about_bodies: bool, sweep: Sweep) -> None:
    """Compute IDSVA, Algorithm 1, lines 1-11, for each body without its subtree.

    R, p and S are results of `about_robot`, or, if `about_bodies`, of `about_body`. fC[i] first
    holds the joint velocity vJ.
    """
    R, p, v, a = sweep.R, sweep.p, sweep.v, sweep.a
    IC, BC, fC = sweep.IC, sweep.BC, sweep.fC
    rest(tree, v, a)
    for i in range(tree.parent.size):
        vp, ap, origin = six(v[tree.parent[i]]), six(a[tree.parent[i]]), p[i]
        if about_bodies:
            vp, ap, origin = shift_motion(p[i], vp), shift_motion(p[i], ap), p[-1]
        vi = advance(tree, i, vp, ap, qd, qdd, sweep, fC[i])
        place_inertia(tree.I[i], R[i], origin, IC[i])
        coriolis_matrix(IC[i], vi, BC[i])
        store(body_force(tree.I[i], R[i], origin, vi, six(a[i])), fC[i])


@inline
def forward_pass(tree: Tree, q: Floats, qd: Floats, qdd: Floats, sweep: Sweep) -> Three:
    """Compute all fields of `sweep` about the origin of the last body, and return that point."""
    o = about_robot(tree, q, sweep.R, sweep.p, sweep.S)
    forward(tree, qd, qdd, False, sweep)
    return o


@inline
def add_to_parent(tree: Tree, i: int, sweep: Sweep) -> None:
    """Add IC, BC and fC of body i to those of its parent, as sums over subtrees need."""
    par = tree.parent[i]
    add_into(sweep.IC[i], sweep.IC[par])
    add_into(sweep.BC[i], sweep.BC[par])
    add_into(sweep.fC[i], sweep.fC[par])
