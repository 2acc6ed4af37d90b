"""Gradient of lambda . H qdd: that of lambda . ID at rest and without gravity."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.mod_idsva import mod_idsva
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["mod_idsva_rest"]


@jit
def mod_idsva_rest(tree: Tree, q: Floats, qdd: Floats, lam: Floats, grad: Floats) -> None:
    """The gradient along q, (B, nv)."""
    light = Tree(tree.parent, tree.joint, tree.par, tree.Xtree, tree.I, np.zeros(3))
    rest, dqd = empty(q, 1, qdd.shape[1]), empty(q, 1, qdd.shape[1])
    none = empty(q, 0, 0, 6)
    rest[:, :] = 0.0
    for b in range(q.shape[0]):
        at = slice(b, b + 1)
        mod_idsva(light, q[at], rest, qdd[at], lam[at], none, none, grad[at], dqd)
