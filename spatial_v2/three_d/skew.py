"""skew: 3-vectors as cross-product matrices, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_numbers, as_vector, is_matrix
from spatial_v2.three_d.inv_skew import inv_skew

__all__ = ["CROSS", "TURN", "cross_matrix", "skew"]

CROSS = np.array(
    [
        [[0, 0, 0], [0, 0, -1], [0, 1, 0]],
        [[0, 0, 1], [0, 0, 0], [-1, 0, 0]],
        [[0, -1, 0], [1, 0, 0], [0, 0, 0]],
    ],
    dtype=np.int8,
)
"""CROSS[k] = e_k x, so that v x = sum_k v_k CROSS[k]."""

TURN = np.ascontiguousarray(CROSS[2, :2, :2])
"""The quarter turn of the plane, [0 -1; 1 0]: omega x p = omega TURN p."""


def cross_matrix(v: Any) -> Array:
    """The matrix v x of the cross product, ``cross_matrix(a) @ b == cross(a, b)``.

    Parameters
    ----------
    v : array, shape (..., 3) or (..., 3, 1)
        Vectors or columns.

    Returns
    -------
    array, shape (..., 3, 3)
        Skew-symmetric matrices.

    Raises
    ------
    ArrayShapeError
        If `v` does not hold 3-vectors.

    Examples
    --------
    >>> cross_matrix([1, 2, 3])
    array([[ 0., -3.,  2.],
           [ 3.,  0., -1.],
           [-2.,  1.,  0.]])
    """
    return combination(as_vector(v, "skew: v", 3), CROSS)


def skew(v: Any) -> Array:
    """Cross-product matrices of vectors or, for 3x3 matrices, the inverse (MATLAB ``skew``).

    ``skew(v)`` is `cross_matrix`, ``skew(A)`` is `inv_skew`; the last two axes decide. Three
    vectors stacked as a 3x3 array count as a matrix, so pass columns or call
    `cross_matrix` for batches.

    Parameters
    ----------
    v : array, shape (..., 3), (..., 3, 1) or (..., 3, 3)
        Vectors, columns or matrices.

    Returns
    -------
    array, shape (..., 3, 3) or (..., 3)
        v = [v1, v2, v3] gives [0 -v3 v2; v3 0 -v1; -v2 v1 0].

    Raises
    ------
    ArrayShapeError
        If `v` holds neither 3-vectors nor 3x3 matrices.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.8.

    Examples
    --------
    >>> skew(skew([1, 2, 3]))
    array([1., 2., 3.])
    """
    v = as_numbers(v, "skew: v")
    return inv_skew(v) if is_matrix(v, 3) else cross_matrix(v)
