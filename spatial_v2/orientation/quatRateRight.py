"""quatRateRight: rates of quaternions from angular velocity in body axes."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.three_d import quaternion_rate_body

__all__ = ["quatRateRight"]


def quatRateRight(q: Any, w: Any) -> Array:
    """Compute dq/dt = q o [0, w] / 2, w in body axes (MATLAB ``quatRateRight``).

    This is `rqd` without the term that stabilises the norm.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, x, y, z].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in body coordinates [rad/s].

    Returns
    -------
    array, shape (..., 4)
        Rates of change [1/s].

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors or `w` 3-vectors.

    Examples
    --------
    >>> quatRateRight([1, 0, 0, 0], [2, 4, 6])
    array([0., 1., 2., 3.])
    """
    q, w = as_vector(q, "quatRateRight: q", 4), as_vector(w, "quatRateRight: w", 3)
    check_leads("quatRateRight", q=q.shape[:-1], w=w.shape[:-1])
    return quaternion_rate_body(q, w, stabilise=False)
