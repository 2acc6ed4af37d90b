"""B_t: body-Coriolis matrices for all columns of a matrix."""

from __future__ import annotations

from typing import Any, Literal

from spatial_v2.arrays import Array, alike
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.exceptions import SpatialError
from tensor_sva.checks import as_columns
from tensor_sva.crf_t import crf_t
from tensor_sva.crm_t import crm_t
from tensor_sva.icrf_t import icrf_t
from tensor_sva.mT import mT
from tensor_sva.Tm import Tm

__all__ = ["B_t"]


def B_t(I: Any, V: Any, number: Literal[1, 2, 3] = 3) -> Array:
    r"""Compute the body-Coriolis tensor :math:`\mathcal B(I, V)`: page k is ``B(I, v_k)``.

    MATLAB: ``Bten(I,V)``.

    Parameters
    ----------
    I : array, shape (..., 6, 6)
        Inertias.
    V : array, shape (..., 6, n)
        Motion matrices, with columns v_k.
    number : {3, 1, 2}, optional
        Factorisation, as for `B`.

    Returns
    -------
    array, shape (..., 6, 6, n)
        Tensors; axes are rows, columns, pages.

    Raises
    ------
    ArrayShapeError
        If `I` is not 6x6 or `V` has not six rows.
    SpatialError
        If `number` is not 1, 2 or 3.

    Notes
    -----
    Singh, Russell, Wensing (2023), eq. (19):
    ``1/2 (V x~* I - I (V x~) + (I V) xbar~*)``.

    Examples
    --------
    >>> import numpy as np
    >>> from tensor_sva import B
    >>> I, V = np.diag([1.0, 2, 3, 4, 4, 4]), np.arange(12.0).reshape(6, 2)
    >>> np.array_equal(B_t(I, V)[:, :, 1], B(I, V[:, 1]))
    True
    """
    if number not in (1, 2, 3):
        raise SpatialError(f"B_t: number must be 1, 2 or 3, got {number!r}")
    I, V = alike(as_matrix(I, "B_t: I", 6), as_columns(V, "B_t: V"))
    first = Tm(crf_t(V), I)
    if number == 1:
        return first
    second = icrf_t(I @ V) - mT(I, crm_t(V))
    return second if number == 2 else (first + second) / 2
