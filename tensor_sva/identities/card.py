"""HTML of an identity for notebooks: statement, source, code of both sides, residual."""

from __future__ import annotations

import ast
import inspect
from functools import cache
from html import escape
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

from tensor_sva.identities.measure import measured

if TYPE_CHECKING:
    from tensor_sva.identities.identity import Identity

__all__ = ["Code", "identity_html", "sides"]

PRE = "margin:2px 0;padding:4px 8px;background:rgba(127,127,127,.1);border-radius:4px"


class Code(NamedTuple):
    """Location of an identity in the source files, and the code of both sides."""

    file: str
    """Path of the file, starting with the package."""
    line: int
    """Line on which the identity begins."""
    left: str
    """Code of the left side."""
    right: dict[str, str]
    """Code of the right side by case; the general case has the empty name."""


def sides(identity: Identity) -> Code | None:
    """Return the source code of both sides of an identity.

    Parameters
    ----------
    identity : Identity
        An identity.

    Returns
    -------
    Code or None
        None if the identity is not written in the source of a module.

    Examples
    --------
    >>> from tensor_sva.identities import IDENTITIES
    >>> sides(IDENTITIES["P7"]).left
    'lambda u, f: T(crf(u) @ f)'
    """
    module = inspect.getmodule(identity.rhs)
    return _entries(module).get(identity.name) if module else None


@cache
def _entries(module: ModuleType) -> dict[str, Code]:
    """Return the code of all identities in a module, by name."""
    try:
        source, file = inspect.getsource(module), Path(inspect.getfile(module))
    except (OSError, TypeError):
        return {}
    place = "/".join(file.parts[-len(module.__name__.split(".")) :])
    entries = {}
    for node in ast.walk(ast.parse(source)):
        if not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Identity"):
            continue
        name, left, right = (node.args[k] for k in (0, 4, 5))
        cases = node.args[6] if len(node.args) > 6 else None
        codes = {"": _text(source, right)}
        if isinstance(cases, ast.Dict):
            for key, value in zip(cases.keys, cases.values, strict=True):
                codes[ast.literal_eval(key)] = _text(source, value)  # type: ignore[arg-type]
        entries[str(ast.literal_eval(name))] = Code(place, node.lineno, _text(source, left), codes)
    return entries


def _text(source: str, node: ast.expr) -> str:
    return dedent(" " * node.col_offset + (ast.get_source_segment(source, node) or ""))


def identity_html(identity: Identity) -> str:
    """Return HTML with statement, source, code of both sides and residual of an identity.

    Parameters
    ----------
    identity : Identity
        An identity; its residual is measured for random arguments with seed 0.

    Returns
    -------
    str
        HTML with the statement between dollars, which notebooks typeset.

    Examples
    --------
    >>> from tensor_sva.identities import IDENTITIES
    >>> "tensor_sva/identities/properties.py" in identity_html(IDENTITIES["P7"])
    True
    """
    letters = ", ".join(f"{k}: {v}" for k, v in identity.arguments.items())
    rows = [("where", escape(identity.source)), ("arguments", escape(letters))]
    if code := sides(identity):
        rows.append(("left", _pre(code.left)))
        rows += [(f"right {case}".strip(), _pre(text)) for case, text in code.right.items()]
        rows.append(("code", f"<code>{escape(code.file)}:{code.line}</code>"))
    shown = ", ".join(
        f"{value:.1e}" + (f" ({case})" if case != "all" else "")
        for case, value in measured(identity).items()
    )
    rows.append(("residual now", escape(shown)))
    table = "".join(
        f'<tr><th style="text-align:left;vertical-align:top">{name}</th>'
        f'<td style="text-align:left">{value}</td></tr>'
        for name, value in rows
    )
    statement = escape(identity.latex.strip("$"), quote=False)
    return (
        f"<div><strong>{escape(identity.name)}</strong>"
        f"$$\\displaystyle {statement}$$<table>{table}</table></div>"
    )


def _pre(code: str) -> str:
    return f'<pre style="{PRE}">{escape(code, quote=False)}</pre>'
