"""crf_t: force cross-product matrices of all columns of a motion matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.spatial.crf import FORCE_CROSS
from tensor_sva.checks import as_columns
from tensor_sva.crm_t import column_tensor

__all__ = ["crf_t"]

_BASIS = np.ascontiguousarray(FORCE_CROSS[6].reshape(6, 36).T)


def crf_t(U: Any) -> Array:
    r"""Return the tensor :math:`U\tilde\times{}^*`, whose page k is ``u_k x*`` for column u_k of U.

    MATLAB: ``cmfM(U)``.

    Parameters
    ----------
    U : array, shape (..., 6, n)
        Motion matrices: columns [omega; v].

    Returns
    -------
    array, shape (..., 6, 6, n)
        Tensors; axes are rows, columns, pages. ``Tm(crf_t(U), F)`` has ``u_k x* f_j`` in column j
        of page k.

    Raises
    ------
    ArrayShapeError
        If `U` does not have six rows.

    See Also
    --------
    icrf_t : Tensor of a force matrix, which multiplies motion matrices.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. III; Identity M1: ``crf_t(U) = -rotT(crm_t(U))``.

    Examples
    --------
    >>> import numpy as np
    >>> from tensor_sva import crm_t, rotT
    >>> U = np.arange(12.0).reshape(6, 2)
    >>> np.array_equal(crf_t(U), -rotT(crm_t(U)))
    True
    """
    return column_tensor(_BASIS, as_columns(U, "crf_t: U"))
