"""The directive ``identity-cards M``: a card for each identity of a family in the registry.

A card has the statement, the code of both sides as it stands in the source, the residual measured
now, for every case, and the proof by SymPy of identities that are about no joint.
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from textwrap import dedent
from typing import Any

from tables import Markdown
from tensor_tables import PREFIXES

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
    """A state of the example model and the source of random numbers, the same for all cards."""
    import numpy as np

    from tensor_sva.identities import State, example_model

    rng = np.random.default_rng(0)
    return State.random(example_model(rng), rng), rng


def sides(identity: Any) -> tuple[str, dict[str, str]]:
    """The code of the left side, and of the right side of every case."""
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
    """The cards of one family, after a line of links to them."""

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
    """The text of a card."""
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
        letters + ".",
        "",
        "```python",
        f"left = {left}",
        *(f"{'right' if not case else f'{name(case)}'} = {text}" for case, text in right.items()),
        "```",
        "",
        ":::{div} verdict",
        verdict(identity),
        ":::",
        "::::::",
        "",
    ]


def tex(letter: str) -> str:
    """Return the letter of an argument as TeX."""
    return r"\lambda" if letter == "lam" else f"{letter[0]}_{letter[1]}" if letter[1:] else letter


def name(case: str) -> str:
    """Return the name of a case, for its right side."""
    return {"j > i": "right_of_descendants", "last": "last", "unrelated": "right_elsewhere"}.get(
        case, "right_" + "".join(c if c.isalnum() else "_" for c in case)
    )


def verdict(identity: Any) -> str:
    """Return a text with the residuals, and the proof if there is one."""
    from tensor_sva.identities import prove, residuals

    state, rng = measured()
    found = residuals(identity, rng, state=state if identity.about_joints else None)
    text = ", ".join(f"{CASES.get(case, case)} {number(x)}".strip() for case, x in found.items())
    lines = f"Residual of this build: {text}."
    if identity.about_joints:
        return f"{lines} The left side is the complex-step derivative of the quantity itself."
    proof = prove(identity)
    if not proof.holds:
        raise ValueError(f"{identity.name}: the proof fails")
    return (
        f"{lines} **Proved**: {proof.entries} entries in {proof.symbols} symbols; both sides "
        f"expand to the same {proof.terms} terms."
    )


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("identity-cards", IdentityCards)
    return {"parallel_read_safe": True}
