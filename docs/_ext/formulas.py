"""Typesetting of the formulas in the Notes of docstrings.

Docstrings are read in editors and terminals, where ``tau = S_i^T f_i`` reads better than its TeX.
On the site such formulas become TeX. Code that contains a word which is not a symbol is left
unchanged.
"""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

CODE = re.compile(r"(?<!`)``([^`]+)``(?!`)")
TOKEN = re.compile(
    r"(?P<cross>(?<=\s)x(?:bar)?\*?(?=[\s)])|x(?:bar)?\*)|(?P<word>[A-Za-z]+\d*(?:_[A-Za-z0-9]+)*)"
    r"|(?P<number>\d+(?:\.\d+)?)|(?P<power>\^-?\w+)|(?P<sign><=|>=|!=|\(\+\)|\(-\)|[=+\-/(),<>|;])|(?P<space>\s+)"
    r"|(?P<dot>\.(?=\s))"
)
FORMULA = re.compile(r" = |\^T|\^-1|_[ij]\b")
NONE = re.compile(r"[\[\]{}@:\"'*]|\^\w+\^|_d[a-z]")
"""Patterns that rule out a formula: indices and keys, two powers, names of results."""
SYMBOLS = {
    "tau": r"\tau", "qdd": r"\ddot q", "qd": r"\dot q", "psi": r"\Psi", "psid": r"\dot\Psi",
    "psidd": r"\ddot\Psi", "Sd": r"\dot S", "lambda": r"\lambda", "omega": r"\omega",
    "Gamma": r"\Gamma", "gamma": r"\gamma", "alpha": r"\alpha", "mu": r"\mu", "nu": r"\nu",
    "xi": r"\xi", "zeta": r"\zeta", "phi": r"\phi", "theta": r"\theta", "delta": r"\delta",
    "IC": "I^C", "BC": "B^C", "fC": "f^C", "eC": "e^C", "IA": "I^A", "pA": "p^A", "vJ": "v_J",
    "Hdot": r"\dot H", "Minv": "H^{-1}", "cos": r"\cos", "sin": r"\sin", "tan": r"\tan",
    "exp": r"\exp", "log": r"\log", "dt": r"\mathrm dt",
    "ID": r"\mathrm{ID}", "FD": r"\mathrm{FD}", "for": r"\ \text{for}\ ", "at": r"\ \text{at}\ ",
    "f_ext": r"f^x", "skew": r"\mathrm{skew}",
}  # fmt: skip
SIGNS = {"<=": r"\le ", ">=": r"\ge ", "!=": r"\ne ", "(+)": r"\oplus ", "(-)": r"\ominus "}
CROSSES = {"x": r"\times ", "x*": r"\times^* ", "xbar*": r"\bar\times^* ", "xbar": r"\bar\times "}


def tex(text: str) -> str | None:
    """Return a formula as TeX; None if the text is no formula or is not understood."""
    if not FORMULA.search(text) or NONE.search(re.sub(r"x(?:bar)?\*", "", text)):
        return None
    out, end = [], 0
    for found in TOKEN.finditer(text):
        if found.start() != end:
            return None
        end = found.end()
        kind, piece = found.lastgroup, found[0]
        part = {
            "cross": lambda p: CROSSES[p],
            "word": word,
            "number": lambda p: p,
            "power": lambda p: f"^{{{p[1:]}}}",
            "sign": lambda p: SIGNS.get(p, p),
            "space": lambda p: r"\, ",
            "dot": lambda p: r"\cdot ",
        }[kind or ""](piece)
        if part is None:
            return None
        out.append(part)
    if end != len(text):
        return None
    found_tex = "".join(out)
    return found_tex.replace("d ", r"\partial ") if re.search("/d(?!t\\b)", text) else found_tex


def word(name: str) -> str | None:
    """Return a symbol with its indices as TeX; None for an English word."""
    if name in SYMBOLS:
        return f"{{{SYMBOLS[name]}}}" if "^" in SYMBOLS[name] else SYMBOLS[name]
    head, _, index = name.partition("_")
    if head == "sum":
        return rf"\sum_{{{index}}}" if index else r"\sum "
    if derivative := re.fullmatch(r"d(tau|qdd|qd|q|H|M|v|a|f)", head):
        base = f"d {SYMBOLS.get(derivative[1], derivative[1])}"
    elif head in SYMBOLS:
        base = SYMBOLS[head]
    elif len(head) == 1:
        base = head
    elif re.fullmatch(r"[A-Z]d", head):
        base = rf"\dot {head[0]}"
    elif re.fullmatch(r"[A-Za-z]\d+", head) and not index:
        base = f"{head[0]}_{{{head[1:]}}}"
    else:
        return None
    if not index:
        return base
    return None if len(index) > 3 else f"{{{base}}}_{{{index.replace('_', '')}}}"


def typeset(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Replace formulas by TeX between the heading Notes of a docstring and the next heading."""
    text = "\n".join(lines)
    found = re.search(r"^Notes\n-----\n(.*?)(?=^\w[\w ]*\n---+\n|\Z)", text, re.S | re.M)
    if found:

        def replaced(match: re.Match[str]) -> str:
            formula = tex(" ".join(match[1].split()))
            return match[0] if formula is None else f":math:`{formula}`"

        notes = CODE.sub(replaced, found[1])
        lines[:] = (text[: found.start(1)] + notes + text[found.end(1) :]).split("\n")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", typeset, priority=300)
    return {"parallel_read_safe": True}
