"""Recursive Newton-Euler algorithm, with its intermediate results."""

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import six, store
from spatial_v2.engine.parts.body_sweep import motion_and_forces, store_bodies
from spatial_v2.engine.parts.inertia import apply_matrix
from spatial_v2.engine.parts.joint_terms import add_product
from spatial_v2.engine.parts.sweep import new_moving
from spatial_v2.engine.tree import Floats, Tree


class Info(NamedTuple):
    """The fields of `IDInfo` for B states."""

    Xup: Floats
    v: Floats
    h: Floats
    a: Floats
    f: Floats
    f0: Floats


@jit
def ID_info(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, tau: Floats,
    info: Info,
) -> None:  # fmt: skip
    """Compute the joint forces tau (B, nv) and the fields of `IDInfo`; all must be zero on entry.

    f_ext and f_body are external forces.
    """
    Xup, v, h, a, f, f0 = info
    nb, nv = tree.parent.size, qd.shape[1]
    bodies = new_moving(q, nb, nv)
    p, Q, x = empty(q, nb + 1, 3), empty(q, 3, 3), empty(q, 3)
    for b in range(q.shape[0]):
        motion_and_forces(tree, q, qd, qdd[b], f_ext, f_body, b, bodies, p, tau[b])
        add_product(tree.armature, qdd[b], tau[b])
        store_bodies(tree, bodies, Q, x, Xup[b], v[b], a[b], f[b])
        for i in range(nb):
            store(apply_matrix(tree.I[i], six(v[b, i])), h[b, i])
        store(six(bodies.f[-1]), f0[b])
