"""Assignments to parts of a model's field, whose arrays are read-only and whose lists are tuples.

``model.I{3} = I3`` becomes ``model.I = {2: I3}``. Where more than an entry is assigned, as in
``model.I{3}(1, 1) = 2``, a copy of the field is edited and assigned.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spatial_v2.migrate.kinds import Code

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["field_of_model", "through_field"]

_AS_LISTS = ("jtype", "jtype_rotor")
_EDITABLE = ("appearance", "camera", "gc")
_ENTRY = r"(?P<indent> *){field}\[(?P<at>[^\[\]:,]+)\] = (?P<value>.*)"


def field_of_model(trail: list[Code], names: list[str]) -> Code | None:
    """Return the field of a model that is on the way to the assigned part, as code.

    `trail` has the variable and its parts on the way, `names` the names of the fields that follow.
    """
    for k, name in enumerate(names):
        if trail[k].kind.form == "model" and k + 1 < len(trail) and name not in _EDITABLE:
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
        body.out.append(f"{whole['indent']}{field} = {{{whole['at']}: {whole['value']}}}")
        return
    own = body.spelled(f"{model}_{name}".replace(".", "_"))
    while own in body.names:
        own += "_"
    body.write(f"{own} = list({field})" if name in _AS_LISTS else f"{own} = {field}.copy()")
    body.out += [re.sub(rf"(?<![\w.]){re.escape(field)}\b", own, line) for line in lines]
    body.write(f"{field} = {own}")
