"""Articulated-body algorithm."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import crf, crm, dot6, plus, shift_motion, six, store
from spatial_v2.engine.parts.articulate import (
    Articulated,
    Motion,
    articulate,
    new_articulated,
    new_motion,
    respond,
)
from spatial_v2.engine.parts.inertia import apply_inertia
from spatial_v2.engine.parts.joint_terms import add_drag
from spatial_v2.engine.parts.rotors import row_count, turn_joint
from spatial_v2.engine.parts.sweep import rest, sub_body_force, sub_force
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["FDab", "bias"]


@part
def bias(
    tree: Tree, qd: Floats, f_ext: Floats, f_body: Floats, body: Articulated, motion: Motion
) -> None:
    """Compute the velocities v, the velocity products c and the bias forces pA of the bodies.

    The couples of f_ext (links, 6) are about the ground's origin. f_body (links, 6) is along the
    axes R of each body, with couples about the body's origin. An empty array stands for no forces.
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
        if i < f_ext.shape[0]:
            for r in range(3):
                p[i, r] = p[par, r] + d[i, r]
            sub_force(f_ext[i], (p[i, 0], p[i, 1], p[i, 2]), pA[i])
        if i < f_body.shape[0]:
            sub_body_force(f_body[i], R[i], d[-1], pA[i])


@jit
def FDab(
    tree: Tree, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats, qdd: Floats
) -> None:
    """Compute the joint accelerations qdd (B, nv) under the joint forces tau (B, nv)."""
    nb, nv, m = tree.parent.size, qd.shape[1], row_count(tree)
    body, motion, none = new_articulated(q, nb, m), new_motion(q, nb, nv), empty(q, 0, 6)
    rest(tree, motion.v, motion.a)
    for b in range(q.shape[0]):
        articulate(tree, q[b], body)
        external = f_ext[b] if f_ext.size else none
        carried = f_body[b] if f_body.size else none
        bias(tree, qd[b], external, carried, body, motion)
        for k in range(nv):
            motion.u[k] = tau[b, k]
        add_drag(tree, -1.0, qd[b], motion.u)
        respond(tree, body, motion, motion.u, qdd[b])
