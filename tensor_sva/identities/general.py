"""Symbolic arguments of identities."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from tensor_sva.identities.letters import KINDS

__all__ = ["COLUMNS", "general"]

COLUMNS = 2
"""Number of columns of matrices: two, so that a wrong order of columns is detected."""


def general(letter: str) -> Array:
    """Return a symbolic argument: every entry is a separate symbol; an inertia has ten.

    Parameters
    ----------
    letter : str
        A letter of `KINDS`, except those of bodies.

    Returns
    -------
    array of SymPy's symbols
        Vector (6, 1), motion or force matrix (6, 2), inertia (6, 6), plain matrix (2, 2), plain
        tensor (2, 2, 2) or scalar.

    Examples
    --------
    >>> general("v")[:2, 0].tolist()
    [v_1, v_2]
    """
    import sympy

    def symbols(name: str, *shape: int) -> Array:
        out: np.ndarray[Any, Any] = np.empty(shape, object)
        for index in np.ndindex(*shape):
            out[index] = sympy.Symbol(f"{name}_{''.join(str(k + 1) for k in index)}", real=True)
        return out

    kind, n = KINDS[letter], COLUMNS
    if kind == "scalar":
        return np.array(sympy.Symbol(letter, real=True))
    if kind.startswith("plain"):
        return symbols(letter, *(n,) * {"plain matrix": 2, "plain tensor": 3}[kind])
    if kind == "inertia":
        m, h, J = sympy.Symbol("m", real=True), symbols("h", 3), symbols("J", 3, 3)
        J = np.triu(J) + np.triu(J, 1).T
        H = np.array([[0, -h[2], h[1]], [h[2], 0, -h[0]], [-h[1], h[0], 0]])
        return np.block([[J, H], [-H, m * np.eye(3, dtype=int)]])
    if kind.endswith("vector"):
        return symbols(letter, 6)[:, None]
    return symbols(letter, 6, n)
