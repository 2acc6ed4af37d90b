"""Function handles, anonymous functions, and their calls."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.expressions import value
from spatial_v2.migrate.kinds import Code, Kind, Undecided, join, kind
from spatial_v2.migrate.names import ELEMENTWISE, LIBRARY
from spatial_v2.migrate.parse import named, text, walk

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["apply", "arguments", "called", "handle", "without_name"]

Node = Any


def arguments(body: Body, args: tuple[Node, ...]) -> list[Code]:
    """Translate the arguments of a call."""
    if any(a.type == "spread_operator" for a in args):
        raise Undecided("a colon as an argument")
    return [value(body, a) for a in args]


def _as_function(body: Body, name: str) -> str:
    """Translate a handle of a built-in function."""
    if ELEMENTWISE.get(name):
        if name in ("acos", "asin"):
            body.need(f"from spatial_v2.migrate.values import {name}")
        return ELEMENTWISE[name]
    raise Undecided(f"@{name}: write it as a function with its arguments")


def handle(body: Body, name: str) -> Code:
    """Translate a function handle ``@name``."""
    if name in body.program.functions:
        found = body.program.functions[name]
        if found.path != body.file.path:
            body.need(f"from {found.path.stem} import {body.spelled(name)}")
        if len(found.function.outputs) > 1:
            inner = f"lambda *x: {body.spelled(name)}(*x)[0]"
            return Code(inner, Kind("function", source=found.key), 1)
        return Code(body.spelled(name), Kind("function", source=found.key))
    if name in LIBRARY and len(LIBRARY[name]) == 1:
        body.file.matlab.add(name)
        body.need(f"from spatial_v2.matlab import {name}")
        return Code(name, Kind("function", source=-1, fields=((name, kind("u")),)))
    return Code(_as_function(body, name), Kind("function", item=None, source=-1))


def apply(body: Body, code: Code, args: tuple[Node, ...]) -> Code:
    """Translate a call of a function that a variable holds."""
    given = arguments(body, args)
    return Code(
        f"{code.at(19)}({', '.join(g.text for g in given)})",
        called(body, code, [g.kind for g in given]),
    )


def called(body: Body, code: Code, given: list[Kind]) -> Kind:
    """Infer the kind of the result of a function handle."""
    source = code.kind.source
    if code.kind.form != "function":
        raise Undecided(f"`{code.text}` is a {code.kind.form}, not a function")
    if source == -1 and code.kind.fields:
        return kind(LIBRARY[code.kind.fields[0][0]][0])
    if source > 0:
        body.program.site(source, given)
        return (body.program.returns.get(source) or [kind("n")])[0]
    raise Undecided(f"`{code.text}`: it is unknown which function this is")


def without_name(body: Body, node: Node) -> Code:
    """Translate an anonymous function ``@(x) ...``."""
    inner = node.child_by_field_name("expression")
    given = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
    names = [body.spelled(text(n)) if n.type == "identifier" else "_" for n in given]
    code = _of_known_kinds(body, node, given)
    used = {text(n) for n in walk(inner) if n.type == "identifier"}
    late = sorted(
        body.spelled(n) for n in used & body.assigned_twice if body.spelled(n) not in names
    )
    copied = {
        body.spelled(n)
        for n in body.mutated & body.env.keys()
        if body.env[n].form not in ("scalar", "text", "function")
    }
    if set(late) & copied:
        body.need("import copy")
    held = [  # MATLAB captures the present values of variables
        f"{n}=copy.deepcopy({n})" if n in copied else f"{n}={n}" for n in late
    ]
    head = ", ".join([*names, *held])
    return Code(
        f"lambda{' ' if head else ''}{head}: {code}", Kind("function", source=body.key(node)), 1
    )


def _of_known_kinds(body: Body, node: Node, given: list[Node]) -> str:
    """Translate the expression of an anonymous function, with the kinds of arguments that its calls
    have.
    """
    place, program, before = body.key(node), body.program, body.env
    kinds = program.sites.get(place, [])
    body.env = dict(before)
    for n, x in enumerate(given):
        known = kinds[n] if n < len(kinds) else kind("n" if program.open else "a")
        body.env[text(x) if x.type == "identifier" else "_"] = known.now(shift=0)
    try:
        code = value(body, node.child_by_field_name("expression"))
    finally:
        body.env = before
    known_ = program.returns.get(place, [None])[0]
    program.returns[place] = [join(known_, code.kind.now(shared=False))]
    return code.text
