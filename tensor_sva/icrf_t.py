"""icrf_t: the force-motion cross products of all columns of a force matrix."""

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
    r"""The tensor :math:`F\tilde{\bar\times}{}^*`: page k is ``f_k xbar*`` of column k of F.

    MATLAB: ``cmf_barM(F)``.

    Parameters
    ----------
    F : array, shape (..., 6, n)
        Force matrices: columns [couple; force].

    Returns
    -------
    array, shape (..., 6, 6, n)
        Rows, columns, pages. ``Tm(icrf_t(F), U)`` has ``u_j x* f_k`` in column j of page k: motions
        go in, forces come out, and columns and pages are those of ``Tm(crf_t(U), F)`` exchanged.

    Raises
    ------
    ArrayShapeError
        If `F` has not six rows.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. III; M5, M6. Each page is skew-symmetric.

    Examples
    --------
    >>> import numpy as np
    >>> from tensor_sva import Tm, crf_t, rotR
    >>> U, F = np.arange(12.0).reshape(6, 2), np.arange(18.0).reshape(6, 3)
    >>> np.array_equal(Tm(icrf_t(F), U), rotR(Tm(crf_t(U), F)))
    True
    """
    return column_tensor(_BASIS, as_columns(F, "icrf_t: F", "force"))
