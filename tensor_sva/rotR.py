"""rotR: columns and pages of a tensor exchanged."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from tensor_sva.checks import as_tensor
from tensor_sva.permuted import permuted

__all__ = ["rotR"]


def rotR(A: Any) -> Array:
    r"""The transpose :math:`\mathcal A^{\tilde R}`: columns and pages exchanged, rows kept.

    MATLAB: ``rotR(A)`` and ``tensorRotR(A)``.

    Parameters
    ----------
    A : array, shape (..., a, b, c)
        Tensors.

    Returns
    -------
    array, shape (..., a, c, b)
        Entry [i, j, k] is ``A[i, k, j]``: of a second derivative, the order of the variables
        exchanged.

    Raises
    ------
    ArrayShapeError
        If `A` has fewer than three axes.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. III, Fig. 5b.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.arange(24).reshape(2, 3, 4)
    >>> rotR(A).shape, bool(rotR(A)[1, 3, 2] == A[1, 2, 3])
    ((2, 4, 3), True)
    """
    return permuted(as_tensor(A, "rotR: A"), 0, 2, 1)
