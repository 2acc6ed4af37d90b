"""Functions of MATLAB's folder ``identifiability``: numbers from 1, vectors as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import spatial_v2
from spatial_v2.exceptions import SpatialError
from spatial_v2.matlab.arguments import body, matrix
from spatial_v2.model import Model

__all__ = [
    "ComputeSampledRegressor",
    "IsIdentifiable",
    "IsIdentifiable_rotor",
    "IsUnidentifiable",
    "IsUnidentifiable_rotor",
    "OutputMatrix",
    "OutputMatrix_rotor",
    "RangeBasis",
    "SwitchedControllabilityMatrix",
    "SwitchedObservabilityMatrix",
    "UnitVectorComplementarySubspace",
    "unitVector",
]


def parameter(k: Any) -> Any:
    """Convert MATLAB's parameter number k, from 1, to one from 0; return a name unchanged."""
    if isinstance(k, str):
        return k
    if not 1 <= k <= 10:
        raise SpatialError(f"k must be from 1 to 10, as in MATLAB; got {k!r}")
    return int(k) - 1


def IsIdentifiable(model: Model, N: Sequence[Any], i: int, k: Any) -> bool:
    """``IsIdentifiable(model,N,i,k)``: see `spatial_v2.IsIdentifiable`."""
    return spatial_v2.IsIdentifiable(model, N, body(model, i, "i", 2 * model.NB), parameter(k))


def IsUnidentifiable(model: Model, N: Sequence[Any], i: int, k: Any) -> bool:
    """``IsUnidentifiable(model,N,i,k)``: see `spatial_v2.IsUnidentifiable`."""
    return spatial_v2.IsUnidentifiable(model, N, body(model, i, "i", 2 * model.NB), parameter(k))


IsIdentifiable_rotor, IsUnidentifiable_rotor = IsIdentifiable, IsUnidentifiable


def ComputeSampledRegressor(
    model: Model, samples: int, use_HandG: bool = False, rng: np.random.Generator | None = None
) -> np.ndarray:
    """``Ystack = ComputeSampledRegressor(model,samples,use_HandG)``, at random states."""
    rng = np.random.default_rng() if rng is None else rng
    return spatial_v2.ComputeSampledRegressor(model, int(samples), bool(use_HandG), rng=rng)


def RangeBasis(A: Any, clear: bool = False) -> Any:
    """``[Q,c] = RangeBasis(A,clear)``: see `spatial_v2.RangeBasis`.

    c is the condition number of this call alone.
    """
    return spatial_v2.RangeBasis(matrix(A))


def OutputMatrix(L1: Any, L2: Any) -> np.ndarray:
    """``C = OutputMatrix(L1,L2)``: see `spatial_v2.OutputMatrix`."""
    return spatial_v2.OutputMatrix(matrix(L1), matrix(L2))


OutputMatrix_rotor = OutputMatrix


def SwitchedControllabilityMatrix(A: Sequence[Any], B: Any) -> np.ndarray:
    """``R = SwitchedControllabilityMatrix(A,B)``, where A is a list of matrices."""
    return spatial_v2.SwitchedControllabilityMatrix(A, matrix(B))


def SwitchedObservabilityMatrix(C: Any, A: Sequence[Any]) -> np.ndarray:
    """``N = SwitchedObservabilityMatrix(C,A)``, where A is a list of matrices."""
    return spatial_v2.SwitchedObservabilityMatrix(np.atleast_2d(C), A)


def UnitVectorComplementarySubspace(S: Any) -> np.ndarray:
    """``Comp = UnitVectorComplementarySubspace(S)``."""
    return spatial_v2.UnitVectorComplementarySubspace(matrix(S))


def unitVector(i: int, n: int) -> np.ndarray:
    """``e = unitVector(i,n)``: column i of the unit matrix, i from 1."""
    if not 1 <= i <= n:
        raise SpatialError(f"unitVector: i must be from 1 to {n}, as in MATLAB; got {i!r}")
    return np.asarray(np.eye(int(n))[int(i) - 1])
