"""Armature, damping, dry friction and springs of the joints.

A tree without these terms has empty arrays, and nothing is added.
"""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.kinds import sign
from spatial_v2.engine.tree import Floats, Tree


@inline
def add_diagonal(x: Floats, H: Floats) -> None:
    """Add armature, damping or stiffness x to the diagonal of H (nv, nv)."""
    for k in range(x.size):
        H[k, k] += x[k]


@inline
def add_product(x: Floats, y: Floats, tau: Floats) -> None:
    """Add armature, damping or stiffness x times y (nv,) to tau."""
    for k in range(x.size):
        tau[k] += x[k] * y[k]


@inline
def add_drag(tree: Tree, scale: float, qd: Floats, tau: Floats) -> None:
    """Add damping and friction forces at velocities qd (nv,), multiplied by `scale`, to tau."""
    for k in range(tree.damping.size):
        tau[k] += scale * (tree.damping[k] * qd[k] + tree.friction[k] * sign(qd[k]))


@inline
def add_springs(tree: Tree, scale: float, q: Floats, tau: Floats) -> None:
    """Add the forces that stretch the springs to q (nq,), multiplied by `scale`, to tau."""
    for i in range(tree.parent.size if tree.stiffness.size else 0):
        k = tree.joint[i, 3]
        if k < tree.stiffness.size and tree.stiffness[k] != 0.0:  # a rotor's k is beyond them
            stretch = q[tree.joint[i, 2]] - tree.rest[k]
            tau[k] += scale * tree.stiffness[k] * stretch


@inline
def add_spring_energy(tree: Tree, q: Floats, b: int, E: Floats) -> None:
    """Add the energy of the springs at q (nq,) to E[b]."""
    for i in range(tree.parent.size if tree.stiffness.size else 0):
        k = tree.joint[i, 3]
        if tree.stiffness[k] != 0.0:
            stretch = q[tree.joint[i, 2]] - tree.rest[k]
            E[b] += 0.5 * tree.stiffness[k] * stretch * stretch
