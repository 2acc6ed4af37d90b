"""symbolicVelocity: a spatial velocity of SymPy symbols."""

from __future__ import annotations

import numpy as np

from spatial_v2.utility.symbols import symbols

__all__ = ["symbolicVelocity"]


def symbolicVelocity(body: int | str | None = None) -> np.ndarray:
    """Create a spatial velocity [omega; v] of symbols (MATLAB ``symbolicVelocity``).

    Needs SymPy.

    Parameters
    ----------
    body : int or str, optional
        Suffix of each name, separated by an underscore.

    Returns
    -------
    numpy.ndarray of SymPy's symbols, shape (6,)
        [wx, wy, wz, vx, vy, vz], angular before linear.

    Raises
    ------
    ImportError
        If SymPy is not installed.

    Examples
    --------
    >>> symbolicVelocity()
    array([wx, wy, wz, vx, vy, vz], dtype=object)
    """
    return symbols([name + axis for name in "wv" for axis in "xyz"], body)
