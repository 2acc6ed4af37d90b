"""Functions with MATLAB's names, arguments and results: ``from spatial_v2.matlab import *``.

Every function and script of the MATLAB libraries is available under its name; ``parity.toml`` lists
them. Bodies, joints and parameters are counted from 1, and 0 is the base. Several points, instants
or multiplier vectors are the columns of a matrix. Vector arguments may be columns (n, 1); vector
results have shape (n,). External forces may be a list, with an empty entry for a body without a
force. Several results are a tuple, of which ``nargout=k`` returns the first k. A function without
counterpart, or of version 1, raises an error that says what to write in Python.

Models are `Model`, which counts bodies from 0: `Model.from_matlab` reads MATLAB's structs.
"""

from __future__ import annotations

from typing import Any

import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
from spatial_v2.matlab.table import ROWS, VERSION_1

__all__ = [*ROWS, *VERSION_1]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    """Return the function with a MATLAB name, which is made at its first use."""
    if name not in ROWS and name not in VERSION_1:
        raise AttributeError(f"module 'spatial_v2.matlab' has no attribute {name!r}")
    from spatial_v2.matlab.functions import function_of

    globals()[name] = found = function_of(name)
    return found


def __dir__() -> list[str]:
    """List all MATLAB names, including those of functions that are not made yet."""
    return sorted({*globals(), *ROWS, *VERSION_1})
