"""Copies of values that would share memory in Python and of which one is modified."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.kinds import Code
from spatial_v2.migrate.parse import text, walk

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["copy_of", "owned"]

Node = Any


def owned(body: Body, code: Code, name: str, right: Node) -> Code:
    """Copy a value that is assigned to `name` if it shares memory with a variable, and one of the
    two is modified later.
    """
    k = code.kind
    sources = {text(n) for n in walk(right) if n.type == "identifier"}
    kept = {name, *sources} & (body.persistent | body.globals) and (
        k.form not in ("scalar", "text", "function", "reference")
    )
    if kept and k.form != "nothing":
        return Code(copy_of(body, code), k.now(shared=False, kept=False))
    if (
        not k.shared
        or not ({name, *sources} & (body.mutated | body.program.edited))
        or k.form in ("scalar", "text", "function", "reference")
    ):
        return code
    return Code(copy_of(body, code), k.now(shared=False))


def copy_of(body: Body, code: Code) -> str:
    """Write an expression that copies a value."""
    k = code.kind
    if (k.is_array and k.form not in ("array", "vector")) or k.is_vector:
        return f"{code.at(19)}.copy()"
    if k.form in ("nothing", "exception"):
        return code.text
    body.need("import copy")
    return f"copy.{'copy' if k.form == 'array' else 'deepcopy'}({code.text})"
