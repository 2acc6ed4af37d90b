"""rqd: rates of change of quaternions."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, alike, combination, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.arrays.linear import length
from spatial_v2.arrays.numbers import check_switch
from spatial_v2.three_d.skew import CROSS

__all__ = ["quaternion_rate_body", "quaternion_rate_reference", "rqd"]


def _basis(side: int) -> np.ndarray:
    """Return the matrices B[k] of the quaternion product: ``sum_k q_k B[k] w`` is q o [0, w] for
    side 1, [0, w] o q for side -1.
    """
    B = np.zeros((4, 4, 3), dtype=np.int8)
    B[0, 1:] = np.eye(3)
    B[1:, 0] = -np.eye(3)
    B[1:, 1:] = side * CROSS
    return B


_BODY, _REFERENCE = _basis(1), _basis(-1)


def _rate(q: Array, w: Array, basis: np.ndarray, stabilise: bool) -> Array:
    check_switch("stabilise", stabilise)
    q, w = alike(q, w)
    check_leads("rqd", q=q.shape[:-1], w=w.shape[:-1])
    qd = uncolumn(combination(q, basis) @ w[..., None]) / 2
    if not stabilise:
        return qd
    return qd + length(w) * (1 - length(q)) * q / 20


def quaternion_rate_body(q: Any, wB: Any, *, stabilise: bool = True) -> Array:
    """Compute dq/dt = q o [0, wB] / 2 from the angular velocity in body coordinates.

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Orientation of frame B relative to frame A, [w, x, y, z].
    wB : array, shape (..., 3) or (..., 3, 1)
        Angular velocity of B relative to A in B coordinates [rad/s].
    stabilise : bool
        Add 0.05 \\|w\\| (1 - \\|q\\|) q, which drives the norm of an integrated q towards one.

    Returns
    -------
    array, shape (..., 4)
        Rates of change [1/s].

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors or `wB` 3-vectors.

    Examples
    --------
    >>> quaternion_rate_body([1, 0, 0, 0], [2, 4, 6])
    array([0., 1., 2., 3.])
    """
    return _rate(as_vector(q, "rqd: q", 4), as_vector(wB, "rqd: wB", 3), _BODY, stabilise)


def quaternion_rate_reference(wA: Any, q: Any, *, stabilise: bool = True) -> Array:
    """Compute dq/dt = [0, wA] o q / 2 from the angular velocity in reference coordinates.

    Parameters
    ----------
    wA : array, shape (..., 3) or (..., 3, 1)
        Angular velocity of B relative to A in A coordinates [rad/s].
    q : array, shape (..., 4) or (..., 4, 1)
        Orientation of frame B relative to frame A, [w, x, y, z].
    stabilise : bool
        Add 0.05 \\|w\\| (1 - \\|q\\|) q, which drives the norm of an integrated q towards one.

    Returns
    -------
    array, shape (..., 4)
        Rates of change [1/s].

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors or `wA` 3-vectors.

    Examples
    --------
    >>> quaternion_rate_reference([2, 4, 6], [1, 0, 0, 0])
    array([0., 1., 2., 3.])
    """
    return _rate(as_vector(q, "rqd: q", 4), as_vector(wA, "rqd: wA", 3), _REFERENCE, stabilise)


def rqd(first: Any, second: Any, *, stabilise: bool = True) -> Array:
    """Compute rates of quaternions by ``rqd(q, wB)`` or ``rqd(wA, q)`` (MATLAB ``rqd``).

    A first argument of length 4 is a quaternion and calls `quaternion_rate_body`, otherwise it is
    an angular velocity and calls `quaternion_rate_reference`.

    Parameters
    ----------
    first, second : array, shape (..., 4) and (..., 3), or (..., 3) and (..., 4)
        Quaternion and angular velocity in B coordinates, or angular velocity in A coordinates and
        quaternion; columns are accepted.
    stabilise : bool
        Add 0.05 \\|w\\| (1 - \\|q\\|) q, which drives the norm of an integrated q towards one.

    Returns
    -------
    array, shape (..., 4)
        Rates of change [1/s]. The two forms agree if ``wB = rq(q) @ wA``.

    Raises
    ------
    ArrayShapeError
        If the arguments are not one quaternion and one 3-vector.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 4.5.

    Examples
    --------
    >>> rqd([0, 1, 0, 0], [2, 0, 0]), rqd([2, 0, 0], [0, 1, 0, 0])
    (array([-1.,  0.,  0.,  0.]), array([-1.,  0.,  0.,  0.]))
    """
    if as_vector(first, "rqd: first argument", 3, 4).shape[-1] == 4:
        return quaternion_rate_body(first, second, stabilise=stabilise)
    return quaternion_rate_reference(first, second, stabilise=stabilise)
