"""symbolicForce: a spatial force of SymPy symbols."""

from __future__ import annotations

import numpy as np

from spatial_v2.utility.symbols import symbols

__all__ = ["symbolicForce"]


def symbolicForce(body: int | str | None = None) -> np.ndarray:
    """Create a spatial force [n; f] of symbols (MATLAB ``symbolicForce``).

    Needs SymPy.

    Parameters
    ----------
    body : int or str, optional
        Suffix of each name, separated by an underscore.

    Returns
    -------
    numpy.ndarray of SymPy's symbols, shape (6,)
        [nx, ny, nz, fx, fy, fz], couple before force.

    Raises
    ------
    ImportError
        If SymPy is not installed.

    Examples
    --------
    >>> symbolicForce(1)
    array([nx_1, ny_1, nz_1, fx_1, fy_1, fz_1], dtype=object)
    """
    return symbols([name + axis for name in "nf" for axis in "xyz"], body)
