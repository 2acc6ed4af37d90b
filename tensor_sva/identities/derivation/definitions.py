"""Definitions of the quantities of a body, in ground coordinates."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tensor_sva.identities.derivation.terms import PARENT, Atom, Term, op

__all__ = ["DEFINITIONS", "SUMS", "at", "coriolis", "crf", "crm", "icrf"]


def at(name: str, body: str, column: str = "") -> Term:
    """Return the term that consists of one atom."""
    return Term.word(Atom(name, body, column))


def crm(v: Term) -> Term:
    """Return crm(v), the operator ``v x`` on motions."""
    return op("crm", v)


def crf(v: Term) -> Term:
    """Return crf(v), the operator ``v x*`` on forces."""
    return op("crf", v)


def icrf(f: Term) -> Term:
    """Return ``f xbar*``, which multiplies motions."""
    return op("icrf", f)


def coriolis(I: Term, v: Term) -> Term:
    """Return the body-Coriolis matrix B(I, v), eq. (14) of the paper of 2023."""
    return Fraction(1, 2) * (crf(v) * I + icrf(I * v) - I * crm(v))


def _above(name: str, body: str) -> Term:
    return at(name, PARENT + body)


def _in_joint(body: str, *rest: Atom) -> Term:
    return Term.word(Atom("X", body), Atom("S0", body), *rest)


DEFINITIONS: dict[str, Callable[[str, str], Term]] = {
    "X": lambda b, _: _above("X", b) * at("A", b),
    "Xinv": lambda b, _: at("Ainv", b) * _above("Xinv", b),
    "Xstar": lambda b, _: op("T", at("Xinv", b)),
    "S": lambda b, c: _in_joint(b, Atom("e", "", c)),
    "vJ": lambda b, _: _in_joint(b, Atom("qd", b)),
    "aJ": lambda b, _: _in_joint(b, Atom("qdd", b)),
    "I": lambda b, _: Term.word(Atom("Xstar", b), Atom("I0", b), Atom("Xinv", b)),
    "v": lambda b, _: _above("v", b) + at("vJ", b),
    "a": lambda b, _: _above("a", b) + at("aJ", b) + crm(at("v", b)) * at("vJ", b),
    "xi": lambda b, _: _above("xi", b) + crm(at("v", b)) * at("vJ", b),
    "gamma": lambda b, _: _above("gamma", b) + at("aJ", b),
    "Sd": lambda b, c: crm(at("v", b)) * at("S", b, c),
    "psid": lambda b, c: crm(_above("v", b)) * at("S", b, c),
    "psidd": lambda b, c: (
        crm(_above("a", b)) * at("S", b, c) + crm(_above("v", b)) * at("psid", b, c)
    ),
    "B": lambda b, _: coriolis(at("I", b), at("v", b)),
    "f": lambda b, _: at("I", b) * at("a", b) + crf(at("v", b)) * at("I", b) * at("v", b),
}
"""Definitions by name, each a function of a body and of the label of a column of its joint's
matrix.

X is the transform of motions from body to ground coordinates, A that across a joint and its fixed
part, S0 and I0 the motion subspace and the inertia in body coordinates, e a unit vector.
"""

SUMS: dict[str, Callable[[str], Term]] = {
    name: lambda b, part=part: op("sum", at(part, "k"), b)  # type: ignore[misc]
    for name, part in {"IC": "I", "BC": "B", "fC": "f"}.items()
}
"""Definitions of the quantities of a subtree by name: sums over its bodies k."""
