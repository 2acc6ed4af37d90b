"""cayleyRateRight: rates of Cayley vectors from angular velocity in body axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, column, constant, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.arrays.linear import solve
from spatial_v2.orientation.cayleyToQuat import cayleyToQuat, check_order
from spatial_v2.orientation.quatToRot import quatToRot
from spatial_v2.three_d import cross_matrix

__all__ = ["cayleyRateRight"]


def cayleyRateRight(c: Any, w: Any, n: int = 1) -> Array:
    """Compute (1 + skew(c) + c c^T) w / 2 for n = 1, w in body axes (MATLAB ``cayleyRateRight``).

    This is the rate of c. For order n, c is the Cayley vector of order 1 of the n-th root of the
    rotation, whose angular velocity is computed first; it does not exist for a full turn.

    Parameters
    ----------
    c : array, shape (..., 3) or (..., 3, 1)
        Cayley vectors of order n [-].
    w : array, shape (..., 3) or (..., 3, 1)
        Angular velocity in body coordinates [rad/s].
    n : int
        Order, see `cayleyToQuat`.

    Returns
    -------
    array, shape (..., 3)
        Rates of change [1/s].

    Raises
    ------
    ArrayShapeError
        If `c` does not hold 3-vectors or `w` 3-vectors.
    SpatialError
        If `n` is not a positive whole number.

    Examples
    --------
    >>> cayleyRateRight([0, 0, 0], [0, 0, 2])
    array([0., 0., 1.])
    """
    check_order(n, "cayleyRateRight")
    c = as_vector(c, "cayleyRateRight: c", 3)
    c, w = alike(c, as_vector(w, "cayleyRateRight: w", 3))
    check_leads("cayleyRateRight", c=c.shape[:-1], w=w.shape[:-1])
    xp = namespace(c)
    if n != 1:
        w = _root_velocity(xp.matrix_transpose(quatToRot(cayleyToQuat(c))), w, n)
    dot = xp.sum(c * w, axis=-1, keepdims=True)
    return (w + uncolumn(cross_matrix(c) @ column(w)) + dot * c) / 2


def _root_velocity(Rt: Array, w: Array, n: int) -> Array:
    """Solve w = (1 + R^T + ... + R^-(n-1)) w_R for w_R; w and w_R are velocities of R^n and R."""
    one, xp = constant(np.eye(3), Rt), namespace(Rt)
    total = power = one
    for _ in range(n - 1):
        power = power @ Rt
        total = total + power
    transposed = xp.matrix_transpose(total)
    return uncolumn(solve(transposed @ total, transposed @ column(w)))
