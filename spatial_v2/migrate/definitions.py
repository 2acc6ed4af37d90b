"""Translation of functions and classes."""

from __future__ import annotations

from spatial_v2.migrate.branches import result
from spatial_v2.migrate.copies import copied
from spatial_v2.migrate.documentation import class_documentation, documentation, documenting
from spatial_v2.migrate.general import coded
from spatial_v2.migrate.kinds import ROW_OF_CELLS, Kind, kind
from spatial_v2.migrate.objects import Object, begun, instance_of
from spatial_v2.migrate.parse import Function, Node, text, walk
from spatial_v2.migrate.program import File, Program, Todo
from spatial_v2.migrate.statements import Body

__all__ = ["begin", "class_lines", "function"]


MOST_WAYS = 6
"""Most ways of calling a function for which its results are told apart."""


def function(program: Program, file: File, found: Function) -> tuple[list[str], list[Todo]]:
    """Translate a function, and find the kinds of its results for each way in which it is called,
    if they depend on it.
    """
    done = _function(program, file, found)
    callable_ = program.functions.get(found.name)
    key = callable_.key if callable_ and callable_.path == file.path else 0
    general, ways = program.returns.get(key), program.ways.get(key, {})
    open_ = general is None or any(k.form in ("array", "vector", "other") for k in general)
    if not open_ or not 1 < len(ways) <= MOST_WAYS or any(map(_keeps, found.body)):
        return done
    before = (
        set(file.imports), set(file.late), set(file.matlab), file.random, list(file.remarks),
        file.by_runtime, list(program.levels.next),
    )  # fmt: skip
    for way, given in ways.items():
        program.returns.pop(key, None)
        _function(program, file, found, given)
        if key in program.returns:
            program.returns_of[key, way] = program.returns[key]
    if general is not None:
        program.returns[key] = general
    (
        file.imports, file.late, file.matlab, file.random, file.remarks, file.by_runtime,
        program.levels.next,
    ) = before  # fmt: skip
    return done


def _keeps(node: Node) -> bool:
    """Test if a statement has persistent variables."""
    return any(n.type == "persistent_operator" for n in walk(node))


def _function(
    program: Program, file: File, found: Function, given: list[Kind] | None = None
) -> tuple[list[str], list[Todo]]:
    """Translate a function for arguments of some kinds, by default those of all its calls."""
    border = program.levels.border
    if border is not None and (file.number, found.name) in program.levels.scopes:
        w = border.function(file, found)
        file.by_runtime += coded(w.out)
        return w.out, w.todos
    body = Body(program, file, found.name, found.body, found.inputs, found.outputs)
    body.todos = []
    body.instance = instance_of(program, found.name, found)
    title, _, method = found.name.partition(".")
    body.is_constructor = bool(body.instance) and method == title
    callable_ = program.functions.get(found.name)
    key = callable_.key if callable_ and callable_.path == file.path else 0
    names = {text(n) for b in found.body for n in walk(b) if n.type == "identifier"}
    optional = "nargin" in names or "exist" in names
    body.env |= {
        n: given[k] if given is not None and k < len(given) else program.parameter(key, k)
        for k, n in enumerate(found.inputs)
        if n not in body.held
    }
    fixed = len(body.fixed)
    body.fewest = min(fixed, program.fewest.get(key, 0 if optional else fixed))
    if body.instance:
        body.env[body.instance] = program.objects[title].kind
        body.fewest = max(body.fewest, not body.is_constructor)
    heads = ["self"] if body.is_constructor else []
    heads += [
        body.spelled(n) + ("=None" if k >= body.fewest else "") for k, n in enumerate(body.fixed)
    ]
    if "varargin" in found.inputs:
        heads.append("*varargin")
        body.env["varargin"] = program.further(key, fixed)
    if "nargout" in names:
        heads.append("nargout=1")
        body.env["nargout"] = kind("i")
    shown = "__init__" if body.is_constructor else method or body.spelled(found.name)
    body.write(f"def {shown}({', '.join(heads)}):")
    body.depth = 1
    body.last_row = found.node.start_point[0]
    docs = documentation(found)
    if docs:
        body.write(f'"""{docs[0]}' + ('"""' if len(docs) == 1 else ""))
        for line in docs[1:]:
            body.write(line)
        if len(docs) > 1:
            body.write('"""')
    for n in found.inputs:
        k = body.env[n]
        if n == "varargin" and n in body.mutated:
            body.write("varargin = list(varargin)")
        elif n in body.mutated and k.form != "nothing":
            copied(body, n, k)
    if "nargout" in names:
        for n in dict.fromkeys(found.outputs):
            if n not in (*found.inputs, "varargout"):
                body.write(f"{body.spelled(n)} = None")
    if "varargout" in found.outputs:
        body.write("varargout = []")
        body.env["varargout"] = Kind("cell", length=0, fields=ROW_OF_CELLS)
    rest = list(found.body[len(documenting(found)) if docs else 0 :])
    if body.is_constructor:
        begun(body, title)
    begin(body)
    body.statements(rest)
    if body.is_constructor:
        result(body)
    elif found.outputs and (not rest or rest[-1].type != "return_statement"):
        body.write(result(body))
    file.by_runtime += body.by_runtime
    return body.out, body.todos


def class_lines(program: Program, file: File, x: Object) -> tuple[list[str], list[Todo]]:
    """Translate a class."""
    title, todos = x.defined.name, list[Todo]()
    base = x.bases[0] if x.bases else ""
    if base:
        file.imports.add(f"from {program.objects[base].script.path.stem} import {base}")
    lines = [f"class {title}({base}):" if base else f"class {title}:"]
    docs = class_documentation(x.defined)
    if docs:
        lines += [f'    """{docs[0]}' + ('"""' if len(docs) == 1 else "")]
        lines += [f"    {line}".rstrip() for line in docs[1:]] + ['    """'] * (len(docs) > 1)
    parts: list[list[str]] = []
    functions = list(x.functions())
    if not any(f.name == f"{title}.{title}" for f in functions):
        body = Body(program, file, f"{title}.{title}", ())
        body.todos, body.depth = [], 1
        begun(body, title)
        if body.out:
            parts.append(["def __init__(self):", *body.out])
    for found in functions:
        done, more = function(program, file, found)
        parts.append(done)
        todos += more
    if x.shared and not base:
        parts.append(
            ["def __deepcopy__(self, memo):", "    return self  # a handle, which is shared"]
        )
    for part in parts or [["pass"]]:
        lines += ["", *(f"    {line}" if line else "" for line in part)]
    return lines if docs or len(lines) < 3 else [lines[0], *lines[2:]], todos


def begin(body: Body) -> None:
    """Write what variables of the runtime hold before a part of them is assigned."""
    border = body.program.levels.border
    for name in border.begun(body) if border is not None else ():
        body.write(f"{name} = None")
        body.by_runtime += 1
