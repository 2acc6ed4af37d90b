"""Arrays of SymPy symbols."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = ["symbols"]


def symbols(names: Iterable[str], body: int | str | None) -> np.ndarray:
    """Create real symbols with given names and the suffix ``_body``, if that is given.

    Examples
    --------
    >>> symbols(["m", "hx"], 2)
    array([m_2, hx_2], dtype=object)
    """
    try:
        from sympy import Symbol
    except ImportError as error:
        raise ImportError("symbols need SymPy: pip install sympy") from error
    end = "" if body is None else f"_{body}"
    return np.array([Symbol(name + end, real=True) for name in names], dtype=object)
