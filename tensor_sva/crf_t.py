"""crf_t: the motion-force cross products of all columns of a matrix."""

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
    r"""The tensor :math:`U\tilde\times{}^*`: page k is the matrix ``u_k x*`` of column k of U.

    MATLAB: ``cmfM(U)``.

    Parameters
    ----------
    U : array, shape (..., 6, n)
        Motion matrices: columns [omega; v].

    Returns
    -------
    array, shape (..., 6, 6, n)
        Rows, columns, pages. ``Tm(crf_t(U), F)`` has ``u_k x* f_j`` in column j of page k.

    Raises
    ------
    ArrayShapeError
        If `U` has not six rows.

    See Also
    --------
    icrf_t : The same product with the factors in the other order.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. III; ``crf_t(U) = -rotT(crm_t(U))`` is M1.

    Examples
    --------
    >>> import numpy as np
    >>> from tensor_sva import crm_t, rotT
    >>> U = np.arange(12.0).reshape(6, 2)
    >>> np.array_equal(crf_t(U), -rotT(crm_t(U)))
    True
    """
    return column_tensor(_BASIS, as_columns(U, "crf_t: U"))
