"""The regressor of inverse dynamics."""

from __future__ import annotations

from spatial_v2.engine.algorithms.RegressorSL import force_rows
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.body_rows import new_chain, outward_motion
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import row_count
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["RegressorClassical"]


@jit
def RegressorClassical(
    tree: Tree, q: Floats, qd: Floats, qdd: Floats, Y: Floats, Y_rot: Floats
) -> None:
    """Compute the regressors Y (B, nv, 10*NB) of links and Y_rot (B, nv, 10*NB_rot) of rotors."""
    nb, m = tree.parent.size, row_count(tree)
    chain = new_chain(q, nb, m)
    R, p, S = chain.R, chain.p, chain.S
    v, a, vJ = empty(q, nb + 1, 6), empty(q, nb + 1, 6), empty(q, 6)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], R, p, S)
        outward_motion(tree, qd[b], qd[b], qdd[b], S, vJ, v, v, a)
        force_rows(tree, chain, v, v, a, Y[b], Y_rot[b])
