"""Composite-rigid-body algorithm.

Spatial vectors are about the origin of each body, with components along the axes of the ground.
"""

from spatial_v2.engine.algorithms.HandC import mass_matrix
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.inertia import turn_inertias
from spatial_v2.engine.parts.poses import about_body
from spatial_v2.engine.tree import Floats, Tree


@jit
def CRBA(tree: Tree, q: Floats, H: Floats) -> None:
    """Compute the joint-space inertia matrices H (B, nv, nv); H must be zero on entry."""
    nb, nv = tree.parent.size, H.shape[1]
    R, d, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    IC = empty(q, nb + 1, 10)
    for b in range(q.shape[0]):
        about_body(tree, q[b], R, d, S)
        turn_inertias(tree, R, IC)
        mass_matrix(tree, d, S, IC, H[b])
