"""symbolicInertialParams: inertial parameters as SymPy symbols."""

from __future__ import annotations

import numpy as np

from spatial_v2.inertia import INERTIAL_PARAMETERS
from spatial_v2.utility.symbols import symbols

__all__ = ["symbolicInertialParams"]


def symbolicInertialParams(body: int | str | None = None) -> np.ndarray:
    """Create ten inertial parameters as symbols (MATLAB ``symbolicInertialParams``).

    Needs SymPy.

    Parameters
    ----------
    body : int or str, optional
        Suffix of each name, separated by an underscore.

    Returns
    -------
    numpy.ndarray of SymPy's symbols, shape (10,)
        [m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy].

    Raises
    ------
    ImportError
        If SymPy is not installed.

    Examples
    --------
    >>> symbolicInertialParams()
    array([m, hx, hy, hz, Ixx, Iyy, Izz, Iyz, Ixz, Ixy], dtype=object)
    """
    return symbols(INERTIAL_PARAMETERS, body)
