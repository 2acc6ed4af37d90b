"""rotRT: columns and pages exchanged, then every page transposed."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from tensor_sva.checks import as_tensor
from tensor_sva.permuted import permuted

__all__ = ["rotRT"]


def rotRT(A: Any) -> Array:
    r"""Return :math:`\mathcal A^{\tilde R,\tilde\top}`: apply `rotR`, then `rotT`.

    Parameters
    ----------
    A : array, shape (..., a, b, c)
        Tensors.

    Returns
    -------
    array, shape (..., c, a, b)
        Entry [i, j, k] is ``A[j, k, i]``: pages become rows, rows columns, columns pages.

    Raises
    ------
    ArrayShapeError
        If `A` has fewer than three axes.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. III: ``A[i, j, k] = B[k, i, j]`` for ``B = rotRT(A)``.

    Examples
    --------
    >>> import numpy as np
    >>> from tensor_sva import rotR, rotT
    >>> A = np.arange(24).reshape(2, 3, 4)
    >>> np.array_equal(rotRT(A), rotT(rotR(A)))
    True
    """
    return permuted(as_tensor(A, "rotRT: A"), 2, 0, 1)
