"""Base parameters for the links whose parameters are unknown, and for friction and armature."""

from __future__ import annotations

import numpy as np

from spatial_v2.couplings.free import free_tree
from spatial_v2.identification.ComputeBases import ComputeBases, ParameterBases, reduced_bases
from spatial_v2.identification.coupled_bases import unseen_terms
from spatial_v2.identification.matrices import null_space
from spatial_v2.identification.natural_units import length_of_tree, parameter_units
from spatial_v2.identification.parameter_names import parameter_names
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.identification.UnitVectorComplementarySubspace import (
    UnitVectorComplementarySubspace,
)
from spatial_v2.identification.unknowns import Unknowns
from spatial_v2.model import Model

__all__ = ["base_parameters", "base_terms"]


def base_parameters(model: Model, bodies: np.ndarray, tol: float) -> ParameterBases:
    """Compute the base parameters of some bodies, when all other bodies are known.

    Changes of their parameters have no effect on forces if they are among those of `ComputeBases`
    for the robot and leave the other bodies as they are.

    Examples
    --------
    >>> from spatial_v2 import puma560
    >>> base_parameters(puma560(), np.array([5]), 1e-8).names[0]
    'm5'
    """
    if not len(bodies):
        none = np.zeros((0, 0))
        return ParameterBases(none, none, none, [])
    bases, tree = ComputeBases(model, tol=tol), free_tree(model)
    if len(bodies) == tree.NB:
        return bases
    chosen = np.ravel(10 * bodies[:, None] + np.arange(10)).astype(int)
    u = parameter_units(length_of_tree(tree) or 1.0, tree.NB)
    Null = bases.Null_Basis / u[:, None]
    Null = Null / np.linalg.norm(Null, axis=0)
    fixed = np.delete(Null, chosen, axis=0)
    own = Null[chosen] @ null_space(fixed, TOLERANCE)
    kept = np.flatnonzero(UnitVectorComplementarySubspace(own, TOLERANCE).any(axis=1))
    names = parameter_names(tree, False)
    return reduced_bases(u[chosen], own, kept, [names[k] for k in chosen])


def base_terms(unknowns: Unknowns, length: float, tol: float) -> list[ParameterBases]:
    """Compute the bases of the entries of each other term, which joints that follow others share.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> base_terms(Unknowns(autoTree(2), ("viscous",), np.arange(2)), 1.0, 1e-8)[0].names
    ['viscous0', 'viscous1']
    """
    u, names, NV = unknowns.units(length)[unknowns.links :], unknowns.names(), unknowns.NV
    bases = []
    for k, Null in enumerate(unseen_terms(unknowns, tol)):
        kept = np.flatnonzero(UnitVectorComplementarySubspace(Null, tol).any(axis=1))
        part = slice(k * NV, k * NV + NV)
        bases.append(reduced_bases(u[part], Null, kept, names[part]))
    return bases
