"""MATLAB's values where NumPy has others: what a translation imports for them."""

from __future__ import annotations

from typing import Any

import numpy as np

__all__ = ["acos", "as_integer", "asin"]


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
