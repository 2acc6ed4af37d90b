"""Translation of loops; a loop variable that is used as a subscript counts from 0 in Python."""

from __future__ import annotations

from typing import Any

from spatial_v2.migrate.batches import remark
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.clearing import clearing
from spatial_v2.migrate.expressions import bound_text, expression, listed, literal, value, whole
from spatial_v2.migrate.kinds import Kind, Undecided, join, kind, merged
from spatial_v2.migrate.parse import Node, named, text, walk

__all__ = ["for_loop", "while_loop"]


def _uses(block: list[Node], name: str) -> tuple[int, int]:
    """Return two numbers: of the uses of a variable in subscripts, alone or in sums and products,
    and of its other uses.
    """
    as_subscript = others = 0
    for node in (n for b in block for n in walk(b)):
        if node.type != "identifier" or text(node) != name:
            continue
        up = node.parent
        while up is not None and up.type in ("binary_operator", "range", "parenthesis"):
            op = [text(c) for c in up.children if not c.is_named]
            if up.type == "binary_operator" and not set(op) & {"+", "-", "*"}:
                break
            up = up.parent
        if up is not None and up.type == "arguments" and up.parent.type == "function_call":
            as_subscript += 1
        else:
            others += 1
    return as_subscript, others


def for_loop(body: Body, node: Node) -> None:
    """Translate ``for``."""
    iterator = next(n for n in named(node) if n.type == "iterator")
    name_node, over = named(iterator)
    name = text(name_node)
    block: list[Node] = next((p.children for p in named(node) if p.type == "block"), [])
    place = body.key(node)
    while over.type == "parenthesis":
        over = named(over)[0]
    entry = dict(body.env)
    record: dict[str, Any] = {
        "entry": entry,
        "prelude": [],
        "begun": set(),
        "appended": set(),
        "left": [],
        "name": name,
        "block": block,
        "count": "",
        "depth": body.depth + 1,
        "up": False,
    }
    head, found = _head_at_a_level(body, over, name, block, record)
    body.env = _with_later(body, block, place)
    body.assigned_to(name, found, node.start_point[0] + 1)
    body.counters.add(body.spelled(name))
    at = len(body.out)
    shown = body.spelled(name)
    remark(body, node, name, block)
    body.write(f"for {shown} in {head}:")
    body.loops.append(record)
    _repeated(body, node, block, place)
    _close(body, record, entry, at)


def _with_later(body: Body, block: list[Node], place: int) -> dict[str, Kind]:
    """Return the kinds of variables at the beginning of a loop: those before it, with those at its
    end as far as earlier passes know them.
    """
    later = body.program.loops.get(place)
    if later is None:
        return body.env
    found = merged(body.env, later)
    if not any(clearing(n) for b in block for n in walk(b)):
        found |= {n: k for n, k in body.env.items() if n not in later}
    return found


def _head_at_a_level(
    body: Body, over: Node, name: str, block: list[Node], record: dict[str, Any]
) -> tuple[str, Kind]:
    """Return what a loop goes through, and the kind of its variable."""
    border = body.program.levels.border
    try:
        body.without_runtime(over)
        if name in body.held:
            raise Undecided(f"`{name}` has a value of the runtime")
        return _head(body, over, name, block, record)
    except Undecided:
        if border is None:
            raise
        return border.loop(body, name, over)


def _close(body: Body, record: dict[str, Any], entry: dict[str, Kind], at: int) -> None:
    """Finish a loop: insert the assignments that `record` collected before the loop, at line `at`
    of the translation, and merge the kinds before the loop with those after it.
    """
    body.loops.pop()
    body.out[at:at] = ["    " * body.depth + line for line in record["prelude"]]
    body.env = merged(entry, body.env)
    for name in record["begun"] & body.env.keys():
        body.env[name] = body.env[name].now(unsure=False)
    for name, k in body.env.items():
        if body.spelled(name) in record["appended"] and (k.is_vector or k.form == "cell"):
            sure = k.unsure and not any(
                x.startswith(f"{body.spelled(name)} = ") for x in record["prelude"]
            )
            known = record["count"].isdigit() and k.length == -1 and not body.loops
            known = known and _fills_once(record["block"], name)
            length = int(record["count"]) if known else k.length
            body.env[name] = k.now(length=length, unsure=sure)


def _fills_once(block: list[Node], name: str) -> bool:
    """Test if exactly one assignment in a block has this variable, or a part of it, on its left."""
    lefts = [
        n.child_by_field_name("left") for b in block for n in walk(b) if n.type == "assignment"
    ]
    return [text(n) for left in lefts for n in walk(left) if n.type == "identifier"].count(
        name
    ) == 1


def _repeated(body: Body, node: Node, block: list[Node], place: int) -> None:
    body.header(node, block)
    body.depth += 1
    body.statements([n for n in block if n.is_named])
    body.depth -= 1
    for env in body.loops[-1]["left"]:  # kinds at ``break`` and ``continue``
        body.env = merged(body.env, env)
    known = body.program.loops.get(place, {})
    body.program.loops[place] = {n: join(known.get(n), k) for n, k in body.env.items()} | {
        n: k for n, k in known.items() if n not in body.env
    }


def while_loop(body: Body, node: Node) -> None:
    """Translate ``while``."""
    place = body.key(node)
    entry = dict(body.env)
    block: list[Node] = next((p.children for p in named(node) if p.type == "block"), [])
    body.env = _with_later(body, block, place)
    test = node.child_by_field_name("condition") or named(node)[0]
    at = len(body.out)
    body.write(f"while {body.condition(test)}:")
    record: dict[str, Any] = {
        "entry": dict(entry),
        "prelude": [],
        "begun": set(),
        "block": block,
        "depth": body.depth + 1,
        "name": "",
        "appended": set(),
        "left": [],
        "up": False,
        "count": "",
    }
    body.loops.append(record)
    _repeated(body, node, block, place)
    _close(body, record, entry, at)


def _head(
    body: Body, over: Node, name: str, block: list[Node], record: dict[str, Any]
) -> tuple[str, Kind]:
    if over.type != "range":
        items = listed(expression(body, over))
        k = items.kind
        if k.form in ("row", "empty"):
            return items.text, Kind("scalar", k.numbers, k.shift)
        if k.form == "nothing":
            return items.text, kind("n")
        if k.form == "matrix":
            return f"{items.at(19)}.T", Kind("column", k.numbers, shared=True)
        if k.form == "scalar":
            return f"[{items.text}]", k
        raise Undecided(
            "the values of a loop: want a row, a matrix (column by column) or a number, got "
            f"{k.described}"
        )
    parts = named(over)
    step = literal(parts[1]) if len(parts) == 3 else 1
    ends = [value(body, parts[0]), value(body, parts[-1])]
    if (
        step is None
        or step == 0
        or ends[0].kind.numbers not in "i"
        or any(e.kind.form not in ("scalar", "array", "nothing") for e in ends)
    ):
        items = value(body, over)
        return items.text, Kind("scalar", "f")
    if step > 0 and (literal(parts[0]) or 0) > 0:
        body.positive.add(name)
    subscripts, others = _uses(block, name)
    changed = any(
        n.type == "assignment" and text(n.child_by_field_name("left")) == name
        for b in block
        for n in walk(b)
    )
    shift = 1 if subscripts and subscripts >= others and not changed else 0
    if len(body.program.shifts.get((body.name, name), set())) > 1:
        shift = 0
    sign = 1 if step > 0 else -1
    last = whole(body, parts[-1])
    first = bound_text(ends[0], -shift)
    if last.startswith("int("):
        stop = f"{last} + {1 - shift}" if sign > 0 and not shift else last
        if sign < 0:
            raise Undecided(
                "want a last value of a decreasing loop that is known to be an integer, got "
                f"`{text(parts[-1])}`"
            )
    else:
        stop = bound_text(ends[1], sign - shift)
    if literal(parts[0]) == 1 and step == 1:
        record["up"], record["count"] = True, stop if shift else whole(body, parts[-1])
    inner = stop if first == "0" and step == 1 else f"{first}, {stop}"
    if step != 1:
        inner = f"{first}, {stop}, {step}"
    return f"range({inner})", Kind("scalar", "i", shift)
