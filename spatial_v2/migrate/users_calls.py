"""Calls of the user's functions, and of the constructors and methods of the user's classes."""

from __future__ import annotations

from itertools import zip_longest

from spatial_v2.migrate.body import Body
from spatial_v2.migrate.functions import arguments, spread_kinds
from spatial_v2.migrate.kinds import Code, Kind, Undecided, join, kind
from spatial_v2.migrate.objects import has_method, methods_called
from spatial_v2.migrate.parse import Node

__all__ = ["made", "method", "numbered", "of_base", "of_object", "users"]


def users(body: Body, name: str, args: tuple[Node, ...], nargout: int) -> Code:
    found = body.program.functions[name]
    body.program.refuse_runtime(name)
    if name in body.file.script.functions and found.path != body.file.path:
        raise Undecided(f"`{name}` is a function of {found.path.name}, too")
    if found.path != body.file.path:
        body.need(f"from {found.path.stem} import {body.spelled(name)}")
    return _finished(body, [name], body.spelled(name), arguments(body, args), nargout)


def made(body: Body, name: str, given: list[Code]) -> Code:
    """Translate the construction of an object."""
    x = body.program.objects[name]
    if x.script.path != body.file.path:
        body.need(f"from {x.script.path.stem} import {name}")
    constructor = next((c for c in (name, *x.bases) if f"{c}.{c}" in body.program.functions), "")
    if not constructor and given:
        raise Undecided(f"`{name}`: want no arguments, as the class has no constructor")
    if constructor and constructor != name:
        raise Undecided(f"`{name}`: the class has no constructor, but a base has one")
    if constructor:
        _finished(body, [f"{name}.{name}"], name, given, 1)
    return Code(f"{name}({', '.join(g.text for g in given)})", x.kind)


def of_object(body: Body, name: str, args: tuple[Node, ...], nargout: int) -> Code | None:
    """Translate a call ``f(obj, x)`` of a method; None if no argument has one of this name."""
    if not any(f.endswith(f".{name}") for f in body.program.functions):
        return None
    given = arguments(body, args)
    at = next((k for k, g in enumerate(given) if has_method(body.program, g.kind, name)), None)
    if at is None:
        return None
    if at:
        raise Undecided(f"`{name}`: want the object as the first argument of a method")
    return method(body, name, given, nargout)


def method(body: Body, name: str, given: list[Code], nargout: int) -> Code:
    """Translate a call of a method of the first of the values `given`."""
    every = methods_called(body.program, given[0].kind, name)
    return _finished(body, every, f"{given[0].at(19)}.{name}", given, nargout)


def of_base(body: Body, name: str, base: str, args: list[Node], nargout: int) -> Code:
    """Translate ``obj@Base(x)`` or ``f@Base(obj, x)``."""
    if name == body.instance and base == "handle":
        return Code("...", kind("n"))
    if base not in body.program.objects:
        raise Undecided(f"the base class {base} is written by the runtime")
    given = arguments(body, tuple(args))
    if name == body.instance:
        if f"{base}.{base}" not in body.program.functions:
            return Code("super().__init__()", kind("n"))
        return _finished(body, [f"{base}.{base}"], "super().__init__", given, 1)
    if not given or given[0].text != "self" or f"{base}.{name}" not in body.program.functions:
        raise Undecided(f"`{name}@{base}`: want a method of the base, and the object")
    return _finished(body, [f"{base}.{name}"], f"super().{name}", given, nargout)


def _finished(body: Body, names: list[str], shown: str, given: list[Code], nargout: int) -> Code:
    """Translate a call of a function, or of one of several methods of an object, the first argument
    of which is part of the text `shown`.
    """
    name, found = names[0], body.program.functions[names[0]]
    function = found.function
    given_kinds = spread_kinds(given)
    if len(given) > len(function.inputs) and "varargin" not in function.inputs:
        raise Undecided(
            f"`{name}`: want at most {len(function.inputs)} arguments, got {len(given)}"
        )
    for other in names:
        body.program.site(body.program.functions[other].key, given_kinds, sum(map(_certain, given)))
    of_object = "." in name and name.split(".")[0] != name.split(".")[1]
    texts = [g.text for g in given[of_object:]]
    if found.counts_results:
        texts.append(f"nargout={nargout}")
    result = f"{shown}({', '.join(texts)})"
    kinds = body.program.results(found.key, given_kinds) or [kind("n")] * len(function.outputs)
    for other in names[1:]:
        more = body.program.results(body.program.functions[other].key, given_kinds) or []
        if len(body.program.functions[other].function.outputs) != len(function.outputs):
            raise Undecided(f"`{name}`: a class that inherits has a method with other results")
        kinds = [join(a, b) for a, b in zip_longest(kinds, more)]
    further = "varargout" in function.outputs
    if further:
        last = kinds[-1]
        some = list(last.items)
        item = last.item if last.item else kind("n")
        kinds = [*kinds[:-1], *(some or [item] * max(nargout - len(kinds) + 1, 0))]
        if body.program.open:
            kinds += [kind("n")] * max(nargout - len(kinds), 0)
        if nargout == 1 and not kinds:
            return Code(result, kind("u"))
    if nargout > max(1, len(kinds)):
        raise Undecided(f"`{name}` has {len(function.outputs)} results, but {nargout} are assigned")
    if not function.outputs:
        return Code(result, kind("u"))
    if nargout == 1:
        several = len(function.outputs) > 1 or further
        return Code(result + ("[0]" if several else ""), kinds[0])
    part = "" if nargout == len(function.outputs) and not further else f"[:{nargout}]"
    return Code(result + part, Kind("tuple", fields=numbered(kinds[:nargout])))


def _certain(given: Code) -> int:
    """Return the number of arguments that an expression stands for: of ``c{:}``, the length of the
    cell if it is known, otherwise 0.
    """
    k = given.kind
    return 1 if k.form != "spread" else k.length if 0 < k.length == len(k.items) else 0


def numbered(kinds: list[Kind]) -> tuple[tuple[str, Kind], ...]:
    return tuple((str(n), k) for n, k in enumerate(kinds))
