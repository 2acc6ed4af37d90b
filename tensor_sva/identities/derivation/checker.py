"""The checker: a step of a derivation is accepted if one rule, applied at places, gives its result.

Everything that is called proved about joints has passed `follow`. The search for derivations is not
trusted: a fault there can lose a proof, but never make one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tensor_sva.identities.derivation.terms import Factor, Op, ProofError, Term, Var, Word, kind, op

__all__ = ["Key", "Place", "Rule", "Step", "follow", "match", "rewrite"]

Binding = Mapping[str, Word]
"""Dictionary from letters to the words that they stand for."""


class Key(NamedTuple):
    """Name of a rule, with the body it is about; `Rules` knows the rule."""

    name: str
    """Name of the rule."""
    body: str = ""
    """Label of the body."""
    column: str = ""
    """Label of the column of a joint matrix."""


class Rule(NamedTuple):
    """An equation that holds for all words its letters stand for."""

    left: Word
    """The left side, one word."""
    right: Term
    """The right side."""
    condition: Callable[[Binding], bool] | None = None
    """Further condition on the words, such as that they do not depend on the body of a sum."""


class Place(NamedTuple):
    """A word of a term and a position in it."""

    word: Word
    """The word."""
    path: tuple[int, ...]
    """Numbers that lead to the position: that of a factor; for a place in its argument, then that
    of a factor there, and so on.
    """


class Step(NamedTuple):
    """A step of a derivation: one rule applied at places of the term before it."""

    key: Key
    """The rule that was applied."""
    places: tuple[Place, ...]
    """Places where the rule was applied, each in another word."""
    result: Term
    """The term after the step."""


RuleOf = Callable[[Key, str], Rule]
"""Function that returns the rule of a key; the text is the label of the body that the sum around a
place is over.
"""


def follow(start: Term, steps: tuple[Step, ...], rule_of: RuleOf) -> Term:
    """Check all steps of a derivation and return its last term.

    Parameters
    ----------
    start : Term
        The term before the first step.
    steps : tuple of Step
        Steps; each begins with the result of the step before it.
    rule_of : callable
        Function that returns the rule of a key, or raises `ProofError` if it is not known.

    Returns
    -------
    Term
        The last term, which equals the first by the rules.

    Raises
    ------
    ProofError
        If a rule does not apply at a place, or the result of a step is another.
    """
    kinds = {kind(word) for word, _ in start}
    for step in steps:
        if len({place.word for place in step.places}) != len(step.places):
            raise ProofError(f"step {step.key}: a word is replaced twice")
        after = start
        for word, path in step.places:
            if word not in start.words:
                raise ProofError(f"step {step.key}: {word} is not in the term")
            rule = rule_of(step.key, sum_around(word, path))
            after += start.words[word] * (rewrite(rule, word, path) - Term.word(*word))
        if after != step.result:
            raise ProofError(f"step {step.key}: the result is {after}, not {step.result}")
        if not {kind(word) for word, _ in after} <= kinds:
            raise ProofError(f"step {step.key}: a vector became another kind of vector")
        start = after
    return start


def sum_around(word: Word, path: tuple[int, ...]) -> str:
    """Return the label of the body of the innermost sum around a place, or an empty string."""
    body = ""
    for n in path[:-1]:
        factor = word[n]
        if not isinstance(factor, Op):
            raise ProofError(f"path {path} leads into no argument of {word}")
        body, word = (factor.body if factor.name == "sum" else body), factor.word
    return body


def rewrite(rule: Rule, word: Word, path: tuple[int, ...]) -> Term:
    """Replace the left side of a rule, found at a place of a word, by the right side."""
    n, *inner = path
    factor = word[n]
    if inner:
        if not isinstance(factor, Op):
            raise ProofError(f"path {path} leads into no argument of {word}")
        new = op(factor.name, rewrite(rule, factor.word, tuple(inner)), factor.body)
        return Term.of(((*word[:n], *middle, *word[n + 1 :]), x) for middle, x in new)
    found = match(rule.left, word[n:])
    if found is None or (rule.condition and not rule.condition(found[0])):
        raise ProofError(f"{rule.left} is not at {path} of {word}")
    binding, used = found
    return Term.of(
        ((*word[:n], *middle, *word[n + used :]), x)
        for middle, x in substitute(rule.right, binding)
    )


def match(pattern: Word, word: Word) -> tuple[Binding, int] | None:
    """Return the words that letters of a pattern stand for at the start of a word, and its length.

    Examples
    --------
    >>> from tensor_sva.identities.derivation.terms import Atom
    >>> m, v = Var("m", "M1"), Atom("v", "i")
    >>> match((Op("crm", (v,)), m), (Op("crm", (v,)), v))
    ({'m': (Atom(name='v', body='i', column=''),)}, 2)
    """
    binding: dict[str, Word] = {}
    used = _match(pattern, word, binding)
    return None if used is None else (binding, used)


def _match(pattern: Word, word: Word, binding: dict[str, Word]) -> int | None:
    n = 0
    for want in pattern:
        if n >= len(word):
            return None
        if isinstance(want, Var):
            piece = word[n : n + 1] if want.single else word[n:]
            if want.kind and kind(piece) != want.kind:
                return None
            if binding.setdefault(want.name, piece) != piece:
                return None
            n += len(piece)
            continue
        if not _same(want, word[n], binding):
            return None
        n += 1
    return n


def _same(want: Factor, factor: Factor, binding: dict[str, Word]) -> bool:
    if not isinstance(want, Op):
        return want == factor
    if not isinstance(factor, Op) or (want.name, want.body) != (factor.name, factor.body):
        return False
    return _match(want.word, factor.word, binding) == len(factor.word)


def substitute(term: Term, binding: Binding) -> Term:
    """Put words for the letters of a term."""

    def word_of(word: Word) -> Word:
        out: list[Factor] = []
        for factor in word:
            if isinstance(factor, Var):
                out += binding[factor.name]
            elif isinstance(factor, Op):
                out.append(Op(factor.name, word_of(factor.word), factor.body))
            else:
                out.append(factor)
        return tuple(out)

    return Term.of((word_of(word), x) for word, x in term)
