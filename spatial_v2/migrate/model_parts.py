"""Assignments to parts of a model's field, whose arrays are read-only and whose lists are tuples.

``model.I{3} = I3`` becomes ``model.I = {2: I3}``. Where more than an entry is assigned, as in
``model.I{3}(1, 1) = 2``, a copy of the field is edited and assigned. Fields of the user's own are
entries of ``model.user``. An entry of a cell that may be new is made before a part of it is
assigned.
"""

from __future__ import annotations

import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import literal, quoted
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import GROWS, Code, Kind, kind
from spatial_v2.migrate.models import PARTS
from spatial_v2.migrate.names import MODEL
from spatial_v2.migrate.places import Step

__all__ = ["field_of_model", "field_text", "is_own", "may_be_new", "new_entry", "through_field"]

_AS_LISTS = ("jtype", "jtype_rotor")
_EDITABLE = ("appearance", "camera", "gc")
_ENTRY = r"(?P<indent> *){field}\[(?P<at>[^\[\]:,]+)\] = (?P<value>.*)"


def field_of_model(trail: list[Code], names: list[str]) -> Code | None:
    """Return the field of a model that is on the way to the assigned part, as code.

    `trail` has the variable and its parts on the way, `names` the names of the fields that follow.
    """
    for k, name in enumerate(names):
        whole = name in MODEL or name in PARTS
        if trail[k].kind.form == "model" and k + 1 < len(trail) and whole and name not in _EDITABLE:
            return trail[k + 1]
    return None


def through_field(body: Body, field: str, first: int, entry: bool) -> None:
    """Let the lines from number `first` on, which edit a field in place, assign it.

    `entry` is True if the assigned value is one entry of the field.
    """
    lines, body.out[first:] = body.out[first:], []
    if not lines:  # what was assigned is left, and so is its field
        return
    model, _, name = field.rpartition(".")
    whole = re.fullmatch(_ENTRY.format(field=re.escape(field)), lines[0]) if entry else None
    if whole and len(lines) == 1:
        at = re.sub("^-", f"len({field}) - ", whole["at"])
        body.out.append(f"{whole['indent']}{field} = {{{at}: {whole['value']}}}")
        return
    own = body.spelled(f"{model}_{name}".replace(".", "_"))
    while own in body.names:
        own += "_"
    body.write(f"{own} = list({field})" if name in _AS_LISTS else f"{own} = {field}.copy()")
    body.out += [re.sub(rf"(?<![\w.]){re.escape(field)}\b", own, line) for line in lines]
    body.write(f"{field} = {own}")


def may_be_new(k: Kind, step: Step) -> bool:
    """Test if an entry of a cell, a part of which is assigned, may not be there yet."""
    if k.form != "cell" or step.sign != "{" or len(step.args) != 1 or k.length == -1:
        return False
    at = literal(step.args[0])
    return k.length == GROWS or at is None or at > k.length


def new_entry(body: Body, here: Code, step: Step, after: Step) -> Code | None:
    """Return the entry of a cell, which may grow by it, that is a struct; None for other parts."""
    item = here.kind.item
    if not may_be_new(here.kind, step) or after.sign != ".":
        return None
    if item is not None and item.form not in ("struct", "empty", "nothing"):
        return None
    at = index(body, step.args[0], Code(here.text, Kind("row")), -1)
    if at.form != "one" or at.text.startswith("-"):
        return None
    body.need("from spatial_v2.migrate.values import entry")
    found = item if item is not None and item.form == "struct" else kind("S")
    return Code(f"entry({here.text}, {at.text})", found)


def is_own(model: Kind, name: str) -> bool:
    """Test if a field of a model is one of the user's own."""
    return model.form == "model" and name not in (*MODEL, *PARTS, "gamma_q")


def field_text(code: Code, name: str) -> str:
    """Return the text of a field of a struct, or of a field of the user's own of a model."""
    return (
        f"{code.text}.user[{quoted(name)}]" if code.kind.form == "model" else f"{code.text}.{name}"
    )
