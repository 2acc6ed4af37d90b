"""icrf_t: matrices ``f xbar*`` of all columns of a force matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.spatial.crf import FORCE_CROSS
from tensor_sva.checks import as_columns
from tensor_sva.crm_t import column_tensor

__all__ = ["icrf_t"]

_BASIS = np.ascontiguousarray(FORCE_CROSS[6].transpose(1, 0, 2).reshape(36, 6))


def icrf_t(F: Any) -> Array:
    r"""Return the tensor :math:`F\tilde{\bar\times}{}^*`, whose page k is ``f_k xbar*``.

    MATLAB: ``cmf_barM(F)``.

    Parameters
    ----------
    F : array, shape (..., 6, n)
        Force matrices: columns [couple; force].

    Returns
    -------
    array, shape (..., 6, 6, n)
        Tensors; axes are rows, columns, pages. ``Tm(icrf_t(F), U)`` maps motions to forces: it has
        ``u_j x* f_k`` in column j of page k. These are the columns of ``Tm(crf_t(U), F)`` with
        columns and pages exchanged.

    Raises
    ------
    ArrayShapeError
        If `F` does not have six rows.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. III; identities M5 and M6. Each page is skew-symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> from tensor_sva import Tm, crf_t, rotR
    >>> U, F = np.arange(12.0).reshape(6, 2), np.arange(18.0).reshape(6, 3)
    >>> np.array_equal(Tm(icrf_t(F), U), rotR(Tm(crf_t(U), F)))
    True
    """
    return column_tensor(_BASIS, as_columns(F, "icrf_t: F", "force"))
