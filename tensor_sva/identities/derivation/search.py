"""Search of derivations: rewrite both sides of a statement until they are the same term.

Nothing here is trusted; the checker follows the steps that are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from tensor_sva.identities.derivation.algebra import ALGEBRA
from tensor_sva.identities.derivation.checker import Key, Place, Step, match, rewrite, sum_around
from tensor_sva.identities.derivation.definitions import DEFINITIONS, SUMS
from tensor_sva.identities.derivation.labels import depends_on_k
from tensor_sva.identities.derivation.rules import Rules
from tensor_sva.identities.derivation.terms import PARENT, Atom, Op, ProofError, Term, Word, kind

__all__ = ["LEVELS", "Found", "search"]

_RATES, _PATHS = {"psid", "psidd", "Sd", "B", "f"}, {"v", "a", "xi", "gamma"}

LEVELS: tuple[set[str], ...] = (
    set(),
    _RATES,
    _RATES | _PATHS,
    {"vJ", "aJ", "I", "Xstar", "S"},
    {"X", "Xinv", "S", "direction"},
)
"""Quantities that are replaced by their definitions, tried in this order."""

LONGEST = 400
"""Largest number of steps from the left side; beyond it the search is given up."""

Named = Callable[[str, str], str]
"""Function of a derivative ("Dq" or "Dqd") and a quantity: returns the name of the theorem about
that derivative, or an empty string.
"""


class Found(NamedTuple):
    """Result of a search: steps from both sides to the same term, or to two different ones."""

    left: tuple[Step, ...]
    """Steps from the left side."""
    right: tuple[Step, ...]
    """Steps from the right side."""
    gap: Term
    """Difference of the last terms; zero if the derivation is complete."""
    stopped: str = ""
    """Message of the rule that ended the search because it does not hold; empty if none did."""


def search(left: Term, right: Term, rules: Rules, named: Named) -> Found:
    """Search for steps that lead both sides to one term; try `LEVELS` until one succeeds."""
    result = Found((), (), left - right)
    for level in LEVELS:
        result = _met(left, right, level, rules, named)
        if not result.gap:
            break
    return result


def _met(left: Term, right: Term, level: set[str], rules: Rules, named: Named) -> Found:
    """Rewrite both sides until they are equal or no rule applies.

    Products that are in both sides are rewritten only if no rule applies to any other.
    """
    ends: list[Term] = [left, right]
    steps: tuple[list[Step], list[Step]] = ([], [])
    stopped = ""
    while ends[0] != ends[1] and len(steps[0]) + len(steps[1]) < LONGEST:
        apart = {word for word, _ in ends[0] - ends[1]}
        every = {word for end in ends for word, _ in end}
        redexes: list[tuple[int, Key, Place]] = []
        for words in (apart, every):
            redexes = redexes or [
                (n, redex[0], Place(word, redex[1]))
                for n, end in enumerate(ends)
                for word, _ in end
                if word in words and (redex := _redex(word, level, rules, named))
            ]
        if not redexes:
            break
        side, key, _ = min(redexes, key=lambda x: (_rank(x[1]), x[0]))
        places = tuple(place for n, k, place in redexes if (n, k) == (side, key))
        try:
            steps[side].append(_step(ends[side], key, places, rules))
        except ProofError as error:
            stopped = str(error)
            break
        ends[side] = steps[side][-1].result
    return Found(tuple(steps[0]), tuple(steps[1]), ends[0] - ends[1], stopped)


def _step(term: Term, key: Key, places: tuple[Place, ...], rules: Rules) -> Step:
    after = term
    for word, path in places:
        rule = rules(key, sum_around(word, path))
        after += term.words[word] * (rewrite(rule, word, path) - Term.word(*word))
    return Step(key, places, after)


def _rank(key: Key) -> int:
    """Return the rank of a rule: product rule first, then derivatives and sums, then definitions,
    then algebra.
    """
    if key.name in ("product rule", "linearity", "constant"):
        return 0
    return 3 if key.name in ALGEBRA else 2 if key.name.startswith("definition") else 1


def _places(word: Word, path: tuple[int, ...] = ()) -> Iterator[tuple[Word, tuple[int, ...]]]:
    """Yield every factor of a product together with the factors after it, and its position;
    innermost arguments first.
    """
    for n, factor in enumerate(word):
        if isinstance(factor, Op):
            yield from _places(factor.word, (*path, n))
        yield word[n:], (*path, n)


def _redex(
    word: Word, level: set[str], rules: Rules, named: Named
) -> tuple[Key, tuple[int, ...]] | None:
    """Return a rule that applies to a product, and the position where it applies; None if no rule
    does.
    """
    for rest, path in _places(word):
        first = rest[0]
        if isinstance(first, Op) and first.name in ("Dq", "Dqd"):
            key, inside = _derivative(first, rules, named)
            return key, (*path, 0) if inside else path
    for way in (_sum, _definition, _transform, _algebra):
        for rest, path in _places(word):
            if place := way(rest, level):
                return place, path
    for chain, path in _chains(word):
        if n := _out_of_place(chain):
            return Key("M8"), (*path[:-1], path[-1] + n - 1)
    return None


def _chains(word: Word) -> Iterator[tuple[Word, tuple[int, ...]]]:
    """Yield the longest products ``v1 x v2 x ... m`` of motion vectors in a product of factors,
    with their positions.
    """
    before: Op | None = None
    for rest, path in _places(word):
        first = rest[0]
        before = None if path[-1] == 0 else before
        crossed = isinstance(first, Op) and first.name == "crm"
        if crossed and before is None and len(rest) > 1 and kind(rest) == "M1":
            yield rest, path
        before = first if crossed and isinstance(first, Op) else None


def _out_of_place(chain: Word) -> int:
    """Return the number of the factor, from 1, that is to be the last of ``v1 x v2 x ... m``; 0 if
    it is the last already.

    The last factor is to be the column p, the direction of the derivative, if there is one, else
    another column, else the quantity with the last name in alphabetical order.
    """
    atoms = [x.word[-1] if isinstance(x, Op) else x for x in chain]
    if not all(isinstance(x, Atom) for x in atoms):
        return 0
    best = max(atoms, key=lambda x: (x.column == "p", x.column, x.name, x.body))  # type: ignore[union-attr]
    return 0 if atoms[-1] == best else len(atoms) - atoms[::-1].index(best)


def _derivative(factor: Op, rules: Rules, named: Named) -> tuple[Key, bool]:
    """Return the rule for a derivative, and True if it applies to the derivative's argument."""
    D, argument = factor.name, factor.word
    first = argument[0]
    if len(argument) > 1:
        return Key("product rule", column=D), False
    if isinstance(first, Op):
        if first.name == "sum":
            (part,) = first.word
            assert isinstance(part, Atom)
            return Key("derivative of a sum", first.body, f"{D} {part.name}"), False
        return Key("linearity", column=f"{D} {first.name}"), False
    assert isinstance(first, Atom)
    name, body, column = first.name, first.body, first.column
    if name in ("A", "Ainv") and D == "Dq":
        return Key("exponential map", body, name), False
    if name == "qd" and D == "Dqd":
        return Key("velocity of the joint", body), False
    theorem = named(D, name)
    if theorem and (theorem != rules.current.name or body.startswith(PARENT)):
        return Key(theorem, body), False
    if name in DEFINITIONS or name in SUMS:
        return Key(f"definition of {name}", body, column), True
    return Key("constant", column=D), False


def _sum(rest: Word, level: set[str]) -> Key | None:
    factor = rest[0]
    if not (isinstance(factor, Op) and factor.name == "sum"):
        return None
    first, *others = factor.word
    if others and not depends_on_k((first,)):
        return Key("sum", factor.body, "left")
    if others and not depends_on_k(tuple(others)):
        return Key("sum", factor.body, "right")
    if not others and isinstance(first, Op) and first.name in ("crm", "crf", "icrf"):
        return Key("sum", factor.body, first.name)
    return None


def _definition(rest: Word, level: set[str]) -> Key | None:
    first = rest[0]
    if not isinstance(first, Atom) or first.body.startswith(PARENT):
        return None
    name, body, column = first.name, first.body, first.column
    if name in SUMS or (name in level and (column != "p" or name != "S" or "direction" in level)):
        return Key(f"definition of {name}", body, column)
    return None


def _transform(rest: Word, level: set[str]) -> Key | None:
    if len(rest) < 2:
        return None
    first, second = rest[:2]
    if isinstance(first, Op) and first.name == "crm" and isinstance(second, Atom):
        if second.name in ("X", "A") and first.word[0] == second:
            return Key(f"({second.name} v)× {second.name} = {second.name} v×", second.body)
    elif isinstance(first, Atom) and first.name in ("Xinv", "Ainv") and isinstance(second, Op):
        X = first.name.removesuffix("inv")
        if second.name == "crm" and second.word[0] == Atom(X, first.body):
            return Key(f"{X}⁻¹ ({X} v)× = v× {X}⁻¹", first.body)
    return None


def _algebra(rest: Word, level: set[str]) -> Key | None:
    for name in ("P1", "P2", "P3", "M1", "M8, v = m", "M14"):
        if match(ALGEBRA[name].left, rest):
            return Key(name)
    first = rest[0]
    if isinstance(first, Op) and first.name == "T" and len(first.word) > 1:
        return Key("transpose of a product")
    return None
