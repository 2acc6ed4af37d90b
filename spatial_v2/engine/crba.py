"""Composite-rigid-body algorithm, in the ground frame."""

from __future__ import annotations

from spatial_v2.engine.compile import jit
from spatial_v2.engine.handc import mass_matrix
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["crba"]


@jit
def crba(tree: Tree, q: Floats, H: Floats) -> None:
    """H (B, nv, nv), zero before."""
    nb, nv = tree.parent.size, H.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    IC = empty(q, nb + 1, 10)
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        mass_matrix(tree, R, p, S, IC, H[b])
