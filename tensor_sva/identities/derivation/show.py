"""Derivations as text and as formulas: each line is a term, with the rule that led to it."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from tensor_sva.identities.derivation.terms import PARENT, Atom, Factor, Op, Term, Word, kind

if TYPE_CHECKING:
    from tensor_sva.identities.derivation.checker import Key, Step
    from tensor_sva.identities.derivation.theory import Derivation

__all__ = ["Line", "as_latex", "as_text", "lines"]


class Line(NamedTuple):
    """A line of a derivation, equal to the line before it by a rule."""

    text: str
    """The term in plain text."""
    latex: str
    """The term in LaTeX, in rows of an environment ``aligned`` if it is long."""
    reason: str
    """The rule: an identity, a lemma, or the name of a rule; empty in the first line."""


SYMBOLS = {
    "S": ("s", "s_{#}"), "Sd": ("sd", r"\dot s_{#}"),
    "psid": ("psid", r"\dot\psi_{#}"), "psidd": ("psidd", r"\ddot\psi_{#}"),
    "v": ("v", "v_{#}"), "a": ("a", "a_{#}"), "xi": ("xi", r"\xi_{#}"),
    "gamma": ("gamma", r"\gamma_{#}"), "vJ": ("vJ", "v_{J#}"), "aJ": ("aJ", "a_{J#}"),
    "I": ("I", "I_{#}"), "IC": ("IC", "I_{#}^C"), "B": ("B", "B_{#}"), "BC": ("BC", "B_{#}^C"),
    "f": ("f", "f_{#}"), "fC": ("fC", "f_{#}^C"), "m": ("m", "m"), "force": ("f", "f"),
    "X": ("X", "X_{#}"), "Xinv": ("X^-1", "X_{#}^{-1}"), "Xstar": ("X^-T", r"X_{#}^{-\top}"),
    "A": ("A", "A_{#}"), "Ainv": ("A^-1", "A_{#}^{-1}"),
    "S0": ("S0", r"\mathring S_{#}"), "I0": ("I0", r"\mathring I_{#}"), "e": ("e", "e_{#}"),
    "qd": ("qd", r"\dot q_{#}"), "qdd": ("qdd", r"\ddot q_{#}"),
}  # fmt: skip
"""Symbols of the quantities, in text and in LaTeX, where # is the label."""

CROSS = {"crm": ("×", r"\times"), "crf": ("×*", r"\times^*"), "icrf": ("×̄*", r"\bar\times^*")}
"""Signs of cross products."""

ROW = 3
"""Largest number of products in a row of LaTeX."""

DERIVATIVE = {"Dq": ("∂q", r"\partial_{q_{j,p}}"), "Dqd": ("∂qd", r"\partial_{\dot q_{j,p}}")}
"""Notation of derivatives along direction p of joint j."""


def as_text(term: Term) -> str:
    """Return a term in plain text.

    Examples
    --------
    >>> from tensor_sva.identities.derivation.definitions import DEFINITIONS
    >>> as_text(DEFINITIONS["psid"]("j", "p"))
    'v(λj) × s(j,p)'
    """
    return _sum(term, 0)


def as_latex(term: Term) -> str:
    """Return a term in LaTeX.

    Examples
    --------
    >>> from tensor_sva.identities.derivation.definitions import DEFINITIONS
    >>> as_latex(DEFINITIONS["v"]("i", ""))
    'v_{\\\\lambda(i)} + v_{Ji}'
    """
    return _sum(term, 1)


def _sum(term: Term, style: int) -> str:
    out = ""
    for n, (word, x) in enumerate(term):
        size = abs(x)
        if style and n and n % ROW == 0:
            out += r" \\ & \quad"
        fraction = str(size) if style == 0 or size.denominator == 1 else _fraction(size)
        number = "" if size == 1 else f"{fraction} "
        sign = ("-" if x < 0 else "") if not out else (" - " if x < 0 else " + ")
        out += sign + number + _product(word, style)
    return out or "0"


def _fraction(x: Fraction) -> str:
    return rf"\tfrac{{{x.numerator}}}{{{x.denominator}}}"


def _product(word: Word, style: int) -> str:
    first, *others = word
    rest = tuple(others)
    if isinstance(first, Op) and first.name in CROSS:
        cross = f"{_enclosed(first.word, style)} {CROSS[first.name][style]}"
        if not rest or kind(rest)[1] != "1":
            return f"({cross})" + (f" {_product(rest, style)}" if rest else "")
        return f"{cross} {_enclosed(rest, style)}"
    if not rest:
        return _factor(first, style)
    crossed = isinstance(rest[0], Op) and rest[0].name in CROSS and kind(rest)[1] == "1"
    after = _enclosed(rest, style) if crossed else _product(rest, style)
    return f"{_factor(first, style)} {after}"


def _enclosed(word: Word, style: int) -> str:
    text = _product(word, style)
    return text if len(word) == 1 and isinstance(word[0], Atom) else f"({text})"


def _factor(factor: Factor, style: int) -> str:
    if isinstance(factor, Atom):
        return _atom(factor, style)
    assert isinstance(factor, Op)
    if factor.name == "T":
        text = _enclosed(factor.word, style)
        return (f"({text})" if "^" in text and text[-1] != ")" else text) + ("^T", r"^\top")[style]
    if factor.name == "sum":
        sign = (f"Σ(k≥{factor.body})", rf"\sum_{{k\succeq {factor.body}}}")[style]
        return f"{sign} ({_product(factor.word, style)})"
    return f"{DERIVATIVE[factor.name][style]}({_product(factor.word, style)})"


def _atom(atom: Atom, style: int) -> str:
    body = atom.body
    if style and body.startswith(PARENT):
        body = rf"\lambda({body.removeprefix(PARENT)})"
    label = ",".join(x for x in (body, atom.column) if x)
    symbol = SYMBOLS[atom.name][style]
    if style:
        return symbol.replace("#", label)
    return f"{symbol}({label})" if label else symbol


def lines(derivation: Derivation, name: str = "") -> list[Line]:
    """Return the lines of a derivation from the left side to the right side.

    Consecutive steps by the same rule make one line. Steps from the right side are read backwards.
    `name` is the name of the identity that is derived; where the derivation uses that identity for
    the parent of a body, by induction, the line says so.
    """
    there, back = _grouped(derivation.left), _grouped(derivation.right)
    terms = [derivation.start, *(x for _, x in there)]
    reasons = ["", *(reason for reason, _ in there)]
    if back:
        terms += [x for _, x in back[-2::-1]] + [derivation.end]
        reasons += [reason for reason, _ in back[::-1]]
    joined: list[tuple[Term, str]] = []
    for term, reason in zip(terms, reasons, strict=True):
        if joined and reason and joined[-1][1] == reason:
            joined.pop()
        joined.append((term, reason))
    return [_line(x, f"{name} of the parent" if r == name else r) for x, r in joined]


def _line(term: Term, reason: str) -> Line:
    return Line(as_text(term), as_latex(term), reason)


def _grouped(steps: tuple[Step, ...]) -> list[tuple[str, Term]]:
    out: list[tuple[str, Term]] = []
    for step in steps:
        reason = _reason(step.key)
        if out and out[-1][0] == reason:
            out.pop()
        out.append((reason, step.result))
    return out


def _reason(key: Key) -> str:
    name = key.name
    if name.startswith("definition"):
        return "definitions"
    return {
        "linearity": "product rule",
        "constant": "product rule",
        "transpose of a product": "M1",
        "M8, v = m": "M8",
        "sum": "linearity of sums",
    }.get(name, name)
