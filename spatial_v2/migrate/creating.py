"""Variables and fields whose first assignment is to a part of them."""

from __future__ import annotations

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.kinds import ROW_OF_CELLS, Kind, kind
from spatial_v2.migrate.model_parts import is_own
from spatial_v2.migrate.places import Step

__all__ = ["before_loops", "create", "empty_for", "field_of_loops", "is_of_loops"]


def empty_for(body: Body, step: Step) -> tuple[Kind, str]:
    """Return the kind and the initial value, as code, of a variable whose first assignment is to
    the part `step`.
    """
    if step.sign in (".", ".("):
        body.need("from types import SimpleNamespace")
        return kind("S"), "SimpleNamespace()"
    if step.sign == "{":
        return Kind("cell", length=0, fields=ROW_OF_CELLS), "[]"
    return kind("e"), "np.zeros(0)"


def field_of_loops(body: Body, name: str, path: list[Step]) -> bool:
    """Test if an assignment in the present loops creates a field of a struct."""
    found = body.loops[0]["entry"].get(name) if body.loops else None
    for step in path[:-1]:
        found = found.field(step.name) if found is not None and step.sign == "." else None
    if found is None or not (found.form == "struct" or is_own(found, path[-1].name)):
        return False
    return found.field(path[-1].name) is None


def is_of_loops(body: Body, name: str) -> bool:
    """Test if an assignment in the present loops creates a variable."""
    if not body.loops:
        return False
    return name not in body.loops[0]["entry"] or name in body.loops[0]["begun"]


def before_loops(body: Body, name: str, step: Step) -> None:
    """Create an empty variable before the outermost loop."""
    fresh, made = empty_for(body, step)
    line = f"{body.spelled(name)} = {made}"
    if name not in body.loops[0]["begun"]:
        body.loops[0]["prelude"].append(line)
    body.loops[0]["begun"].add(name)
    body.loops[0]["entry"][name] = fresh
    for loop in body.loops[1:]:
        loop["entry"][name] = fresh.now(length=-1)
    known = body.env.get(name)
    body.env[name] = fresh if known is None else known.now(unsure=False)


def create(body: Body, name: str, step: Step) -> None:
    fresh, made = empty_for(body, step)
    if body.loops and step.sign != "(":
        before_loops(body, name, step)
        return
    body.env[name] = fresh
    if not body.loops:
        body.write(f"{body.spelled(name)} = {made}")
