"""The regressor of inverse dynamics."""

from __future__ import annotations

from spatial_v2.engine.algorithms.RegressorSL import RegressorSL
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["RegressorClassical"]


@jit
def RegressorClassical(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, Y: Floats, Y_rot: Floats
) -> None:
    """Compute the regressors Y (B, nv, 10*NB) of links and Y_rot (B, nv, 10*NB_rot) of rotors."""
    RegressorSL(tree, q, qd, qd, qdd, Y, Y_rot)
