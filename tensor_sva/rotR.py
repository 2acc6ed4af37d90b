"""rotR: exchange of columns and pages of a tensor."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from tensor_sva.checks import as_tensor
from tensor_sva.permuted import permuted

__all__ = ["rotR"]


def rotR(A: Any) -> Array:
    r"""Return :math:`\mathcal A^{\tilde R}`: exchange columns and pages of a tensor, keep rows.

    MATLAB: ``rotR(A)`` and ``tensorRotR(A)``.

    Parameters
    ----------
    A : array, shape (..., a, b, c)
        Tensors.

    Returns
    -------
    array, shape (..., a, c, b)
        Entry [i, j, k] is ``A[i, k, j]``. For second derivatives this exchanges the order of the
        variables.

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
