"""Articulated-body algorithm."""

from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.numbers.vectors import crf, crm, dot6, plus, shift_motion, six, store
from spatial_v2.engine.parts.articulate import (
    Articulated,
    Motion,
    articulate,
    new_articulated,
    new_motion,
    respond,
)
from spatial_v2.engine.parts.external import sub_body_force, sub_force
from spatial_v2.engine.parts.inertia import apply_inertia
from spatial_v2.engine.parts.joint_terms import add_drag, add_springs
from spatial_v2.engine.parts.rotors import row_count, turn_joint
from spatial_v2.engine.parts.sweep import rest
from spatial_v2.engine.tree import Floats, Tree


@part
def bias(
    tree: Tree, qd: Floats, f_ext: Floats, f_body: Floats, b: int, body: Articulated,
    motion: Motion,
) -> None:  # fmt: skip
    """Compute velocities v, velocity products c and bias forces pA of the bodies in state b.

    The couples of f_ext (B, links, 6) are about the ground's origin. f_body (B, links, 6) is along
    the axes R of each body, with couples about the body's origin. An empty array stands for no
    forces.
    """
    R, d, S, IC, IA = body.R, body.d, body.S, body.IC, body.IA
    v, c, pA, p = motion.v, motion.c, motion.pA, motion.p
    p[-1, :] = 0.0
    for i in range(tree.parent.size):
        par, vJ = tree.parent[i], c[i]
        vJ[:] = 0.0
        turn_joint(tree, i, S, qd, vJ)
        vp = shift_motion(d[i], six(v[par]))
        vi, ci = plus(vp, six(vJ)), crm(vp, six(vJ))
        store(vi, v[i])
        store(ci, c[i])
        store(crf(vi, apply_inertia(IC[i], vi)), pA[i])
        for r in range(6):
            pA[i, r] += dot6(six(IA[i, r]), ci)
        if i < f_ext.shape[1]:
            for r in range(3):
                p[i, r] = p[par, r] + d[i, r]
            sub_force(f_ext[b, i], (p[i, 0], p[i, 1], p[i, 2]), pA[i])
        if i < f_body.shape[1]:
            sub_body_force(f_body[b, i], R[i], d[-1], pA[i])


@inline
def accelerate(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, b: int,
    body: Articulated, motion: Motion, qdd: Floats,
) -> None:  # fmt: skip
    """Compute the joint accelerations qdd (nv,) of state b."""
    articulate(tree, q[b], body)
    bias(tree, qd[b], f_ext, f_body, b, body, motion)
    for k in range(qdd.size):
        motion.u[k] = tau[b, k]
    add_drag(tree, -1.0, qd[b], motion.u)
    add_springs(tree, -1.0, q[b], motion.u)
    respond(tree, body, motion, motion.u, qdd)


@jit
def FDab(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, qdd: Floats
) -> None:
    """Compute the joint accelerations qdd (B, nv) under the joint forces tau (B, nv)."""
    nb, nv, m = tree.parent.size, qd.shape[1], row_count(tree)
    body, motion = new_articulated(q, nb, m), new_motion(q, nb, nv)
    rest(tree, motion.v, motion.a)
    for b in range(q.shape[0]):
        accelerate(tree, q, qd, tau, f_ext, f_body, b, body, motion, qdd[b])
