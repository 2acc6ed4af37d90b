"""The Christoffel symbols of the first kind, by composite inertias in the ground frame."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.tensors.runs import CHRISTOFFEL
from spatial_v2.engine.tensors.triples import triples_of
from spatial_v2.engine.tree import Floats, Tree

triples = triples_of(CHRISTOFFEL, "christoffel")


@jit
def Christoffel(tree: Tree, q: Floats, G: Floats) -> None:
    """Compute the values G (B, n) of the Christoffel symbols, with ``C_ik = sum_j G_ijk qd_j``.

    n is the number of structurally nonzero symbols, and C the Coriolis matrix.
    """
    triples(tree, q, G)
