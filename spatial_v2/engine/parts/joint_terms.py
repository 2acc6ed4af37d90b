"""Armature, damping and dry friction of the joints.

A tree without these terms has empty arrays, and nothing is added.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.numbers.kinds import sign
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["add_diagonal", "add_drag", "add_product"]


@inline
def add_diagonal(x: Floats, H: Floats) -> None:
    """Add armature, or damping, x to the diagonal of H (nv, nv)."""
    for k in range(x.size):
        H[k, k] += x[k]


@inline
def add_product(x: Floats, y: Floats, tau: Floats) -> None:
    """Add armature, or damping, x times y (nv,) to tau."""
    for k in range(x.size):
        tau[k] += x[k] * y[k]


@inline
def add_drag(tree: Tree, scale: float, qd: Floats, tau: Floats) -> None:
    """Add damping and friction forces at velocities qd (nv,), multiplied by `scale`, to tau."""
    for k in range(tree.damping.size):
        tau[k] += scale * (tree.damping[k] * qd[k] + tree.friction[k] * sign(qd[k]))
