"""Copies of values that would share memory in Python and of which one is modified."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.kinds import Code, Kind
from spatial_v2.migrate.parse import Node, text, walk

__all__ = ["copied", "copy_of", "owned"]

_HOLDERS = ("cell", "grid", "struct", "model")


def owned(body: Body, code: Code, name: str, right: Node, part: bool = False) -> Code:
    """Copy a value that is assigned to `name`, or to a part of it, if it shares memory with a
    variable, and one of the two is modified later.
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
        or not (
            _modified(body, code, {name, *sources}, name if part else "")
            or {name, *sources} & body.program.edited
        )
        or k.form in ("scalar", "text", "function", "reference")
    ):
        return code
    return Code(copy_of(body, code), k.now(shared=False))


def _modified(body: Body, code: Code, names: set[str], whole: str) -> bool:
    """Test if one of the variables is modified so that the value changes with it: an array in a
    cell or struct, as all in the variable `whole` are, only by entries of its own.
    """
    array = code.kind.is_array or code.kind.is_vector
    forms = {n: body.env[n].form for n in names & body.env.keys()}
    held = {n for n in {*forms, whole} if array and forms.get(n, "cell") in _HOLDERS}
    return bool((names - held) & body.mutated or held & body.inner)


def copy_of(body: Body, code: Code) -> str:
    """Write an expression that copies a value."""
    k = code.kind
    if (k.is_array and k.form not in ("array", "vector")) or k.is_vector:
        return f"{code.at(19)}.copy()"
    if k.form == "nothing":
        return code.text
    body.need("import copy")
    return f"copy.{'copy' if k.form == 'array' else 'deepcopy'}({code.text})"


def copied(body: Body, name: str, k: Kind) -> None:
    """Copy an argument that a function modifies."""
    shown = body.spelled(name)
    if k.form in ("scalar", "reference"):
        return
    if k.is_array:
        body.write(f"{shown} = np.array({shown})")
    else:
        body.need("import copy")
        body.write(f"{shown} = copy.deepcopy({shown})")
    body.env[name] = k.now(shared=False)
