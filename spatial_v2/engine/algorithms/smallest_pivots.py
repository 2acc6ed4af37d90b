"""Sizes up to which pivots of the joint-space inertia matrix are rounding errors."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.least_pivots import least_pivots
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import row_count
from spatial_v2.engine.tree import Floats, Tree


@jit
def smallest_pivots(tree: Tree, q: Floats, least: Floats) -> None:
    """Compute the sizes least (B, nv) of a batch of states."""
    nb, rows = tree.parent.size, row_count(tree)
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, rows, 6)
    C = empty(q, nb + 1, 5)
    for b in range(q.shape[0]):
        about_robot(tree, q[b], R, p, S)
        least_pivots(tree, R, p, S, C, least[b])
