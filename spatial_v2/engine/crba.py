"""Composite-rigid-body algorithm, in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.handc import mass_matrix
from spatial_v2.engine.poses import near
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["crba"]


@jit
def crba(tree: Tree, q: Floats, H: Floats) -> None:
    """H (B, nv, nv), zero before."""
    nb, nv = tree.parent.size, H.shape[1]
    R, p, S = np.empty((nb + 1, 3, 3)), np.empty((nb + 1, 3)), np.empty((nv, 6))
    IC = np.empty((nb + 1, 10))
    for b in range(q.shape[0]):
        near(tree, q[b], R, p, S)
        mass_matrix(tree, R, p, S, IC, H[b])
