"""Assignments to one entry or field."""

from __future__ import annotations

from spatial_v2.migrate import cells, growing, objects
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.expressions import unshifted
from spatial_v2.migrate.filling import beyond
from spatial_v2.migrate.kinds import Code, Kind, Undecided
from spatial_v2.migrate.model_parts import field_text, is_own
from spatial_v2.migrate.objects import OBJECTS
from spatial_v2.migrate.parse import Node, text
from spatial_v2.migrate.places import Step, steps

__all__ = ["ASSIGNED", "store"]


ASSIGNED = ("Xtree", "I", "gravity", "jtype", "gamma_q", "Xrotor", "I_rotor", "gr", "jtype_rotor")
"""Fields of a model that a script may assign; a `Model` derives the others from them."""


def store(body: Body, here: Code, path: list[Step], code: Code | None, left: Node) -> Kind:
    """Write the assignment to one entry or field; return the new kind of the whole variable."""
    step, k = path[-1], here.kind
    if k.form == "nothing" or (code is not None and code.kind.form == "nothing"):
        return body.not_known(text(left), k)
    if code is not None and code.kind.shift and not (k.form == "model" or k.shift):
        code = unshifted(code)
    if step.sign == "." and code is not None:
        if k.form in OBJECTS:
            return objects.assigned(body, here, step.name, code)
        if is_own(k, step.name):
            body.write(f"{field_text(here, step.name)} = {code.text}")
            return k.with_field(step.name, code.kind.now(shared=False))
        if k.form not in ("struct", "model", "other"):
            raise Undecided(f"`{text(left)}`: want a struct before the dot, got {k.described}")
        if k.form == "model" and step.name not in ASSIGNED:
            raise Undecided(
                f"the field {step.name} of a Model cannot be assigned; want one of "
                f"{', '.join(ASSIGNED)}"
            )
        body.write(f"{here.text}.{step.name} = {code.text}")
        return k if k.form != "struct" else k.with_field(step.name, code.kind)
    if k.form == "grid":
        return cells.grid(body, here, path, code, left)
    if k.form == "cell" and path[:-1] and body.program.objects and not beyond(step.args[0]):
        name, _ = steps(left)
        if body.env[name].form in OBJECTS:
            raise Undecided(f"`{text(left)}`: a property that is a cell may grow by it")
    if k.form == "cell":
        return cells.cell(body, here, path, code, left)
    if step.sign == "(" and (k.is_array or k.form == "empty"):
        return growing.array(body, here, path, code, left)
    raise Undecided(
        f"`{text(left)}`: want an array, a cell or a struct to assign a part of, got {k.described}"
    )
