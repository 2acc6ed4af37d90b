"""Translation of a function by the runtime: its head, what holds before it runs, its statements."""

from __future__ import annotations

import ast
from typing import Any

from spatial_v2.migrate.documentation import documentation, documenting
from spatial_v2.migrate.general.program import Program
from spatial_v2.migrate.general.scope import inside
from spatial_v2.migrate.general.statements import Writer
from spatial_v2.migrate.general.trees import called, constant, identifier, name
from spatial_v2.migrate.general.values import expression, plain
from spatial_v2.migrate.parse import Function, Node, Script, function_of, named, text, walk

__all__ = ["begins_by_part", "written_function"]


def begins_by_part(w: Writer, nodes: Any, word: str) -> bool:
    """Test if a variable may get a part before it gets a whole value."""
    if word in w.inputs:
        return False
    for node in nodes:
        if node.type == "assignment":
            left = node.child_by_field_name("left")
            sides = left.named_children if left.type == "multioutput_variable" else [left]
            if any(n.type == "identifier" and text(n) == word for n in sides):
                return False
        if any(
            text(n) == word for n in inside([node], w.program.scripts) if n.type == "identifier"
        ):
            return True
    return False


def written_function(
    program: Program,
    f: Script,
    found: Function,
    outer: Writer | None = None,
    decorator: str = "ml.function",
    instance: str = "",
) -> Writer:
    """Translate a function; the first argument of a constructor is the object, `instance`."""
    main = program.public.get(f.path.stem)
    if main is not None and main[0] is found:
        found = found._replace(name=f.path.stem)  # MATLAB goes by the name of the file
    if instance:
        found = found._replace(inputs=(instance, *found.inputs))
    w = Writer(program, f, found.body, found.inputs, found.outputs, True, found.name, outer)
    words = {text(n) for b in found.body for n in walk(b) if n.type == "identifier"}
    named_ = _named_groups(found)
    fixed = [n for n in found.inputs if n != "varargin" and n not in named_]
    optional = bool(words & {"nargin", "exist"} or found.arguments) or decorator != "ml.function"
    least = 0 if optional else min(program.given.get(found.name, 99), len(fixed))
    least = min(1, len(fixed)) if decorator == "ml.method" else least
    heads, later = [], False
    for k, n in enumerate(fixed):
        word = f"_{k}" if n in ("_", "~") else identifier(n)
        later = later or k >= least
        heads.append(f"{word}=None" if later else word)
    if "varargin" in found.inputs:
        heads.append("*varargin")
    elif named_:
        heads.append("*named_")
    if "nargout" in words:
        heads.append("nargout=1" if "varargin" in found.inputs or not heads else "*, nargout=1")
    w.write(f"@{decorator}")
    w.write(f"def {identifier(found.name)}({', '.join(heads)}):")
    w.depth = 1
    _documentation(w, found)
    if "nargin" in words:
        given = ", ".join(
            f"_{k}" if n in ("_", "~") else identifier(n)
            for k, n in enumerate(fixed)
            if n != instance
        )
        more = "*varargin" if "varargin" in found.inputs else ""
        w.write(f"nargin = ml.nargin({', '.join(x for x in (given, more) if x)})")
    if "varargin" in found.inputs:
        w.write("varargin = ml.cell_of(varargin)")
    _declared(w, found, named_)
    if w.variables.kept:
        w.write(f"global {', '.join(f'{found.name}_{n}' for n in sorted(w.variables.kept))}")
    if outer is not None:
        both = sorted(
            n
            for n in w.variables.every & outer.variables.every
            if n not in found.inputs and n not in found.outputs
        )
        if both:
            w.write(f"nonlocal {', '.join(map(identifier, both))}")
    for n in found.inputs:
        if (n in w.variables.parts or n in found.outputs) and n not in ("varargin", "_", "~"):
            w.write(f"{identifier(n)} = ml.copy({identifier(n)})")
    body = list(found.body[len(documenting(found)) :])
    returns = any(n.type == "return_statement" for b in body for n in walk(b))
    empty = list[str]()
    for n in found.outputs:
        if n == "varargout":
            w.write("varargout = ml.cell_of()")
        elif n not in found.inputs and (returns or not _certain(body, n)):
            empty.append(identifier(n))
            w.unsure.add(n)
    for n in sorted(w.variables.parts - set(found.inputs) - set(found.outputs)):
        if (
            n not in w.variables.shared | w.variables.kept
            and begins_by_part(w, body, n)
            and not (outer is not None and n in outer.variables.every)
        ):
            empty.append(identifier(n))
    if empty:
        w.write(f"{' = '.join(empty)} = None")
    for node in body:
        if node.type == "function_definition":
            inner = written_function(program, f, function_of(node), w)
            for line in inner.out:
                w.write(line)
            w.todos += inner.todos
            w.remarks += inner.remarks
    w.last_row = found.node.start_point[0]
    w.statements(body)
    if found.outputs and not (w.out and w.out[-1].startswith("    return")):
        w.write(w.result())  # type: ignore[attr-defined]
    elif not any(x.strip() and not x.strip().startswith("#") for x in w.out[2:]):
        w.write("pass")
    return w


def _named_groups(found: Function) -> list[str]:
    """Return the arguments that an ``arguments`` block makes structs of names and values."""
    parts = [p.named_children[0] for p in found.arguments]
    groups = [text(named(n)[0]) for n in parts if n.type == "property_name" and named(n)]
    return list(dict.fromkeys(groups))


def _declared(w: Writer, found: Function, groups: list[str]) -> None:
    """Write the defaults that an ``arguments`` block gives."""
    options: dict[str, dict[str, ast.expr]] = {g: {} for g in groups}
    for p in found.arguments:
        first = p.named_children[0]
        default = next((named(n)[0] for n in p.named_children if n.type == "default_value"), None)
        tree = constant(None) if default is None else plain(expression(w, default))
        if first.type == "property_name" and named(first):
            group, word = map(text, named(first)[:2])
            options[group][word] = tree
        elif default is not None and text(first) != "varargin":
            word = identifier(text(first))
            w.write(f"if {word} is None:")
            w.depth += 1
            w.assign(name(word), tree)
            w.depth -= 1
    for group, given in options.items():
        w.assign(name(identifier(group)), called("named_options", name("named_"), **given))


def _certain(body: list[Node], word: str) -> bool:
    """Test if a variable is assigned whole by a statement that always runs."""
    for n in body:
        if n.type == "assignment":
            left = n.child_by_field_name("left")
            sides = left.named_children if left.type == "multioutput_variable" else [left]
            if any(x.type == "identifier" and text(x) == word for x in sides):
                return True
            if any(x.type != "identifier" and word in text(x) for x in sides):
                return False
    return False


def _documentation(w: Writer, found: Function) -> None:
    shown = documentation(found)
    if not shown:
        return
    w.write(f'"""{shown[0]}' + ('"""' if len(shown) == 1 else ""))
    for line in shown[1:]:
        w.write(line)
    if len(shown) > 1:
        w.write('"""')
