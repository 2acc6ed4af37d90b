"""xlt: Plücker transform of a translation."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination, constant
from spatial_v2.arrays.checks import as_vector
from spatial_v2.three_d.skew import CROSS

__all__ = ["xlt"]

_BASIS = np.zeros((3, 6, 6), dtype=np.int8)
_BASIS[:, 3:, :3] = -CROSS


def xlt(r: Any) -> Array:
    """Return X = [1 0; -skew(r), 1], the transform to a parallel frame at r (MATLAB ``xlt``).

    Parameters
    ----------
    r : array, shape (..., 3) or (..., 3, 1)
        Position of the new origin in the old frame [m].

    Returns
    -------
    array, shape (..., 6, 6)
        Coordinate transforms for motion vectors.

    Raises
    ------
    ArrayShapeError
        If `r` does not hold 3-vectors.

    Notes
    -----
    Featherstone, Rigid Body Dynamics Algorithms (2008), Section 2.8.

    Examples
    --------
    >>> xlt([1, 0, 0]) @ [0, 0, 1, 0, 0, 0]
    array([0., 0., 1., 0., 1., 0.])
    """
    r = as_vector(r, "xlt: r", 3)
    return combination(r, _BASIS) + constant(np.eye(6), r)
