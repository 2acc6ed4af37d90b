"""rotT: the transpose of every page of a tensor."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from tensor_sva.checks import as_tensor
from tensor_sva.permuted import permuted

__all__ = ["rotT"]


def rotT(A: Any) -> Array:
    r"""Return :math:`\mathcal A^{\tilde\top}`: transpose every page of a tensor.

    MATLAB: ``rotT(A)`` and ``tensorRotT(A)``.

    Parameters
    ----------
    A : array, shape (..., a, b, c)
        Tensors.

    Returns
    -------
    array, shape (..., b, a, c)
        Entry [i, j, k] is ``A[j, i, k]``.

    Raises
    ------
    ArrayShapeError
        If `A` has fewer than three axes.

    Notes
    -----
    Singh, Russell, Wensing (2023), Sec. III, Fig. 5a.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.arange(24).reshape(2, 3, 4)
    >>> rotT(A).shape, bool(rotT(A)[2, 1, 3] == A[1, 2, 3])
    ((3, 2, 4), True)
    """
    return permuted(as_tensor(A, "rotT: A"), 1, 0, 2)
