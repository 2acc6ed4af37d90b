"""tens_norm: the norm of a tensor."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array, namespace, objects
from spatial_v2.exceptions import ArrayShapeError
from tensor_sva.checks import as_tensor
from tensor_sva.permuted import permuted

__all__ = ["tens_norm"]


def tens_norm(A: Any) -> Array:
    """Compute the 2-norm of the vector of the 2-norms (largest singular values) of the pages.

    MATLAB: ``tens_norm(A)``.

    Parameters
    ----------
    A : array, shape (..., a, b, c)
        Tensors of numbers.

    Returns
    -------
    array, shape (...)
        Norms.

    Raises
    ------
    ArrayShapeError
        If `A` has fewer than three axes, or is an array of objects.

    Examples
    --------
    >>> import numpy as np
    >>> float(tens_norm(np.ones((2, 2, 4))))
    4.0
    """
    A = as_tensor(A, "tens_norm: A")
    if namespace(A) is objects:
        raise ArrayShapeError("tens_norm: A must be plain numbers; objects have no singular values")
    xp = namespace(A)
    pages = xp.linalg.matrix_norm(permuted(A, 2, 0, 1), ord=2)
    return xp.linalg.vector_norm(pages, axis=-1)
