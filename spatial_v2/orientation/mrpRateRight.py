"""mrpRateRight: rates of modified Rodrigues parameters from angular velocity in body axes."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.three_d import cross_matrix

__all__ = ["mrpRateRight"]


def mrpRateRight(mrp: Any, w: Any) -> Array:
    """Compute ((1 - m^2) 1 + 2 skew(m) + 2 m m^T) w / 4, w in body axes (MATLAB ``mrpRateRight``).

    Parameters
    ----------
    mrp : array, shape (..., 3) or (..., 3, 1)
        Modified Rodrigues parameters [-].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in body coordinates [rad/s].

    Returns
    -------
    array, shape (..., 3)
        Rates of change [1/s].

    Raises
    ------
    ArrayShapeError
        If `mrp` does not hold 3-vectors or `w` 3-vectors.

    Examples
    --------
    >>> mrpRateRight([0, 0, 0], [0, 0, 2])
    array([0. , 0. , 0.5])
    """
    m = as_vector(mrp, "mrpRateRight: mrp", 3)
    m, w = alike(m, as_vector(w, "mrpRateRight: w", 3))
    check_leads("mrpRateRight", mrp=m.shape[:-1], w=w.shape[:-1])
    xp, cross = namespace(m), uncolumn(cross_matrix(m) @ column(w))
    s, dot = (xp.sum(x, axis=-1, keepdims=True) for x in (m * m, m * w))
    return ((1 - s) * w + 2 * cross + 2 * dot * m) / 4
