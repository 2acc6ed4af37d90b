"""Recursive Newton-Euler algorithm in the ground frame."""

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.vectors import Three, add_into, combine, crm, dot6, plus, six, store
from spatial_v2.engine.parts.external import sub_body_force, sub_force
from spatial_v2.engine.parts.joint_terms import add_drag, add_product, add_springs
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.sweep import Moving, body_force, new_moving, rest
from spatial_v2.engine.tree import Floats, Tree


@inline
def outward_forces(
    tree: Tree, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, b: int, o: Three,
    bodies: Moving,
) -> None:  # fmt: skip
    """Compute the forces f (nb + 1, 6) that the motion of the bodies in state b requires.

    R, p, S and o are results of `about_robot`; an empty qdd, f_ext or f_body stands for zero. f[i]
    first holds the joint velocity vJ.
    """
    R, p, S, v, a, f = bodies
    rest(tree, v, a)
    for i in range(tree.parent.size):
        v0, v1, vJ = tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4], f[i]
        vJ[:] = 0.0
        combine(S, v0, v1, qd[b], vJ)
        vp = six(v[tree.parent[i]])
        vi = plus(vp, six(vJ))
        store(vi, v[i])
        store(plus(six(a[tree.parent[i]]), crm(vp, six(vJ))), a[i])
        if qdd.size:
            combine(S, v0, v1, qdd[b], a[i])
        store(body_force(tree.I[i], R[i], p[i], vi, six(a[i])), f[i])
        if f_ext.size:
            sub_force(f_ext[b, i], o, f[i])
        if f_body.size:
            sub_body_force(f_body[b, i], R[i], p[i], f[i])


@inline
def inward_forces(tree: Tree, S: Floats, f: Floats, tau: Floats) -> None:
    """Compute joint forces tau (nv,) from body forces f, which are summed over subtrees."""
    for i in range(tree.parent.size - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            tau[k] = dot6(six(S[k]), six(f[i]))
        add_into(f[i], f[tree.parent[i]])


@jit
def ID(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, f_ext: Floats, f_body: Floats, tau: Floats
) -> None:
    """Compute the joint forces tau (B, nv) for the motions q, qd, qdd (B, n).

    The external forces f_ext are constant in the base, f_body in the bodies: each (B, nb, 6), or
    (0, 0, 6) for none.
    """
    nb, nv = tree.parent.size, qd.shape[1]
    bodies = new_moving(q, nb, nv)
    for b in range(q.shape[0]):
        o = about_robot(tree, q[b], bodies.R, bodies.p, bodies.S)
        outward_forces(tree, qd, qdd, f_ext, f_body, b, o, bodies)
        inward_forces(tree, bodies.S, bodies.f, tau[b])
        add_product(tree.armature, qdd[b], tau[b])
        add_drag(tree, 1.0, qd[b], tau[b])
        add_springs(tree, 1.0, q[b], tau[b])
