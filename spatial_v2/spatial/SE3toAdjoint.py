"""SE3toAdjoint: homogeneous transforms as 6x6 adjoint matrices."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.spatial.pluho import homogeneous_to_transform

__all__ = ["SE3toAdjoint"]


def SE3toAdjoint(T: Any) -> Array:
    """The adjoint X = [R 0; p x R, R] of T = [R p; 0 1] (MATLAB ``SE3toAdjoint``).

    The same function as `homogeneous_to_transform`, in the words of Lie groups.

    Parameters
    ----------
    T : array, shape (..., 4, 4)
        Members of SE(3).

    Returns
    -------
    array, shape (..., 6, 6)
        Adjoint matrices, angular part first.

    Raises
    ------
    ArrayShapeError
        If `T` does not hold 4x4 matrices.

    Examples
    --------
    >>> import numpy as np
    >>> np.array_equal(SE3toAdjoint(np.eye(4)), np.eye(6))
    True
    """
    return homogeneous_to_transform(T)
