"""Trees whose joints follow fewer variables y, for kernels that solve for accelerations of y.

Positions of the tree are ``G y + shift``, velocities ``G yd``, and ``H_y = G^T H G`` is factored
by `factor`, whose fill is confined to paths of variables, as that of trees.
"""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.parts.pivot_share import SHARE
from spatial_v2.engine.parts.pivots import reciprocal
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats, Ints


@part
def factor(of: Coupled, least: Floats, L: Floats) -> None:
    """Factor the inertia matrix in place as `ltdl`; NaN where a pivot is a rounding error of its
    diagonal entry, or of the inertia that is carried. least (n,) is scratch space.
    """
    for k in range(of.above.size):
        least[k] = SHARE * L[k, k] + of.least[k]
    eliminate(of.above, least, L)


@inline
def eliminate(above: Ints, least: Floats, L: Floats) -> None:
    """Factor an inertia matrix in place as `ltdl`; NaN where a pivot is not larger than least
    (n,).
    """
    for k in range(above.size - 1, -1, -1):
        d = reciprocal(L[k, k], least[k])
        i = above[k]
        while i >= 0:
            x = L[k, i] * d
            j = i
            while j >= 0:
                L[i, j] -= x * L[k, j]
                j = above[j]
            L[k, i] = x
            i = above[i]
        L[k, k] = d
