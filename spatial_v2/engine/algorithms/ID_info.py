"""Recursive Newton-Euler algorithm, with its intermediate results."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import six, store
from spatial_v2.engine.parts.body_sweep import motions, store_bodies, subtree_forces
from spatial_v2.engine.parts.inertia import apply_matrix
from spatial_v2.engine.parts.joint_terms import add_drag, add_product
from spatial_v2.engine.parts.poses import about_body
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["ID_info"]


@jit
def ID_info(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, tau: Floats,
    Xup: Floats, v: Floats, h: Floats, a: Floats, f: Floats, f0: Floats,
) -> None:  # fmt: skip
    """Compute the joint forces tau (B, nv) and the fields of `IDInfo`; all must be zero on entry.

    Arguments are q, qd, qdd and external forces f_ext, f_body; the fields are Xup, v, h, a, f, f0.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    bodies = new_moving(q, nb, nv)
    R, d, S, F = bodies.R, bodies.p, bodies.S, bodies.f
    p, Q, x, none = empty(q, nb + 1, 3), empty(q, 3, 3), empty(q, 3), empty(q, 0, 6)
    for b in range(q.shape[0]):
        about_body(tree, q[b], R, d, S)
        external = f_ext[b] if f_ext.size else none
        carried = f_body[b] if f_body.size else none
        motions(tree, qd[b], qdd[b], external, carried, bodies, p)
        subtree_forces(tree, d, S, F, tau[b])
        add_product(tree.armature, qdd[b], tau[b])
        add_drag(tree, 1.0, qd[b], tau[b])
        store_bodies(tree, bodies, Q, x, Xup[b], v[b], a[b], f[b])
        for i in range(nb):
            store(apply_matrix(tree.I[i], six(v[b, i])), h[b, i])
        store(six(F[-1]), f0[b])
