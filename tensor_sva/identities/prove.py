"""Symbolic proofs of identities by SymPy."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.exceptions import SpatialError
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.letters import KINDS
from tensor_sva.identities.registry import IDENTITIES

__all__ = ["Proof", "general", "prove"]

COLUMNS = 2
"""Number of columns of matrices: two, so that a wrong order of columns is detected."""


class Proof(NamedTuple):
    """Result of `prove`."""

    holds: bool
    """True if every entry of both sides expands to the same polynomial."""
    entries: int
    """Number of entries compared, in all cases together."""
    symbols: int
    """Number of symbols in the arguments."""
    terms: int
    """Number of terms of the expanded left side."""


def prove(identity: str | Identity) -> Proof:
    """Prove an identity of vectors or matrices: both sides expand to the same polynomials.

    Parameters
    ----------
    identity : str or Identity
        Name, ``"M1"`` to ``"M27"`` or ``"P1"`` to ``"P7"``, or an identity of your own.

    Returns
    -------
    Proof
        Named tuple: whether the identity holds, and the size of the comparison.

    Raises
    ------
    SpatialError
        If there is no identity of that name, or if it is about joints (K and J). For those, `check`
        measures the residual.

    See Also
    --------
    check : Residual for random numbers.

    Notes
    -----
    Every entry of the arguments is a separate symbol; see `general`. Matrices have two columns;
    since both sides are linear in each column, the proof holds for any number of columns. Needs
    SymPy.

    Examples
    --------
    >>> prove("M5")
    Proof(holds=True, entries=24, symbols=24, terms=72)
    """
    import sympy

    if isinstance(identity, str):
        if identity not in IDENTITIES:
            raise SpatialError(f"prove: no identity {identity!r}; there are M1 to M27, P1 to P7")
        identity = IDENTITIES[identity]
    if identity.about_joints:
        raise SpatialError(
            f"prove: {identity.name} is about joints of a model; `check` measures its residual"
        )
    arguments = [general(letter) for letter in identity.letters.split()]
    left = [sympy.expand(x) for x in np.ravel(identity.lhs(*arguments))]
    sides = [np.ravel(side(*arguments)) for side in identity.right_sides.values() if side]
    same = [sympy.expand(a - b) == 0 for side in sides for a, b in zip(left, side, strict=True)]
    symbols = {
        s for x in arguments for entry in np.ravel(x) for s in sympy.sympify(entry).free_symbols
    }
    terms = sum(len(sympy.Add.make_args(x)) for x in left if x != 0)
    return Proof(all(same), len(same), len(symbols), terms)


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
