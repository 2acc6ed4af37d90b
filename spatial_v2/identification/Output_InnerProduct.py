"""Output_InnerProduct: coefficients of the inertial parameters in a product v1^T I v2."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, alike, column, namespace, uncolumn
from spatial_v2.arrays.checks import as_vector, check_leads
from spatial_v2.regressors import individualRegressor

__all__ = ["Output_InnerProduct"]


def Output_InnerProduct(v1: Any, v2: Any) -> Array:
    """Return the row y with ``v1^T I v2 = y vec(I)`` (MATLAB ``Output_InnerProduct``).

    For stacked motions of a link and its rotor it is MATLAB's ``Output_InnerProduct_rotor``.

    Parameters
    ----------
    v1, v2 : array, shape (..., 6) or (..., 12); columns are accepted
        Motion vectors, or pairs [link; rotor] of them.

    Returns
    -------
    array, shape (..., 10) or (..., 20)
        Coefficients of [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy], of the link and the rotor.

    Raises
    ------
    ArrayShapeError
        If `v1` and `v2` are not both motion vectors, or both pairs of motion vectors.

    Examples
    --------
    >>> Output_InnerProduct([0, 0, 0, 0, 0, 2], [0, 0, 0, 0, 0, 3])
    array([6., 0., 0., 0., 0., 0., 0., 0., 0., 0.])
    """
    v1 = as_vector(v1, "Output_InnerProduct: v1", 6, 12)
    v1, v2 = alike(v1, as_vector(v2, "Output_InnerProduct: v2", v1.shape[-1]))
    check_leads("Output_InnerProduct", v1=v1.shape[:-1], v2=v2.shape[:-1])
    if v1.shape[-1] == 12:
        parts = [Output_InnerProduct(v1[..., k], v2[..., k]) for k in (slice(6), slice(6, 12))]
        return namespace(v1).concat(parts, axis=-1)
    Y = individualRegressor(v2, 0 * v2)
    return uncolumn(namespace(Y).matrix_transpose(Y) @ column(v1))
