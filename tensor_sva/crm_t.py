"""crm_t: motion cross-product matrices of all columns of a motion matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.spatial.crm import MOTION_CROSS
from tensor_sva.checks import as_columns

__all__ = ["column_tensor", "crm_t"]

_BASIS = np.ascontiguousarray(MOTION_CROSS[6].reshape(6, 36).T)


def crm_t(U: Any) -> Array:
    r"""Return the tensor :math:`U\tilde\times`, whose page k is ``crm(u_k)`` for column u_k of U.

    MATLAB: ``crmM(U)``.

    Parameters
    ----------
    U : array, shape (..., 6, n)
        Motion matrices: columns [omega; v].

    Returns
    -------
    array, shape (..., 6, 6, n)
        Tensors; axes are rows, columns, pages. ``Tm(crm_t(U), V)`` has ``u_k x v_j`` in column j of
        page k.

    Raises
    ------
    ArrayShapeError
        If `U` does not have six rows.

    See Also
    --------
    crf_t : Tensor of the cross products that act on forces.
    spatial_v2.spatial.crm : Cross-product matrix of one motion vector.

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
    """Return the tensor whose page k is ``basis u_k``, reshaped to 6x6, for column u_k of U."""
    flat = constant(basis, U) @ U
    return namespace(U).reshape(flat, (*U.shape[:-2], 6, 6, U.shape[-1]))
