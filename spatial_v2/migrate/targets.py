"""Assignments to names, lists of names, entries and fields."""

from __future__ import annotations

from spatial_v2.migrate import objects
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.calls import call
from spatial_v2.migrate.copies import owned
from spatial_v2.migrate.creating import before_loops, create, empty_for, field_of_loops, is_of_loops
from spatial_v2.migrate.expressions import expression, literal, unshifted
from spatial_v2.migrate.kinds import GROWS, Code, Kind, Undecided, join, kind
from spatial_v2.migrate.model_parts import (
    field_of_model,
    field_text,
    is_own,
    may_be_new,
    new_entry,
    through_field,
)
from spatial_v2.migrate.objects import OBJECTS
from spatial_v2.migrate.parse import Node, named, text
from spatial_v2.migrate.places import Step, method_call, part, steps
from spatial_v2.migrate.storing import ASSIGNED, store

__all__ = ["assignment", "store", "to_name", "to_part", "write_part"]


def assignment(body: Body, node: Node) -> None:
    """Translate ``left = right``."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    while right.type == "parenthesis":
        right = named(right)[0]
    line = node.start_point[0] + 1
    if left.type == "multioutput_variable":
        targets = named(left)
        if len(targets) == 1 and targets[0].type != "ignored_argument":
            _single(body, targets[0], right, line)
        else:
            _several(body, targets, right, line)
        return
    _single(body, left, right, line)
    if left.type == "identifier" and not body.ends(node) and not body.name:
        name = body.spelled(text(left))
        if body.env[text(left)].form not in ("function", "model", "nothing"):
            body.write(
                f'print("{text(left)} =", {unshifted(Code(name, body.env[text(left)])).text})'
            )


def _single(body: Body, left: Node, right: Node, line: int) -> None:
    if left.type == "identifier":
        name = text(left)
        if _timed(body, name, right):
            return
        code = expression(body, right)
        if code.kind.form in ("tuple",):
            raise Undecided(
                f"`{name}`: several results cannot be assigned to one name; write [{name}, y] = ..."
            )
        to_name(body, name, code, right, line)
        return
    to_part(body, left, right, line)


def _timed(body: Body, name: str, right: Node) -> bool:
    if text(right) != "tic" or "tic" in body.env:
        return False
    body.need("import time")
    body.write(f"{body.spelled(name)} = time.perf_counter()")
    body.env[name] = kind("s")
    return True


def to_name(body: Body, name: str, code: Code, right: Node, line: int) -> None:
    """Assign a value to a name."""
    before = body.env.get(name)
    body.assigned_to(name, code.kind, line)
    held = body.env[name]
    if held.shift != code.kind.shift:
        code = unshifted(code)
    shown = body.spelled(name)
    # the assignment changes nothing in Python, for example x = x' for a vector
    if shown == code.text and before is not None:
        if text(right) != name and not code.kind.is_array:
            body.write("# not needed: a Model updates its derived fields itself")
        body.env[name] = held.now(shared=before.shared)
        return
    code = owned(body, code, name, right)
    body.env[name] = held.now(shared=code.kind.shared)
    body.write(f"{shown} = {code.text}")


def _several(body: Body, targets: list[Node], right: Node, line: int) -> None:
    name, path = steps(right)
    if (code_ := method_call(body, right, len(targets))) is not None:
        _unpacked(body, targets, code_, right, line)
        return
    if name in body.env:
        if len(path) == 1 and path[0].sign == "(" and body.env[name].form == "function":
            raise Undecided(
                f"`{text(right)}`: a function handle gives its first result only; call the "
                "function by its name"
            )
        raise Undecided(f"`{text(right)}`: want a call on the right of several names")
    args = path[0].args if path else ()
    _unpacked(body, targets, call(body, name, args, right, nargout=len(targets)), right, line)


def _unpacked(body: Body, targets: list[Node], code: Code, right: Node, line: int) -> None:
    """Assign several results."""
    name = text(right).split("(")[0]
    if code.kind.form == "nothing":
        for t in targets:
            if t.type == "identifier":
                body.assigned_to(text(t), kind("n"), line)
        body.not_known(text(right), kind("n"))
        return
    kinds = [k for _, k in code.kind.fields]
    if len(kinds) < len(targets):
        raise Undecided(f"`{name}`: want at most {max(len(kinds), 1)} names on the left of =")
    shown, after = [], []
    parts: list[tuple[Node, str, Kind]] = []
    for t, k in zip(targets, kinds, strict=True):
        if t.type == "ignored_argument" or text(t) == "~":
            shown.append("_")
        elif t.type == "identifier":
            single = k.field("single column") if k.form == "matrix" else None
            body.assigned_to(text(t), single or k, line)
            s = body.spelled(text(t))
            shown.append(s)
            if single:
                after.append(f"{s} = {s}[:, 0]")
            if body.env[text(t)].shift != k.shift:
                after.append(f"{s} = {s} + {k.shift}")
        else:
            parts.append((t, _between(body, t, [n for _, n, _ in parts]), k))
            shown.append(parts[-1][1])
    body.write(f"{', '.join(shown)} = {code.text}")
    for x in after:
        body.write(x)
    for t, temporary, k in parts:
        single = k.field("single column") if k.form == "matrix" else None
        code = Code(f"{temporary}[:, 0]", single) if single else Code(temporary, k)
        write_part(body, t, code, line)


def _between(body: Body, t: Node, taken: list[str]) -> str:
    """Return an unused name for an auxiliary variable that holds a result until it is assigned to a
    part of a variable.
    """
    name, path = steps(t)
    last = path[-1].name if path and path[-1].sign == "." else "new"
    found = body.spelled(f"{name}_{last}")
    while found in body.names or found in taken:
        found += "_"
    return found


def to_part(body: Body, left: Node, right: Node, line: int) -> None:
    """Translate an assignment to an entry, a field, or another part of a variable."""
    name, path = steps(left)
    if not path or (name not in body.env and name in body.program.functions):
        raise Undecided(
            f"`{text(left)}`: want a variable, or an entry or field of one, on the left of ="
        )
    deleting = right.type == "matrix" and not named(right) and path[-1].sign == "("
    code = None if deleting else expression(body, right)
    if (code is not None and code.kind.shared and not code.kind.is_array) or (
        code is not None and code.kind.shared and path[-1].sign != "("
    ):
        code = owned(body, code, name, right, part=path[-1].sign in "{.")
    write_part(body, left, code, line)


def write_part(body: Body, left: Node, code: Code | None, line: int) -> None:
    """Write the assignment of a translated value to a part of a variable, or the removal of the
    part if the value is None.
    """
    name, path = steps(left)
    if name in body.globals and body.env[name].form in ("empty", "nothing") and path[0].sign != "(":
        fresh, _ = empty_for(body, path[0])
        body.env[name] = body.program.shares(name, fresh)
        if body.program.open:
            return
    if name not in body.env:
        create(body, name, path[0])
    elif body.env[name].unsure and path[0].sign != "(" and is_of_loops(body, name):
        before_loops(body, name, path[0])
    body.first.setdefault(name, line)
    here = Code(body.spelled(name), body.env[name])
    trail = [here]
    for n, step in enumerate(path[:-1]):
        k = trail[-1].kind
        if step.sign == "." and (k.form == "struct" or is_own(k, step.name)):
            fresh, made = empty_for(body, path[n + 1])
            if field_of_loops(body, name, path[: n + 1]):
                field = field_text(trail[-1], step.name)
                if field not in body.loops[0]["begun"]:
                    body.loops[0]["prelude"].append(f"{field} = {made}")
                body.loops[0]["begun"].add(field)
                if k.field(step.name) is None:
                    trail[-1] = Code(trail[-1].text, k.with_field(step.name, fresh))
            elif k.field(step.name) is None:
                body.write(f"{field_text(trail[-1], step.name)} = {made}")
                trail[-1] = Code(trail[-1].text, k.with_field(step.name, fresh))
        trail.append(
            new_entry(body, trail[-1], step, path[n + 1]) or part(body, trail[-1], step, left)
        )
    for outer, step in zip(trail, path[:-1], strict=False):
        own = step.name in dict(outer.kind.fields)
        if outer.kind.form == "model" and step.name not in ASSIGNED and not own:
            raise Undecided(
                f"the field {step.name} of a Model cannot be assigned; want one of "
                f"{', '.join(ASSIGNED)}"
            )
    passed, first = field_of_model(trail, [step.name for step in path[:-1]]), len(body.out)
    kind_ = store(body, trail[-1], path, code, left)
    if passed is not None:
        entry = code is not None and (path[-1].sign == "{" or code.kind.form == "scalar")
        through_field(body, passed.text, first, entry and passed is trail[-1])
    for step, outer in zip(reversed(path[:-1]), reversed(trail[:-1]), strict=True):
        kind_ = _with(body, outer.kind, step, kind_)
    body.env[name] = kind_.now(shared=body.env[name].shared)
    if name in body.globals:
        body.env[name] = body.program.shares(name, kind_)


def _with(body: Body, outer: Kind, step: Step, inner: Kind) -> Kind:
    if outer.form in OBJECTS and step.sign == ".":
        objects.record(body, outer, step.name, inner)
        body.program.edited.add(step.name)
    if step.sign == "." and (outer.form == "struct" or is_own(outer, step.name)):
        return outer.with_field(step.name, inner)
    if outer.form in ("cell", "grid") and step.sign == "{":
        if may_be_new(outer, step):
            return outer.now(item=join(outer.item, inner), items=(), length=GROWS)
        at = (literal(step.args[-1]) or 0) - 1
        items = outer.items if 0 <= at < len(outer.items) and outer.form == "cell" else ()
        items = (*items[:at], inner, *items[at + 1 :]) if items else ()
        return outer.now(item=join(outer.item, inner), items=items)
    return outer
