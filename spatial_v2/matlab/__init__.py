"""MATLAB's names, argument orders, results and conventions: ``from spatial_v2.matlab import *``.

Every function and script of the MATLAB libraries has its name here, as ``parity.toml`` lists them.
Bodies, joints and parameters count from 1, and 0 is the base; points, instants and several lambda
are columns; vectors may be columns (n, 1), and are given as arrays (n,); external forces may be a
list with an empty entry for each body without. Several results are a tuple, of which ``nargout=k``
gives the first k. What has no counterpart raises an error that says what to write in Python.

Models are `Model`, which counts bodies from 0: `Model.from_matlab` reads MATLAB's structs.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.matlab.table import ROWS

__all__ = [*ROWS]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Find a function by its MATLAB name; it is made at its first use."""
    if name not in ROWS:
        raise AttributeError(f"module 'spatial_v2.matlab' has no attribute {name!r}")
    from spatial_v2.matlab.functions import function_of

    globals()[name] = found = function_of(name)
    return found


def __dir__() -> list[str]:
    """All names, made or not."""
    return sorted({*globals(), *ROWS})
