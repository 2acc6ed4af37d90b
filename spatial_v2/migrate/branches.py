"""Branches: ``if``, ``switch``, ``return``."""

from __future__ import annotations

import re
from itertools import zip_longest

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.calling import fulfilled
from spatial_v2.migrate.entrywise import by_columns
from spatial_v2.migrate.expressions import expression, string_value, value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, join, kind, merged
from spatial_v2.migrate.parse import Node, named, text, walk
from spatial_v2.migrate.two_axes import End, keep_two_axes

__all__ = [
    "UNPROCESSED",
    "if_statement",
    "inside",
    "result",
    "return_statement",
    "switch_statement",
]


UNPROCESSED = (
    r"if \(?\s*~\s*isfield\(\s*(\w+)\s*,\s*'n[qv]'\s*\)\s*\)?,? "
    r"(\w+) = postProcessModel\(\s*\2\s*\);? end"
)
"""Pattern of code that updates the derived fields of a model, which a `Model` does by itself."""


def if_statement(body: Body, node: Node) -> None:
    before = dict(body.env)
    after: dict[str, Kind] | None = None
    ends = list[End]()
    closed = begun = False
    word = "if"
    if re.fullmatch(UNPROCESSED, " ".join(text(node).split())):
        return
    for part in named(node):
        if part.type in ("elseif_clause", "else_clause"):
            inner = named(part)
            word = "elif" if part.type == "elseif_clause" else "else"
            block: list[Node] = inner[-1].children if inner and inner[-1].type == "block" else []
            test = part.child_by_field_name("condition")
        elif part.type == "block":
            continue
        else:
            test, part = part, node
            block = next((p.children for p in named(node) if p.type == "block"), [])
        body.env = dict(before)
        decided = "" if word == "else" else body.condition(test)
        if decided in ("False", "not True"):
            continue
        if word == "else" or decided in ("True", "not False"):
            closed = True
            if after is None and word != "elif" and not begun:
                # the condition always holds, so only its block is translated
                body.statements([n for n in block if n.is_named])
                return
            body.write("else:")
        else:
            body.write(f"{'elif' if begun else 'if'} {decided}:")
            begun = True
        if word != "else" and fulfilled(body, test) is False:
            _of_any_kind(body, block, part)
            continue
        if word != "else":
            _narrow(body, test, decided)
        field = None if word == "else" else _new_field(body, test)
        leaves = inside(body, block, part)
        if field is not None and body.env[field[0]] == field[1]:
            body.env[field[0]] = before[field[0]]
        if not leaves:
            ends.append((len(body.out), body.env))
        after = after if leaves else merged(after, body.env) if after is not None else body.env
    if not closed:
        after = merged(after, before) if after is not None else before
    body.env = after if after is not None else before
    if closed:
        keep_two_axes(body, ends)


def _new_field(body: Body, test: Node) -> tuple[str, Kind] | None:
    """Let a struct have a field that no line assigns, in a block after ``isfield(s, 'name')``;
    return the name of the struct, and its kind in the block.
    """
    found = re.fullmatch(r"isfield\(\s*(\w+)\s*,\s*'(\w+)'\s*\)", text(test))
    k = body.env.get(found[1]) if found else None
    if found is None or k is None or k.form != "struct" or k.field(found[2]) is not None:
        return None
    body.env[found[1]] = k.with_field(found[2], kind("n" if body.program.open else "a"))
    return found[1], body.env[found[1]]


def _of_any_kind(body: Body, block: list[Node], head: Node) -> None:
    """Write a block that no call of the function reaches, so that arguments may be any arrays."""
    body.env |= {n: kind("a").now(shared=True) for n in body.inputs if n not in body.held}
    before, body.program.uncalled = body.program.uncalled, True
    inside(body, block, head)
    body.program.uncalled = before


def _narrow(body: Body, test: Node, decided: str) -> None:
    """Record that an array x of unknown shape is a matrix after a test ``size(x) == [m n]``."""
    if found := re.fullmatch(r"np\.shape\((\w+)\) == \(\d+, \d+\)", decided):
        for name in {text(n) for n in walk(test) if n.type == "identifier"}:
            if body.spelled(name) == found[1] and body.env[name].form == "array":
                body.env[name] = body.env[name].now(form="matrix")


def inside(body: Body, block: list[Node], head: Node) -> bool:
    """Write an indented block; return True if execution does not continue after it."""
    body.header(head, block)
    body.depth += 1
    body.statements([n for n in block if n.is_named])
    body.depth -= 1
    types = {n.type for n in block if n.is_named}
    if types & {"break_statement", "continue_statement"} and body.loops:
        body.loops[-1]["left"].append(dict(body.env))
    if types & {"return_statement", "break_statement", "continue_statement"}:
        return True
    calls = [n for n in block if n.type == "function_call"]
    return any(text(n.child_by_field_name("name")) == "error" for n in calls)


def switch_statement(body: Body, node: Node) -> None:
    subject = value(body, node.child_by_field_name("condition") or named(node)[0])
    several = subject.kind.is_vector or subject.kind.form == "matrix"
    if subject.kind.form not in ("scalar", "text", "nothing", "other") and not several:
        raise Undecided(f"switch: want a number or text, got {subject.kind.described}")
    before, after, word = dict(body.env), None, "if"
    closed, ends = False, list[End]()
    for part in named(node)[1:]:
        block: list[Node] = next((p.children for p in named(part) if p.type == "block"), [])
        body.env = dict(before)
        cases = _texts(part)
        decided = None
        if part.type != "otherwise_clause" and cases:
            decided = _known(subject, cases, several)
        if decided is False:
            continue
        if part.type == "otherwise_clause" or decided:
            closed = True
            if word == "if":
                body.statements([n for n in block if n.is_named])
                return
            body.write("else:")
        elif several:
            raise Undecided(f"switch: want a number or text, got {subject.kind.described}")
        else:
            case = expression(body, part.child_by_field_name("condition") or named(part)[0])
            op = "in" if case.kind.form == "cell" else "=="
            same = case.kind.item if op == "in" else case.kind
            open_ = subject.kind.form == "other" and same is not None and same.form == "text"
            if not open_ and (
                same is None or (same.form == "text") != (subject.kind.form == "text")
            ):
                raise Undecided(
                    "switch: want a value and cases that are all numbers or all text; here one "
                    "is text and another is not"
                )
            body.write(f"{word} {subject.at(11)} {op} {case.at(11)}:")
        word = "elif"
        leaves = inside(body, block, part)
        if not leaves:
            ends.append((len(body.out), body.env))
        after = after if leaves else merged(after, body.env) if after is not None else body.env
        if closed:
            break
    if not closed:
        after = merged(after, before) if after is not None else before
    body.env = after if after is not None else before
    if closed:
        keep_two_axes(body, ends)


def _texts(clause: Node) -> list[str]:
    """Return the texts of a case, if it has literal texts only."""
    condition = clause.child_by_field_name("condition") or named(clause)[0]
    rows = named(condition) if condition.type == "cell" else []
    every = [n for row in rows for n in named(row)] if rows else [condition]
    return [string_value(n) for n in every] if all(n.type == "string" for n in every) else []


def _known(subject: Code, cases: list[str], several: bool) -> bool | None:
    """Test if a subject is one of some texts; return None if this is not known. In Octave an array
    is none, in MATLAB an error.
    """
    if several:
        return False
    if not re.fullmatch(r'"[^"\\]*"', subject.text):
        return None
    return subject.text[1:-1] in cases


def return_statement(body: Body, node: Node) -> None:
    body.write(result(body) if body.name else "raise SystemExit")


def result(body: Body) -> str:
    """Return the text of a function's return statement, and record the kinds of its results."""
    place = body.program.functions[body.name].key if body.name in body.program.functions else 0
    known: list[Kind | None] = [None] * len(body.outputs)
    known[:] = body.program.returns.get(place, known)
    kinds = []
    for n, name in enumerate(body.outputs):
        found = body.env.get(name, kind("n"))
        if name == "varargout" and (before := known[n]) is not None:
            pairs = zip_longest(before.items, found.items)
            every = tuple(join(a, b) for a, b in pairs)
            found, known[n] = found.now(items=every), before.now(items=every)
        if found.shift:
            body.program.shifts.setdefault((body.name, name), set()).update({0, found.shift})
        kinds.append(join(known[n], found.now(shift=0)))
    shown = [body.spelled(n) if n in body.ever else "None" for n in body.outputs]
    for n, k in enumerate(kinds):
        if k.wide and body.program.two_axes:  # a matrix if it is one on some path
            code = by_columns(body, Code(shown[n], k))
            kinds[n], shown[n] = code.kind, code.text
    body.program.returns[place] = kinds
    if body.is_constructor:
        return "return"
    if body.outputs and body.outputs[-1] == "varargout":
        shown[-1] = "*varargout"
        return "return tuple(varargout)" if len(shown) == 1 else f"return {', '.join(shown)}"
    return f"return {', '.join(shown)}".rstrip()
