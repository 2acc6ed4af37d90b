"""prove: prove the identities for the operators of another implementation."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from tensor_sva.identities.general import COLUMNS, general
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.prove import Derived, Proof
from tensor_sva.identities.prove import prove as prove_identity
from tensor_sva.suite.operators import needs, operators_of, rewritten
from tensor_sva.suite.run import chosen

__all__ = ["Verdict", "prove"]


class Verdict(NamedTuple):
    """Result of `prove` for one identity."""

    name: str
    """Name of the identity, such as ``"M7"``."""
    proof: Proof | Derived | None
    """The proof; None if operators are missing or raised an error."""
    same: bool
    """True if the right sides of an identity about joints are the same polynomials as with the
    operators of this library.
    """
    missing: list[str]
    """Operators of the identity that are missing; if there are any, nothing is proved."""
    error: str
    """Message of the error that an operator raised, else empty."""

    @property
    def holds(self) -> bool:
        """True if the identity is proved for the operators."""
        return self.proof is not None and self.proof.holds and self.same


def prove(operators: object = None, names: Iterable[str] | None = None) -> list[Verdict]:
    """Prove the identities for the operators of another implementation.

    Parameters
    ----------
    operators : module, object or mapping, optional
        Provides some of `OPERATORS`, functions that accept NumPy arrays of SymPy's symbols. By
        default the operators of this library.
    names : iterable of str, optional
        Names of identities; all by default.

    Returns
    -------
    list of Verdict
        One for each identity, in the order of the registry.

    Raises
    ------
    SpatialError
        If a name is unknown, or there is no operator.

    See Also
    --------
    run : Evaluation of the identities with numbers.

    Notes
    -----
    Both sides of M and P are expanded with the given operators. For K and J the right sides are
    expanded with them and with those of this library, for bodies whose quantities are symbols; if
    they are the same polynomials, the derivation of the identity proves them.

    Examples
    --------
    >>> from spatial_v2 import spatial
    >>> wrong = {"crm": spatial.crm, "crf": lambda v: -spatial.crf(v), "icrf": spatial.icrf}
    >>> [(x.name, x.holds) for x in prove(wrong, ["P1", "P2", "J3", "J4"])]
    [('J3', True), ('J4', True), ('P1', True), ('P2', False)]
    """
    if operators is None:
        return [Verdict(x.name, prove_identity(x), True, [], "") for x in chosen(names)]
    theirs = operators_of(operators)
    return [_verdict(x, theirs) for x in chosen(names)]


def _verdict(identity: Identity, operators: dict[str, Any]) -> Verdict:
    missing = [name for name in needs(identity) if name not in operators]
    if missing:
        return Verdict(identity.name, None, False, missing, "")
    theirs = rewritten(identity, operators)
    try:
        if not identity.about_joints:
            return Verdict(identity.name, prove_identity(theirs), True, [], "")
        same = _same_right_sides(identity, theirs)
    except Exception as raised:
        return Verdict(identity.name, None, False, [], f"{type(raised).__name__}: {raised}")
    return Verdict(identity.name, prove_identity(identity), same, [], "")


def _same_right_sides(ours: Identity, theirs: Identity) -> bool:
    import sympy

    constants = [general(letter)[:, 0] for letter in ours.letters.split()[2:]]
    arguments = (_symbolic("i"), _symbolic("j"), *constants)
    for case, side in ours.right_sides.items():
        if side is not None:
            other = theirs.right_sides[case]
            assert other is not None
            a, b = np.asarray(side(*arguments)), np.asarray(other(*arguments))
            if a.shape != b.shape or any(sympy.expand(x) != 0 for x in (a - b).ravel()):
                return False
    return True


def _symbolic(label: str) -> Any:
    """Return a body whose quantities are arrays of symbols."""
    import sympy

    def symbols(name: str, *shape: int) -> Any:
        out: np.ndarray[Any, Any] = np.empty(shape, object)
        for index in np.ndindex(*shape):
            out[index] = sympy.Symbol(f"{name}_{label}_{'_'.join(map(str, index))}", real=True)
        return out

    columns = {name: symbols(name, 6, COLUMNS) for name in ("S", "Sd", "psid", "psidd")}
    vectors = {name: symbols(name, 6) for name in ("v", "a", "xi", "gamma", "vJ", "f", "fC")}
    above = {name: symbols(f"{name}p", 6) for name in ("v", "xi", "gamma")}
    return SimpleNamespace(
        **columns,
        **vectors,
        I=general("I"),
        IC=general("I"),
        B=symbols("B", 6, 6),
        BC=symbols("BC", 6, 6),
        parent=SimpleNamespace(**above),
    )
