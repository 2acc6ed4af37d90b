"""symbolicStruct: symbols by their names."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["symbolicStruct"]


def symbolicStruct(array: Any) -> SimpleNamespace:
    """The symbols of an array as fields of their names, the second output of MATLAB's functions.

    MATLAB: ``[f, s] = symbolicForce(1)``, and the same of `symbolicCartesian`, `symbolicVelocity`,
    `symbolicInertialParams` and `symbolicInertia`.

    Parameters
    ----------
    array : array_like of SymPy's symbols and expressions
        As one of these functions made it, of any shape.

    Returns
    -------
    types.SimpleNamespace
        A field for every symbol in the array, in order of their first places.

    Examples
    --------
    >>> from spatial_v2 import symbolicForce
    >>> s = symbolicStruct(symbolicForce(1))
    >>> s.nx_1, s.fz_1
    (nx_1, fz_1)
    """
    entries = np.asarray(array, dtype=object).ravel()
    found = [x for e in entries for x in sorted(getattr(e, "free_symbols", ()), key=str)]
    return SimpleNamespace(**{x.name: x for x in found})
