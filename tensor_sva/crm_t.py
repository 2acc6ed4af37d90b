"""crm_t: the motion cross products of all columns of a matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.spatial.crm import MOTION_CROSS
from tensor_sva.checks import as_columns

__all__ = ["column_tensor", "crm_t"]

_BASIS = np.ascontiguousarray(MOTION_CROSS[6].reshape(6, 36).T)


def crm_t(U: Any) -> Array:
    r"""The tensor :math:`U\tilde\times`: page k is the matrix ``u_k x`` of column k of U.

    MATLAB: ``crmM(U)``.

    Parameters
    ----------
    U : array, shape (..., 6, n)
        Motion matrices: columns [omega; v].

    Returns
    -------
    array, shape (..., 6, 6, n)
        Rows, columns, pages. ``Tm(crm_t(U), V)`` has ``u_k x v_j`` in column j of page k.

    Raises
    ------
    ArrayShapeError
        If `U` has not six rows.

    See Also
    --------
    crf_t : The same with forces on the right.
    spatial_v2.spatial.crm : The matrix of one motion vector.

    Notes
    -----
    Singh, Russell, Wensing, "On Second-Order Derivatives of Rigid-Body Dynamics" (2023), Sec. III.

    Examples
    --------
    >>> import numpy as np
    >>> from spatial_v2.spatial import crm
    >>> U = np.arange(12.0).reshape(6, 2)
    >>> np.array_equal(crm_t(U)[:, :, 1], crm(U[:, 1]))
    True
    """
    return column_tensor(_BASIS, as_columns(U, "crm_t: U"))


def column_tensor(basis: np.ndarray, U: Array) -> Array:
    """The tensor whose page k is the 6x6 matrix that `basis` (36, 6) makes of column k of U."""
    flat = constant(basis, U) @ U
    return namespace(U).reshape(flat, (*U.shape[:-2], 6, 6, U.shape[-1]))
