"""quatConj: the conjugate of a quaternion."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array, combination
from spatial_v2.arrays.checks import as_vector

__all__ = ["quatConj"]


def quatConj(q: Any) -> Array:
    """Return [w, -x, -y, -z], the inverse rotation for unit quaternions (MATLAB ``quatConj``).

    Parameters
    ----------
    q : array, shape (..., 4) or (..., 4, 1)
        Quaternions [w, x, y, z].

    Returns
    -------
    array, shape (..., 4)
        Conjugates. Imaginary parts of complex components are not conjugated, so that complex steps
        work.

    Raises
    ------
    ArrayShapeError
        If `q` does not hold 4-vectors.

    Examples
    --------
    >>> quatConj([1, 2, 3, 4])
    array([ 1., -2., -3., -4.])
    """
    return combination(as_vector(q, "quatConj: q", 4), _SIGNS)


_SIGNS = np.diag([1, -1, -1, -1]).astype(np.int8)
