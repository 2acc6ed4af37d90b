"""Labels of bodies in terms."""

from __future__ import annotations

from collections.abc import Mapping

from tensor_sva.identities.derivation.terms import PARENT, Atom, Factor, Op, Term, Word

__all__ = ["depends_on_k", "renamed"]


def renamed(term: Term, bodies: Mapping[str, str]) -> Term:
    """Rename the bodies in a term; parents follow, so that λi becomes λj if i becomes j."""

    def body_of(body: str) -> str:
        origin = body.lstrip(PARENT)
        return body[: len(body) - len(origin)] + bodies.get(origin, origin)

    def word_of(word: Word) -> Word:
        return tuple(factor_of(x) for x in word)

    def factor_of(x: Factor) -> Factor:
        if isinstance(x, Op):
            return Op(x.name, word_of(x.word), body_of(x.body))
        return Atom(x.name, body_of(x.body), x.column) if isinstance(x, Atom) else x

    return Term.of((word_of(word), n) for word, n in term)


def depends_on_k(word: Word) -> bool:
    """Return True if a product of factors contains a quantity of body k, the index of sums."""
    return any(
        depends_on_k(x.word) if isinstance(x, Op) else isinstance(x, Atom) and "k" in x.body
        for x in word
    )
