"""Function handles, anonymous functions, and their calls."""

from __future__ import annotations

import re

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.clearing import clearing
from spatial_v2.migrate.expressions import value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, join, kind
from spatial_v2.migrate.names import ELEMENTWISE, LIBRARY
from spatial_v2.migrate.parse import Node, named, text, walk

__all__ = ["apply", "arguments", "called", "handle", "spread", "spread_kinds", "without_name"]

APPLIED = {
    "isempty": "lambda x: numel(x) == 0",
    "numel": "numel",
    "ischar": "lambda x: isinstance(x, str)",
}
"""Function of MATLAB with a single result of known kind -> the function in Python to which
``cellfun`` applies it.
"""
APPLIED_KINDS = {name: (("result", kind("i" if name == "numel" else "b")),) for name in APPLIED}


def arguments(body: Body, args: tuple[Node, ...]) -> list[Code]:
    """Translate the arguments of a call."""
    if any(a.type == "spread_operator" for a in args):
        raise Undecided("the arguments of a function: want values, got a colon")
    return [spread(body, a) or value(body, a) for a in args]


def spread(body: Body, node: Node) -> Code | None:
    """Translate all entries of a cell as arguments, ``c{:}``; None for other expressions."""
    if node.type != "function_call" or not re.search(r"\{\s*:\s*\}$", text(node)):
        return None
    code = value(body, node.child_by_field_name("name"))
    if code.kind.form == "nothing":
        return Code("*...", kind("n"))
    if code.kind.form != "cell":
        raise Undecided(f"`{text(node)}`: want the entries of a cell, got {code.kind.described}")
    return Code(f"*{code.at(19)}", code.kind.now(form="spread"))


def spread_kinds(given: list[Code]) -> list[Kind]:
    """Return the kinds of the arguments of a call; for all entries of a cell, ``c{:}``, the kinds
    of the entries.
    """
    found: list[Kind] = []
    for g in given:
        every = g.kind.items or (g.kind.item or kind("n"),)
        found += every if g.kind.form == "spread" else (g.kind,)
    return found


def _as_function(body: Body, name: str) -> str:
    """Translate a handle of a built-in function."""
    if ELEMENTWISE.get(name):
        if name in ("acos", "asin"):
            body.need(f"from spatial_v2.migrate.values import {name}")
        return ELEMENTWISE[name]
    raise Undecided(f"@{name}: a handle of this function is not translated; write @(x) {name}(x)")


def handle(body: Body, name: str, *, whole: bool = False) -> Code:
    """Translate a function handle ``@name``, for the first result or, if `whole`, for all."""
    if name in body.program.functions:
        found = body.program.functions[name]
        body.program.refuse_runtime(name)
        if found.path != body.file.path:
            body.need(f"from {found.path.stem} import {body.spelled(name)}")
        if len(found.function.outputs) > 1 and not whole:
            inner = f"lambda *x: {body.spelled(name)}(*x)[0]"
            return Code(inner, Kind("function", source=found.key), 1)
        return Code(body.spelled(name), Kind("function", source=found.key))
    if name in LIBRARY:
        body.file.matlab.add(name)
        body.need(f"from spatial_v2.matlab import {name}")
        several = len(LIBRARY[name]) > 1
        shown = f"lambda *x: {name}(*x)[0]" if several and not whole else name
        held = Kind("function", source=-1, fields=((name, kind("u")),))
        return Code(shown, held, 1 if shown != name else 20)
    fields = (("each", kind("s")),)
    if name in APPLIED:
        if "numel" in APPLIED[name]:
            body.need("from spatial_v2.migrate.values import numel")
        return Code(APPLIED[name], Kind("function", source=-1, fields=APPLIED_KINDS[name]), 1)
    return Code(_as_function(body, name), Kind("function", source=-1, fields=fields))


def apply(body: Body, code: Code, args: tuple[Node, ...]) -> Code:
    """Translate a call of a function that a variable holds."""
    given = arguments(body, args)
    if any(g.kind.form == "spread" for g in given) and code.kind.source <= 0:
        raise Undecided(
            f"`{code.text}`: all entries of a cell, c{{:}}, can be arguments only of functions in "
            f"the script; write c{{1}}, c{{2}}, ..."
        )
    return Code(
        f"{code.at(19)}({', '.join(g.text for g in given)})",
        called(body, code, spread_kinds(given)),
    )


def called(body: Body, code: Code, given: list[Kind]) -> Kind:
    """Infer the kind of the result of calling a function handle with arguments of kinds `given`."""
    source = code.kind.source
    if code.kind.form != "function":
        raise Undecided(f"`{code.text}`: want a function, got {code.kind.described}")
    if source == -1 and code.kind.fields:
        name, found = code.kind.fields[0]
        if name == "each":
            if not given or not given[0].is_array:
                raise Undecided(
                    f"`{code.text}`: want an array as argument; it is unknown whether this is one"
                )
            some = "z" if given[0].numbers == "z" else "?"
            return given[0].now(numbers=some, shared=False, length=-1)
        return found if name == "result" else kind(LIBRARY[name][0])
    if source > 0:
        body.program.site(source, given)
        return (body.program.results(source, given) or [kind("n")])[0]
    raise Undecided(f"`{code.text}`: it is unknown which function the variable holds")


def without_name(body: Body, node: Node) -> Code:
    """Translate an anonymous function ``@(x) ...``."""
    inner = node.child_by_field_name("expression")
    given = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
    names = [body.spelled(text(n)) if n.type == "identifier" else "_" for n in given]
    code = _of_known_kinds(body, node, given)
    used = {text(n) for n in walk(inner) if n.type == "identifier"}
    late = sorted(
        body.spelled(n)
        for n in used & body.assigned_twice
        if body.spelled(n) not in names and _changes_later(body, n, node)
    )
    copied = {
        body.spelled(n)
        for n in body.mutated & body.env.keys()
        if body.env[n].form not in ("scalar", "text", "function", "reference")
    }
    if set(late) & copied:
        body.need("import copy")
    held = [  # MATLAB captures the present values of variables
        f"{n}=copy.deepcopy({n})" if n in copied else f"{n}={n}" for n in late
    ]
    if used & body.globals:
        raise Undecided(
            "an anonymous function cannot hold the value of a global variable; assign the value "
            "to another variable first"
        )
    head = ", ".join([*names, *held])
    return Code(
        f"lambda{' ' if head else ''}{head}: {code}", Kind("function", source=body.key(node)), 1
    )


def _changes_later(body: Body, name: str, node: Node) -> bool:
    """Test if a variable may change after a place in the scope, also in the next run of a loop."""
    first, up = node.start_byte, node
    while (up := up.parent) is not None and up.type != "function_definition":
        first = up.start_byte if up.type in ("for_statement", "while_statement") else first
    cleared = (n for b in body.nodes if b.end_byte > first for n in walk(b) if clearing(n))
    return any(n.end_byte > first for n in (*body.changes.get(name, ()), *cleared))


def _of_known_kinds(body: Body, node: Node, given: list[Node]) -> str:
    """Translate the expression of an anonymous function, whose arguments have the kinds that are
    known from its calls.
    """
    place, program, before = body.key(node), body.program, body.env
    kinds = program.sites.get(place, [])
    body.env, uncalled = dict(before), program.uncalled
    program.uncalled |= not program.open and place not in program.sites and bool(given)
    for n, x in enumerate(given):
        known = kinds[n] if n < len(kinds) else kind("n" if program.open else "a")
        body.env[text(x) if x.type == "identifier" else "_"] = known.now(shift=0)
    try:
        code = value(body, node.child_by_field_name("expression"))
    finally:
        body.env, program.uncalled = before, uncalled
    known_ = program.returns.get(place, [None])[0]
    program.returns[place] = [join(known_, code.kind.now(shared=False))]
    return code.text
