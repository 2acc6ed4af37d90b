"""quatRateLeft: rates of quaternions from angular velocity in space axes."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.three_d import quaternion_rate_reference

__all__ = ["quatRateLeft"]


def quatRateLeft(q: Any, w: Any) -> Array:
    """Compute dq/dt = [0, w] o q / 2, w in space axes (MATLAB ``quatRateLeft``).

    This is `rqd` without the term that stabilises the norm.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, x, y, z].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in space coordinates [rad/s].

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
    >>> quatRateLeft([1, 0, 0, 0], [2, 4, 6])
    array([0., 1., 2., 3.])
    """
    q, w = as_vector(q, "quatRateLeft: q", 4), as_vector(w, "quatRateLeft: w", 3)
    check_leads("quatRateLeft", q=q.shape[:-1], w=w.shape[:-1])
    return quaternion_rate_reference(w, q, stabilise=False)
