"""Derivatives of the joint-space inertia matrix: the terms of IDSVA-SO without velocities."""

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.tensors.runs import MASS
from spatial_v2.engine.tensors.triples import triples_of
from spatial_v2.engine.tree import Floats, Tree

triples = triples_of(MASS, "mass_derivatives")


@jit
def H_derivatives(tree: Tree, q: Floats, dH: Floats) -> None:
    """Compute the values dH (B, n) of the derivatives of the inertia matrix: H_ij with respect to
    q_k.

    n is the number of structurally nonzero derivatives.
    """
    triples(tree, q, dH)
