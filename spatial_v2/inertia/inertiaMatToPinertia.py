"""inertiaMatToPinertia: spatial inertias as pseudo-inertias."""

from __future__ import annotations

from typing import Any

from spatial_v2.arrays import Array
from spatial_v2.arrays.checks import as_matrix
from spatial_v2.inertia.inertiaMatToVec import inertiaMatToVec
from spatial_v2.inertia.inertiaVecToPinertia import inertiaVecToPinertia

__all__ = ["inertiaMatToPinertia"]


def inertiaMatToPinertia(I: Any) -> Array:
    """Convert a spatial inertia to a pseudo-inertia (MATLAB ``inertiaMatToPinertia``).

    Parameters
    ----------
    I : array, shape (..., 6, 6)
        Inertias about the origin of the body frame, as made by `mcI`; the lower triangle is read.

    Returns
    -------
    array, shape (..., 4, 4)
        Pseudo-inertias, see `inertiaVecToPinertia`.

    Raises
    ------
    ArrayShapeError
        If `I` does not hold 6x6 matrices.

    Examples
    --------
    >>> import numpy as np
    >>> inertiaMatToPinertia(np.diag([2, 2, 2, 2, 2, 2])).diagonal()
    array([1., 1., 1., 2.])
    """
    return inertiaVecToPinertia(inertiaMatToVec(as_matrix(I, "inertiaMatToPinertia: I", 6)))
