"""pullbackMetric: the Riemannian metric of pseudo-inertias on inertial parameters."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.arrays.checks import as_vector
from spatial_v2.arrays.linear import inverse
from spatial_v2.inertia.inertiaVecToPinertia import inertiaVecToPinertia
from spatial_v2.inertia.parameters import PSEUDO_INERTIAS
from spatial_v2.inertia.positive import as_positive

__all__ = ["pullbackMetric"]


def pullbackMetric(a: Any) -> Array:
    """Compute the metric M_ij = tr(P^-1 J_i P^-1 J_j) at parameters a (MATLAB ``pullbackMetric``).

    P is the pseudo-inertia of a.

    J_i is the pseudo-inertia of the i-th unit vector. To second order, da^T M da is twice the
    square of the `affineInvariantDistance` between a and a + da. M is the Hessian of
    `entropicDivergence`.

    Parameters
    ----------
    a : array, shape (..., 10) or (..., 10, 1)
        Inertial parameters [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Returns
    -------
    array, shape (..., 10, 10)
        Symmetric positive definite matrices.

    Raises
    ------
    ArrayShapeError
        If `a` does not hold 10-vectors, or parameters that are not physically consistent.

    Notes
    -----
    Lee, Park, "A Geometric Algorithm for Robust Multibody Inertial Parameter Identification"
    (2018).

    Examples
    --------
    >>> pullbackMetric([2, 0, 0, 0, 2, 2, 2, 0, 0, 0]).diagonal()
    array([0.25, 1.  , 1.  , 1.  , 0.75, 0.75, 0.75, 2.  , 2.  , 2.  ])
    """
    P = inertiaVecToPinertia(as_vector(a, "pullbackMetric: a", 10))
    A = inverse(as_positive(P, "pullbackMetric: the pseudo-inertia of a", 4))
    xp = namespace(A)
    B = A[..., None, :, :] @ constant(PSEUDO_INERTIAS, A)
    rows = xp.reshape(B, (*B.shape[:-2], 16))
    cols = xp.reshape(xp.matrix_transpose(B), (*B.shape[:-2], 16))
    return rows @ xp.matrix_transpose(cols) / 4
