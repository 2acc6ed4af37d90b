"""angleAxisRateRight: rate of the rotation vector (angle times axis) from angular velocity in body
axes.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.arrays.entire import cotc
from spatial_v2.three_d import cross_matrix

__all__ = ["angleAxisRateRight"]


def angleAxisRateRight(phi: Any, w: Any) -> Array:
    """Compute the rate of phi from w in body axes (MATLAB ``angleAxisRateRight``).

    It is (1 + W/2 + b W^2) w with W = skew(phi), b = (1 - (t/2) cot(t/2)) / t^2 and
    t^2 = phi . phi. The matrix is the inverse of the right Jacobian of the exponential map, which
    does not exist for a full turn, t = 2 pi.

    Parameters
    ----------
    phi : array, shape (..., 3) or (..., 3, 1)
        Angle times axis [rad].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in body coordinates [rad/s].

    Returns
    -------
    array, shape (..., 3)
        Rates of change [rad/s].

    Raises
    ------
    ArrayShapeError
        If `phi` does not hold 3-vectors or `w` 3-vectors.

    Examples
    --------
    >>> angleAxisRateRight([0, 0, 0.5], [0, 0, 2])
    array([0., 0., 2.])
    """
    phi = as_vector(phi, "angleAxisRateRight: phi", 3)
    phi, w = alike(phi, as_vector(w, "angleAxisRateRight: w", 3))
    check_leads("angleAxisRateRight", phi=phi.shape[:-1], w=w.shape[:-1])
    P, W = cross_matrix(phi), column(w)
    s = namespace(phi).sum(phi * phi, axis=-1)[..., None, None]
    turned = P @ W
    return uncolumn(W + turned / 2 + cotc(s) * (P @ turned))
