"""symbolicInertia: a spatial inertia of SymPy symbols."""

from __future__ import annotations

import numpy as np

from spatial_v2.inertia import inertiaVecToMat
from spatial_v2.utility.symbolicInertialParams import symbolicInertialParams

__all__ = ["symbolicInertia"]


def symbolicInertia(body: int | str | None = None) -> np.ndarray:
    """Create a spatial inertia of symbols (MATLAB ``symbolicInertia``).

    Needs SymPy.

    Parameters
    ----------
    body : int or str, optional
        Suffix of each name, separated by an underscore.

    Returns
    -------
    numpy.ndarray of SymPy's expressions, shape (6, 6)
        `inertiaVecToMat` of `symbolicInertialParams`.

    Raises
    ------
    ImportError
        If SymPy is not installed.

    Examples
    --------
    >>> symbolicInertia()[0].tolist()
    [Ixx, Ixy, Ixz, 0, -hz, hy]
    """
    return np.asarray(inertiaVecToMat(symbolicInertialParams(body)))
