"""Derivatives of the joint-space inertia matrix: the part of IDSVA-SO that velocity is not in."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.tensors.runs import MASS
from spatial_v2.engine.tensors.triples import triples_of
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["H_derivatives"]

triples = triples_of(MASS, "mass_derivatives")


@jit
def H_derivatives(tree: Tree, q: Floats, dH: Floats) -> None:
    """Values dH (B, n) of the derivatives of H_ij along q_k."""
    triples(tree, q, dH)
