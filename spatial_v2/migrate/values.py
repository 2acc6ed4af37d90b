"""MATLAB's values where NumPy has others: what a translation imports for them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

__all__ = ["acos", "as_dict", "as_integer", "asin"]


def asin(x: Any) -> Any:
    """Arc sine as MATLAB's: beyond 1 complex, with the opposite sign of NumPy's imaginary part."""
    y = np.emath.arcsin(x)
    return np.where(np.real(x) > 1, np.conj(y), y)[()] if np.isrealobj(x) else y


def acos(x: Any) -> Any:
    """Arc cosine as MATLAB's: beyond 1 complex, with the opposite sign of NumPy's imaginary part."""
    y = np.emath.arccos(x)
    return np.where(np.real(x) > 1, np.conj(y), y)[()] if np.isrealobj(x) else y


def as_integer(x: float) -> str:
    """A number as MATLAB prints it by ``%d``: another format where it is no integer."""
    return str(int(x)) if np.isfinite(x) and x == int(x) else f"{x:e}"


def as_dict(x: Any) -> Any:
    """A struct, and the structs in it, as dicts."""
    if isinstance(x, SimpleNamespace):
        return {name: as_dict(y) for name, y in vars(x).items()}
    return [as_dict(y) for y in x] if isinstance(x, list) else x
