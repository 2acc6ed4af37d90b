"""symbolicCartesian: a 3-vector of SymPy symbols."""

from __future__ import annotations

import numpy as np

from spatial_v2.utility.symbols import symbols

__all__ = ["symbolicCartesian"]


def symbolicCartesian(sym: str, body: int | str | None = None) -> np.ndarray:
    """Create the vector of symbols [symx, symy, symz] (MATLAB ``symbolicCartesian``).

    Needs SymPy.

    Parameters
    ----------
    sym : str
        Name of the vector.
    body : int or str, optional
        Suffix of each name, separated by an underscore.

    Returns
    -------
    numpy.ndarray of SymPy's symbols, shape (3,)
        Real symbols.

    Raises
    ------
    ImportError
        If SymPy is not installed.

    Examples
    --------
    >>> symbolicCartesian("p", 1)
    array([px_1, py_1, pz_1], dtype=object)
    """
    return symbols([sym + axis for axis in "xyz"], body)
