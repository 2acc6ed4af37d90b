"""Variables, their entries and their fields, read or assigned."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.migrate import symbolic
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.calls import call
from spatial_v2.migrate.expressions import attribute, literal, quoted, value
from spatial_v2.migrate.functions import apply, arguments
from spatial_v2.migrate.indices import index
from spatial_v2.migrate.kinds import Code, Kind, Undecided, kind
from spatial_v2.migrate.names import MODEL
from spatial_v2.migrate.objects import OBJECTS, base_of, has_method, property_code
from spatial_v2.migrate.parse import Node, named, text
from spatial_v2.migrate.subscripts import subscript
from spatial_v2.migrate.users_calls import method, of_base

__all__ = ["Step", "method_call", "part", "place", "steps"]


class Step(NamedTuple):
    """Access to a part of a value; `sign` is ``(``, ``{``, ``.`` for a field, or ``.(`` for a field
    whose name is computed.
    """

    sign: str
    args: tuple[Node, ...] = ()
    name: str = ""


def steps(node: Node) -> tuple[str, list[Step]]:
    """Return the name of the variable in an expression such as ``s.x{2}(3)``, and the accesses to
    parts that follow it, in order.
    """
    if node.type == "identifier":
        return text(node), []
    if node.type == "indirect_access":
        return "", [Step(".(", tuple(named(node)))]
    if node.type == "function_call":
        name, before = steps(node.child_by_field_name("name"))
        sign = next(c.type for c in node.children if c.type in "({")
        args = [n for c in node.named_children if c.type == "arguments" for n in named(c)]
        return name, [*before, Step(sign, tuple(args))]
    if node.type == "field_expression":
        parts = named(node)
        name, found = steps(parts[0])
        for p in parts[1:]:
            field, more = steps(p)
            found += [Step(".", name=attribute(field))] if field else []
            found += more
        return name, found
    raise Undecided(f"`{text(node)}`: want a variable, an entry or field of one, or a call")


def place(body: Body, node: Node) -> Code:
    """Translate a variable, a part of it, or a call."""
    if (over := base_of(node)) is not None:
        return of_base(body, *over, 1)
    name, path = steps(node)
    if name == "nargin" and name not in body.env and not path:
        return body.nargin()
    if name not in body.env:
        args = path[0].args if path and path[0].sign == "(" else ()
        code = call(body, name, args, node)
        path = path[1:] if path and path[0].sign == "(" else path
    else:
        code = Code(body.spelled(name), body.env[name].now(shared=True))
    return _followed(body, code, path, node)


def _followed(body: Body, code: Code, path: list[Step], node: Node, nargout: int = 1) -> Code:
    """Translate accesses to parts of a value, among them calls of methods of objects."""
    while path:
        step, *path = path
        if step.sign == "." and has_method(body.program, code.kind, step.name):
            args: tuple[Node, ...] = ()
            if path and path[0].sign == "(":
                args, path = path[0].args, path[1:]
            given = [code, *arguments(body, args)]
            code = method(body, step.name, given, 1 if path else nargout)
        else:
            code = part(body, code, step, node)
    return code


def method_call(body: Body, node: Node, nargout: int = 1) -> Code | None:
    """Translate a call of a method, ``obj.f(x)`` or ``f@Base(obj, x)``; None for other nodes."""
    if (over := base_of(node)) is not None:
        return of_base(body, *over, nargout)
    name, path = steps(node)
    if name not in body.env or not body.program.objects:
        return None
    code = Code(body.spelled(name), body.env[name].now(shared=True))
    called = [k for k, step in enumerate(path) if step.sign == "."]
    if not called or len(path) - called[-1] > 2 or path[-1].sign not in (".", "("):
        return None
    before = _followed(body, code, path[: called[-1]], node)
    if not has_method(body.program, before.kind, path[called[-1]].name):
        return None
    return _followed(body, before, path[called[-1] :], node, nargout)


def part(body: Body, code: Code, step: Step, node: Node) -> Code:
    """Translate one access to a part of a variable."""
    k = code.kind
    if k.form == "nothing":
        return Code(code.text, kind("n"))
    if step.sign == "." and k.form in OBJECTS:
        return property_code(body, code, step.name)
    if step.sign == ".":
        return _field(code, step.name)
    if step.sign == ".(":
        name = value(body, step.args[0])
        if k.form not in ("struct", "other") or name.kind.form != "text":
            raise Undecided(
                f"`{text(node)}`: want a struct, and the name of the field as text; got "
                f"{k.described} and {name.kind.described}"
            )
        return Code(f"getattr({code.text}, {name.text})", Kind("other", shared=True))
    if k.form == "symbols" and step.sign == "(":
        return symbolic.part(code, [literal(a) for a in step.args], text(node))
    if k.form == "function":
        return apply(body, code, step.args)
    if k.form == "cell":
        return _entry(body, code, step, node)
    if k.form == "grid" and step.sign == "{" and len(step.args) == 2:
        at = [index(body, a, Code(code.text, Kind("matrix")), n) for n, a in enumerate(step.args)]
        if any(x.form != "one" or "shape" in x.text for x in at):
            raise Undecided(
                f"`{text(node)}`: several entries of a cell cannot be used together; use them one "
                "by one"
            )
        one, other = (literal(a) or 0 for a in step.args)
        single = k.items and one and 0 < other <= k.length
        item = k.items[(one - 1) * k.length + other - 1] if single else k.item or kind("u")
        item = item.now(shared=True)
        return Code(f"{code.at(19)}[{at[0].text}][{at[1].text}]", item)
    if step.sign == "{":
        raise Undecided(f"`{text(node)}`: want a cell before the braces, got {k.described}")
    return subscript(body, code, step.args, text(node))


def _field(code: Code, name: str) -> Code:
    k = code.kind
    found = MODEL.get(name) if k.form == "model" else k.field(name)
    if k.form == "model":
        if found is None and (own := k.field(name)) is not None:
            return Code(f"{code.at(19)}.user[{quoted(name)}]", own.now(shared=True))
        if found is None:
            raise Undecided(f"a Model has no field {name}")
        if name == "NB_rot":
            return Code(f"{code.at(19)}.n_rotor", found)
        if name in ("nq", "nv"):
            return Code(f"np.array({code.at(19)}.{name})", found)
        return Code(f"{code.at(19)}.{name}", found.now(shared=True))
    if k.form == "text" and not hasattr(str, name):
        return Code(
            f"{code.at(19)}.{name}", Kind("struct", item=kind("s"))
        )  # an error, as in MATLAB
    if k.form not in ("struct", "other"):
        raise Undecided(f"`{code.text}.{name}`: want a struct before the dot, got {k.described}")
    return Code(f"{code.at(19)}.{name}", (found or k.item or kind("u")).now(shared=True))


def _entry(body: Body, code: Code, step: Step, node: Node) -> Code:
    if len(step.args) == 2 and literal(step.args[0]) == 1:
        step = step._replace(args=step.args[1:])
    if len(step.args) != 1:
        raise Undecided(
            f"`{text(node)}`: want one subscript of a cell that is a row or column, got "
            f"{len(step.args)}"
        )
    at = index(body, step.args[0], Code(code.text, Kind("row")), -1)
    item = code.kind.item or kind("n" if body.program.open else "u")
    if code.text.endswith(".rotor_param_inds") and at.form == "one" and step.sign == "{":
        rotors = f"{code.text.removesuffix('.rotor_param_inds')}.has_rotor"
        inds = f"10 * int(np.sum({rotors}[:{at.text}])) + np.arange(10 * int({rotors}[{at.text}]))"
        return Code(inds, Kind("row", "i", shift=1), 15)
    known = literal(step.args[0])
    if known and step.sign == "{" and known <= len(code.kind.items):
        item = code.kind.items[known - 1]
    if step.sign == "{" and at.form == "one":
        return Code(f"{code.at(19)}[{at.text}]", item.now(shared=True))
    if step.sign == "(" and at.form == "slice":
        some = code.kind if at.text == ":" else code.kind.now(length=-1, items=())
        return Code(f"{code.at(19)}[{at.text}]", some)
    raise Undecided(
        f"`{text(node)}`: several entries of a cell cannot be used together; use them one by one"
    )
