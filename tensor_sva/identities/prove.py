"""Proofs of identities: by expansion, or by a derivation that a small checker follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from spatial_v2.exceptions import SpatialError
from tensor_sva.identities.derivation.lemmas import LEMMAS
from tensor_sva.identities.derivation.show import Line, as_text, lines
from tensor_sva.identities.derivation.theory import Derivation, theory
from tensor_sva.identities.derivation.trace import statement
from tensor_sva.identities.general import general
from tensor_sva.identities.identity import Identity
from tensor_sva.identities.registry import named

__all__ = ["Derived", "Proof", "general", "prove"]


class Proof(NamedTuple):
    """Result of `prove` for an identity of vectors or matrices."""

    holds: bool
    """True if every entry of both sides expands to the same polynomial."""
    entries: int
    """Number of entries compared, in all cases together."""
    symbols: int
    """Number of symbols in the arguments."""
    terms: int
    """Number of terms of the expanded left side."""


class Derived(NamedTuple):
    """Result of `prove` for an identity about joints."""

    holds: bool
    """True if the derivations of all cases are complete."""
    cases: Mapping[str, list[Line]]
    """Lines of the derivation by case; each equals the one before it by a rule."""
    gaps: Mapping[str, str]
    """For each case that is not proved: the difference of the sides, or the rule that does not
    hold.
    """

    @property
    def steps(self) -> int:
        """Number of steps in all cases together."""
        return sum(len(x) - 1 for x in self.cases.values())

    @property
    def rules(self) -> list[str]:
        """Names of the rules in use."""
        return sorted({line.reason for x in self.cases.values() for line in x[1:]})


def prove(identity: str | Identity) -> Proof | Derived:
    """Prove an identity: by expansion if it is about vectors or matrices, else by a derivation.

    Parameters
    ----------
    identity : str or Identity
        Name, ``"M1"`` to ``"M27"``, ``"K1"`` to ``"K16"``, ``"J1"`` to ``"J9"``, ``"P1"`` to
        ``"P7"``, a lemma, ``"E1"`` to ``"E6"`` or ``"L1"`` to ``"L8"``, or an identity of your own.

    Returns
    -------
    Proof or Derived
        Named tuple: whether the identity holds, and the size of the comparison or the derivations.

    Raises
    ------
    SpatialError
        If there is no identity of that name, or the sides of an identity about joints are not
        terms of the operators of this package, of one shape and kind.

    See Also
    --------
    check : Residual for random numbers.

    Notes
    -----
    By expansion: every entry of the arguments is a separate symbol; see `general`. Matrices have
    two columns; since both sides are linear in each column, the proof holds for any number of
    columns. Both sides expand to the same polynomials.

    By derivation: both sides are read from the code of the identity. Derivatives follow from the
    definitions of the quantities and from the exponential map of joint j, by induction along the
    tree, separately for every relation of bodies i and j. Each step applies one rule: a definition,
    the product rule, an identity that expansion proves, or a derivative proved before. A checker
    follows all steps. If ``holds`` is False, no derivation was found: a wrong identity has none.

    Needs SymPy.

    Examples
    --------
    >>> prove("M5")
    Proof(holds=True, entries=24, symbols=24, terms=72)
    >>> J1 = prove("J1")
    >>> for line in J1.cases["j < i"]:
    ...     print(line.text, f"[{line.reason}]")
    ∂q(s(i,c)) []
    ∂q(X(i) S0(i) e(c)) [definitions]
    ∂q(X(i)) S0(i) e(c) [product rule]
    s(j,p) × (X(i) S0(i) e(c)) [E1]
    s(j,p) × s(i,c) [definitions]
    """
    if isinstance(identity, str):
        if identity in LEMMAS:
            theory().learn(identity)
            return _result(identity, theory().derivations[identity])
        identity = named(identity)
    return _derived(identity) if identity.about_joints else _expanded(identity)


def _expanded(identity: Identity) -> Proof:
    import sympy

    arguments = [general(letter) for letter in identity.letters.split()]
    left = [sympy.expand(x) for x in np.ravel(identity.lhs(*arguments))]
    sides = [np.ravel(side(*arguments)) for side in identity.right_sides.values() if side]
    same = [sympy.expand(a - b) == 0 for side in sides for a, b in zip(left, side, strict=True)]
    symbols = {
        s for x in arguments for entry in np.ravel(x) for s in sympy.sympify(entry).free_symbols
    }
    terms = sum(len(sympy.Add.make_args(x)) for x in left if x != 0)
    return Proof(all(same), len(same), len(symbols), terms)


def _derived(identity: Identity) -> Derived:
    try:
        theorem = statement(identity)
    except (AttributeError, TypeError, SpatialError) as error:
        raise SpatialError(
            f"prove: {identity.name} cannot be read as terms of operators of tensor_sva: {error}"
        ) from error
    return _result(identity.name, theory().prove(theorem))


def _result(name: str, derivations: Mapping[str, Derivation]) -> Derived:
    gaps = {case: x.stopped or as_text(x.gap) for case, x in derivations.items() if x.gap}
    complete = {case: lines(x, name) for case, x in derivations.items() if not x.gap}
    return Derived(not gaps, complete, gaps)
