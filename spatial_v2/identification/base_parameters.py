"""Base parameters for the links whose parameters are unknown."""

from __future__ import annotations

import numpy as np

from spatial_v2.identification.ComputeBases import ComputeBases, ParameterBases, reduced_bases
from spatial_v2.identification.matrices import null_space
from spatial_v2.identification.natural_units import length_of_tree, parameter_units
from spatial_v2.identification.parameter_names import parameter_names
from spatial_v2.identification.RangeBasis import TOLERANCE
from spatial_v2.identification.RPNA import RPNA
from spatial_v2.identification.UnitVectorComplementarySubspace import (
    UnitVectorComplementarySubspace,
)
from spatial_v2.model import Model

__all__ = ["base_parameters"]


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
    null = RPNA(model, tol=tol)
    bases = ComputeBases(model, null.N, null.M)
    if len(bodies) == model.NB:
        return bases
    chosen = np.ravel(10 * bodies[:, None] + np.arange(10)).astype(int)
    Null = bases.Null_Basis / parameter_units(length_of_tree(model) or 1.0, model.NB)[:, None]
    Null = Null / np.linalg.norm(Null, axis=0)
    fixed = np.delete(Null, chosen, axis=0)
    own = Null[chosen] @ null_space(fixed, TOLERANCE)
    kept = np.flatnonzero(UnitVectorComplementarySubspace(own, TOLERANCE).any(axis=1))
    names = parameter_names(model, False)
    return reduced_bases(model, own, kept, [names[k] for k in chosen])
