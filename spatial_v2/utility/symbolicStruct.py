"""symbolicStruct: the symbols of an array by name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["symbolicStruct"]


def symbolicStruct(array: Any) -> SimpleNamespace:
    """Return the symbols of an array as fields of an object, by name.

    MATLAB: this is the second output s of ``[f, s] = symbolicForce(1)``, and likewise of
    `symbolicCartesian`, `symbolicVelocity`, `symbolicInertialParams` and `symbolicInertia`.

    Parameters
    ----------
    array : array_like of SymPy's symbols and expressions
        Result of one of these functions, or any array with symbols.

    Returns
    -------
    types.SimpleNamespace
        A field for every symbol in the array, in the order of first occurrence.

    Examples
    --------
    >>> from spatial_v2 import symbolicForce
    >>> s = symbolicStruct(symbolicForce(1))
    >>> s.nx_1, s.fz_1
    (nx_1, fz_1)
    """
    entries = np.asarray(array, dtype=object).ravel()
    symbols = [x for e in entries for x in sorted(getattr(e, "free_symbols", ()), key=str)]
    return SimpleNamespace(**{x.name: x for x in symbols})
