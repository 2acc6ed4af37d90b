"""The checker of derivations: a step is accepted if one rule, applied to some products, gives its
result.

A term is a sum of products of factors; in the code a product is called a `Word`. Every identity
about joints that is called proved has passed `follow`. The search for derivations is not trusted: a
fault there can lose a proof, but never make one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from tensor_sva.identities.derivation.terms import Factor, Op, ProofError, Term, Var, Word, kind, op

__all__ = ["Key", "Place", "Rule", "Step", "follow", "match", "rewrite"]

Binding = Mapping[str, Word]
"""Dictionary from the letters of a rule to the products of factors that they stand for."""


class Key(NamedTuple):
    """Name of a rule, and labels of the body and column it is about; `Rules` returns the rule."""

    name: str
    """Name of the rule."""
    body: str = ""
    """Label of the body, such as ``i`` or ``λi``."""
    column: str = ""
    """Label of a column of a joint's matrix, such as S: ``p`` for the direction of the derivative,
    ``c`` for any other. Rules about no column use it for another argument, for example an operator.
    """


class Rule(NamedTuple):
    """An equation that holds for all products of factors that its letters may stand for."""

    left: Word
    """The left side, one product of factors."""
    right: Term
    """The right side."""
    condition: Callable[[Binding], bool] | None = None
    """Further condition on the products that the letters stand for: for example, that a factor does
    not depend on the summation index k.
    """


class Place(NamedTuple):
    """Position of a factor in one of the products of a term."""

    word: Word
    """The product of factors."""
    path: tuple[int, ...]
    """Indices that lead to the position: the index of a factor of the product; if the position is
    in the argument of that factor, then the index of a factor of the argument, and so on.
    """


class Step(NamedTuple):
    """A step of a derivation: one rule, applied at some positions of a term."""

    key: Key
    """The rule that was applied."""
    places: tuple[Place, ...]
    """Positions where the rule was applied, each in a different product of the term."""
    result: Term
    """The term after the step."""


RuleOf = Callable[[Key, str], Rule]
"""Function that returns the rule of a key. Its second argument is for positions inside a sum over a
subtree: the label of the body at the root of that subtree; it is empty elsewhere.
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
        If a rule does not apply at a position, or a step has a result that the rule does not give.
    """
    kinds = {kind(word) for word, _ in start}
    for step in steps:
        if len({place.word for place in step.places}) != len(step.places):
            raise ProofError(
                f"step {step.key}: want each place in another product, got one with two"
            )
        after = start
        for word, path in step.places:
            if word not in start.words:
                raise ProofError(f"step {step.key}: the product {word} is not in the term")
            rule = rule_of(step.key, sum_around(word, path))
            after += start.words[word] * (rewrite(rule, word, path) - Term.word(*word))
        if after != step.result:
            raise ProofError(
                f"step {step.key}: the rule gives {after}, but the step says {step.result}"
            )
        if not {kind(word) for word, _ in after} <= kinds:
            raise ProofError(
                f"step {step.key}: want every product to have factors of the same kinds as a "
                "product of the first step; a motion vector became a force vector, or a matrix "
                "changed its kind"
            )
        start = after
    return start


def sum_around(word: Word, path: tuple[int, ...]) -> str:
    """Return the label of the body whose subtree the innermost sum around a position is over, or an
    empty string if there is no sum around it.
    """
    body = ""
    for n in path[:-1]:
        factor = word[n]
        if not isinstance(factor, Op):
            raise ProofError(f"path {path} leads into a factor of {word} that has no argument")
        body, word = (factor.body if factor.name == "sum" else body), factor.word
    return body


def rewrite(rule: Rule, word: Word, path: tuple[int, ...]) -> Term:
    """Replace the left side of a rule by the right side, at the position `path` of a product."""
    n, *inner = path
    factor = word[n]
    if inner:
        if not isinstance(factor, Op):
            raise ProofError(f"path {path} leads into a factor of {word} that has no argument")
        new = op(factor.name, rewrite(rule, factor.word, tuple(inner)), factor.body)
        return Term.of(((*word[:n], *middle, *word[n + 1 :]), x) for middle, x in new)
    matched = match(rule.left, word[n:])
    if matched is None or (rule.condition and not rule.condition(matched[0])):
        raise ProofError(f"the left side {rule.left} of the rule is not at {path} of {word}")
    binding, used = matched
    return Term.of(
        ((*word[:n], *middle, *word[n + used :]), x)
        for middle, x in substitute(rule.right, binding)
    )


def match(pattern: Word, word: Word) -> tuple[Binding, int] | None:
    """Match a pattern with the first factors of a product.

    Returns
    -------
    tuple of dict and int, or None
        The products that the letters of the pattern stand for, and the number of factors that match
        it; None if they do not match.

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
    """Replace each letter of a term by the product of factors that it stands for."""

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
