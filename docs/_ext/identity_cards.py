"""The directive ``identity-cards M``: a card for each identity of a family in the registry.

A card has the statement, the code of both sides as it stands in the source, the residual measured
now for every case, and the proof: its size if it is by expansion, else the derivation. The
directive ``identity-lemmas`` prints the lemmas that derivations use.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import Any

from hands_on import FOLDER, page_of, write
from tables import Markdown
from tensor_tables import PREFIXES

MOVED = (FOLDER / "identity.html").as_posix()
CASES = {
    "j < i": r"$j \prec i$",
    "j = i": "$j = i$",
    "j > i": r"$j \succ i$",
    "unrelated": "neither",
    "all": "",
    "last": "last form",
}


@cache
def measured() -> tuple[Any, Any]:
    """Return a state of the example model and a random generator, the same for all cards."""
    import numpy as np

    from tensor_sva.identities import State, example_model

    rng = np.random.default_rng(0)
    return State.random(example_model(rng), rng), rng


def sides(identity: Any) -> tuple[str, dict[str, str]]:
    """Return the source text of the left side of an identity, and of its right sides by case."""
    source = inspect.getsource(inspect.getmodule(identity.rhs))
    (call,) = (
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Identity"
        and ast.literal_eval(node.args[0]) == identity.name
    )
    left, right = (code(source, node) for node in call.args[4:6])
    cases = call.args[6] if len(call.args) > 6 else None
    found = {"": right}
    if isinstance(cases, ast.Dict):
        for key, value in zip(cases.keys, cases.values, strict=True):
            found[ast.literal_eval(key)] = code(source, value)
    return left, found


def code(source: str, node: ast.expr) -> str:
    """Return the source text of an expression without its indentation."""
    return dedent(" " * node.col_offset + (ast.get_source_segment(source, node) or ""))


def number(x: float) -> str:
    return "0" if x == 0 else f"{x:.0e}"


class IdentityCards(Markdown):
    """Directive that prints the cards of one family, after a line of links to them."""

    required_arguments = 1

    def markdown(self) -> str:
        from tensor_sva.identities import IDENTITIES

        (prefix,) = self.arguments
        family = [x for name, x in IDENTITIES.items() if name.startswith(prefix)]
        lines = ["", f"## {PREFIXES[prefix]}", ""]
        lines += [f"{family[0].source}. " + " ".join(f"[{x.name}](#{x.name})" for x in family)]
        for identity in family:
            lines += card(identity)
        return "\n".join(lines)


def card(identity: Any) -> list[str]:
    """Return the text of a card."""
    left, right = sides(identity)
    letters = ", ".join(f"${tex(k)}$ {v}" for k, v in identity.arguments.items())
    return [
        "",
        f"({identity.name})=",
        f"::::::{{card}} {identity.name}",
        ":class-card: identity",
        "",
        "$$",
        identity.latex,
        "$$",
        "",
        f"{letters}.{elsewhere(identity)}",
        "",
        "```python",
        f"left = {left}",
        *(f"{'right' if not case else f'{name(case)}'} = {text}" for case, text in right.items()),
        "```",
        "",
        ":::{div} verdict",
        verdict(identity),
        ":::",
        *moved(identity.name),
        *derivation(identity.name),
        "::::::",
        "",
    ]


def moved(identity: str) -> list[str]:
    """Return a dropdown with an interactive figure: both sides of an identity for movable
    arguments.
    """
    frame = (
        f'<template><iframe class="hands-on" src="{MOVED}?{identity}" style="height:420px" '
        f'title="{identity}: both sides for arguments that you move"></iframe></template>'
    )
    return [
        "",
        ":::::{dropdown} Move its arguments",
        "",
        "```{raw} html",
        frame,
        "```",
        ":::::",
        "",
    ]


def put_terms(app: Any) -> None:
    """Write the page of the interactive figure in the dropdowns of all cards; the query of its
    address names the identity.
    """
    from identity_terms import all_terms

    file = Path(MOVED)
    write(Path(app.outdir, file.parent), file.name, page_of("identity", all_terms()), "identity")


def elsewhere(identity: Any) -> str:
    """Return a sentence for other pairs of bodies, if neither the formula nor the right sides have
    cases for them.

    It is deduced from the right sides that the tests compare.
    """
    if not identity.about_joints or r"\begin{cases}" in identity.latex:
        return ""
    other = {k: side for k, side in identity.right_sides.items() if k not in ("j < i", "j = i")}
    if any(side is not None for side in other.values()):
        return ""
    return r" This holds if j is i or an ancestor of i, $j \preceq i$; else the derivative is zero."


def tex(letter: str) -> str:
    """Return the letter of an argument as TeX."""
    return r"\lambda" if letter == "lam" else f"{letter[0]}_{letter[1]}" if letter[1:] else letter


def name(case: str) -> str:
    """Return the variable name that shows the right side of a case."""
    return {"j > i": "right_of_descendants", "last": "last", "unrelated": "right_elsewhere"}.get(
        case, "right_" + "".join(c if c.isalnum() else "_" for c in case)
    )


def verdict(identity: Any) -> str:
    """Return a text with the residuals computed in this build and the size or kind of the proof."""
    from tensor_sva.identities import Proof, prove, residuals

    state, rng = measured()
    found = residuals(identity, rng, state=state if identity.about_joints else None)
    text = ", ".join(f"{CASES.get(case, case)} {number(x)}".strip() for case, x in found.items())
    lines = f"Residual of this build: {text}."
    proof = prove(identity)
    if not proof.holds:
        raise ValueError(f"{identity.name}: the proof fails")
    if isinstance(proof, Proof):
        return (
            f"{lines} **Proved**: {proof.entries} entries in {proof.symbols} symbols; both sides "
            f"expand to the same {proof.terms} terms."
        )
    return f"{lines} **Proved**: derived in {proof.steps} lines, below."


def derivation(name: str) -> list[str]:
    """Return a dropdown with the derivation of an identity or a lemma about joints."""
    from tensor_sva.identities import Derived, prove

    proof = prove(name)
    if not isinstance(proof, Derived):
        return []
    lines = [":::::{dropdown} Derivation"]
    for label, rows in grouped(proof.cases):
        lines += ["", f"{label}:", "", "$$", r"\begin{aligned}"]
        lines += [" \\\\\n".join(rows), r"\end{aligned}", "$$"]
    return [*lines, ":::::", ""]


def grouped(cases: Any) -> list[tuple[str, list[str]]]:
    """Join the cases that have the same derivation; return headings, each with its rows of
    formulas.
    """
    rows = {case: [aligned(n, line) for n, line in enumerate(x)] for case, x in cases.items()}
    same = [re.sub(r"(?<=[(λ≥])i\b", "j", line.text) for line in cases["j < i"]]
    out = [(CASES["j < i"], rows["j < i"])]
    if same == [line.text for line in cases["j = i"]]:
        out = [(r"$j \prec i$; for $j = i$ the same with j in place of i", rows["j < i"])]
    else:
        out.append((CASES["j = i"], rows["j = i"]))
    if rows["j > i"] == rows["unrelated"]:
        return [*out, (r"$j \succ i$, or neither", rows["j > i"])]
    return [*out, (CASES["j > i"], rows["j > i"]), ("Neither", rows["unrelated"])]


def aligned(n: int, line: Any) -> str:
    """Return row n of a derivation as TeX: the rule that led to a term, and the term."""
    return (rf"\text{{{line.reason}}}\quad = " if n else "") + f"& {line.latex}"


class IdentityLemmas(Markdown):
    """Directive that prints the lemmas that derivations use, each with its derivation."""

    def markdown(self) -> str:
        from tensor_sva.identities import LEMMAS, Derived, prove

        lines = ["", " ".join(f"[{name}](#{name})" for name in LEMMAS), ""]
        for name in LEMMAS:
            proof = prove(name)
            assert isinstance(proof, Derived)
            cases = [
                f"{x[0].latex} = {x[-1].latex} && {label}"
                for case, x in proof.cases.items()
                if (label := LEMMA_CASES[case])
            ]
            same = proof.cases["j < i"][-1].latex == "0" and proof.cases["j = i"][-1].latex == "0"
            shown = cases[:1] if same else cases
            lines += [f"({name})=", f"::::::{{card}} {name}", ":class-card: identity", ""]
            lines += ["$$", r"\begin{aligned}", " \\\\\n".join(f"& {x}" for x in shown)]
            lines += [r"\end{aligned}", "$$", "", *derivation(name), "::::::", ""]
        return "\n".join(lines)


LEMMA_CASES = {"j < i": r"j \prec i", "j = i": "j = i", "j > i": "", "unrelated": ""}


def setup(app: Any) -> dict[str, bool]:
    app.connect("builder-inited", put_terms)
    app.add_directive("identity-lemmas", IdentityLemmas)
    app.add_directive("identity-cards", IdentityCards)
    return {"parallel_read_safe": True}
