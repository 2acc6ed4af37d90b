"""factorFunctions: factorisations of the velocity-product force of a body."""

from __future__ import annotations

from typing import Any, Literal

from spatial_v2.arrays import Array, alike, column
from spatial_v2.arrays.checks import as_matrix, as_vector, check_leads
from spatial_v2.arrays.numbers import is_one_of
from spatial_v2.exceptions import SpatialError
from spatial_v2.spatial.crf import crf
from spatial_v2.spatial.crm import motion_cross_matrix
from spatial_v2.spatial.icrf import icrf

__all__ = ["factorFunctions"]


def factorFunctions(I: Any, v: Any, number: Literal[1, 2, 3] = 3) -> Array:
    """Compute the body Coriolis matrix B, with ``B v = crf(v) I v`` (MATLAB ``factorFunctions``).

    There are three choices. All of them are admissible: ``B + B^T = crf(v) I - I crm(v)``, the rate
    of the inertia I of a body that moves with velocity v.

    1. crf(v) I
    2. icrf(I v) - I crm(v)
    3. half the sum of 1 and 2, which alone gives the Coriolis matrix of the Christoffel symbols

    Parameters
    ----------
    I : array, shape (..., 6, 6) or planar (..., 3, 3)
        Rigid-body inertias.
    v : array, shape (..., 6) or planar (..., 3); columns are accepted
        Velocities of the bodies.
    number : 1, 2 or 3
        Number of the factorisation. Other numbers raise an error; MATLAB treats them as 3.

    Returns
    -------
    array, shape as `I`
        Body Coriolis matrices B.

    Raises
    ------
    ArrayShapeError
        If `I` and `v` are not both spatial or both planar.
    SpatialError
        If `number` is not 1, 2 or 3.

    Notes
    -----
    Echeandia, Wensing, "Numerical Methods to Compute the Coriolis Matrix and Christoffel Symbols"
    (2021), Eqs. (9), (10) and Definition 4.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.spatial import crf, mcI
    >>> I, v = mcI(2, [1, 2, 3], np.diag([1, 2, 3])), np.array([1.0, 2, 3, 4, 5, 6])
    >>> np.allclose(factorFunctions(I, v) @ v, crf(v) @ I @ v)
    True
    """
    if not is_one_of(number, 1, 2, 3):
        raise SpatialError(f"factorFunctions: number must be 1, 2 or 3, got {number!r}")
    I = as_matrix(I, "factorFunctions: I", 6, 3)
    I, v = alike(I, as_vector(v, "factorFunctions: v", I.shape[-1]))
    check_leads("factorFunctions", I=I.shape[:-2], v=v.shape[:-1])
    first = crf(v) @ I
    if number == 1:
        return first
    second = icrf(I @ column(v)) - I @ motion_cross_matrix(v)
    return second if number == 2 else (first + second) / 2
