"""quatProduct: the product of quaternions."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.three_d.quaternion_product import quaternion_product

__all__ = ["quatProduct"]


def quatProduct(q1: Any, q2: Any) -> Array:
    """Compute the Hamilton product q1 o q2 of quaternions, with ij = k (MATLAB ``quatProduct``).

    Parameters
    ----------
    q1, q2 : array, shape (..., 4); columns are accepted
        Quaternions [w, x, y, z].

    Returns
    -------
    array, shape (..., 4)
        Products; with R = `quatToRot`, R(q1 o q2) = R(q1) R(q2).

    Raises
    ------
    ArrayShapeError
        If an argument does not hold 4-vectors.

    Examples
    --------
    >>> quatProduct([0, 1, 0, 0], [0, 0, 1, 0])
    array([0., 0., 0., 1.])
    """
    q1, q2 = alike(as_vector(q1, "quatProduct: q1", 4), as_vector(q2, "quatProduct: q2", 4))
    check_leads("quatProduct", q1=q1.shape[:-1], q2=q2.shape[:-1])
    return quaternion_product(q1, q2)
