"""Structs that become models where functions of the library take them."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.models import PARTS, ROTORS
from spatial_v2.migrate.names import MODEL
from spatial_v2.migrate.parse import Node
from spatial_v2.migrate.scope import assigned

__all__ = ["as_model", "complete", "floating", "in_handle"]


def as_model(body: Body, code: Code, inside_handle: bool = False) -> Code:
    """Convert a struct to a `Model`, as functions of the library need it; keep other values."""
    if code.kind.form == "struct":
        if any(k.form == "function" for _, k in code.kind.fields):
            raise Undecided(f"`{code.text}`: a struct with functions cannot become a Model here")
        if body.loops or body.name or inside_handle:
            body.need("from spatial_v2.migrate.models import as_model")
            shown = "" if inside_handle else _before_loops(body, code.text)
            return Code(shown or f"as_model({code.text})", kind("o"))
        body.need("from spatial_v2 import Model")
        if any(k.form in ("struct", "cell") for _, k in code.kind.fields):
            body.need("from spatial_v2.migrate.models import as_dict")
            return Code(f"Model.from_matlab(as_dict({code.text}))", kind("o"))
        return Code(f"Model.from_matlab(vars({code.text}))", kind("o"))
    return code


def _before_loops(body: Body, name: str) -> str:
    """Make the model of a struct before the outermost loop that leaves the struct unchanged, and
    return its name; return nothing where there is no such loop.
    """
    shown, found = f"{name}_model", None
    if not name.isidentifier() or shown in body.names:
        return ""
    for loop in reversed(body.loops):
        facts = assigned(tuple(loop["block"]))
        if name in facts.parts or name in facts.every or name not in loop["entry"]:
            break
        found = loop
    line = f"{shown} = as_model({name})"
    if found and line not in found["prelude"]:
        found["prelude"].append(line)
    return shown if found else ""


def complete(body: Body, code: Code) -> Code:
    """Convert a struct to a `Model` of its own, which keeps the user's fields."""
    if code.kind.form != "struct":
        return code
    own = tuple((n, k) for n, k in code.kind.fields if n not in PARTS and n not in MODEL)
    if not own and not body.name:
        return as_model(body, code)
    if any(k.form == "function" for _, k in code.kind.fields):
        raise Undecided(f"`{code.text}`: a struct with functions cannot become a Model here")
    body.need("from spatial_v2.migrate.models import complete_model")
    return Code(f"complete_model({code.text})", Kind("model", fields=own))


def floating(body: Body, code: Code) -> Code | None:
    """Translate ``floatbase`` of a struct with fields that it leaves as they are: those of rotors,
    and the user's own.
    """
    k, known = code.kind, {n for n, _ in code.kind.fields}
    own = known - {*PARTS} - {*MODEL} | known & {*ROTORS}
    if k.form != "struct" or not own or known & {"appearance", "camera", "gamma_q"}:
        return None
    body.need("from spatial_v2.migrate.models import with_floating_base")
    longer = {n: x.now(items=(), length=-1) for n, x in k.fields if n in PARTS and n not in ROTORS}
    fields = tuple(sorted({**dict(k.fields), **longer}.items()))
    return Code(f"with_floating_base({code.text})", k.now(fields=fields, shared=True))


def in_handle(node: Node) -> bool:
    """Test if an expression is part of an anonymous function."""
    while node is not None and node.type != "lambda":
        node = node.parent
    return node is not None
