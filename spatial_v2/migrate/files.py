"""Translation of functions and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spatial_v2.migrate import targets
from spatial_v2.migrate.branches import result
from spatial_v2.migrate.general import (
    HEAD,
    RUNTIME,
    RuntimeLines,
    coded,
    translate_by_runtime,
)
from spatial_v2.migrate.kinds import ROW_OF_CELLS, Kind, kind
from spatial_v2.migrate.levels import Levels, Place
from spatial_v2.migrate.parse import (
    Function,
    Script,
    deep_expressions,
    documentation,
    documenting,
    text,
    walk,
)
from spatial_v2.migrate.program import File, Program, Todo, Translation
from spatial_v2.migrate.reached import reached
from spatial_v2.migrate.statements import Body

__all__ = [
    "ROUNDS", "at_a_level", "function", "grouped", "translate", "translated",
]  # fmt: skip

Node = Any
ROUNDS = 12
MOST_WAYS = 6
"""Most ways of calling a function for which its results are told apart."""
MOST = 40
"""Number of times that variables and functions may become the runtime's."""


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
    heads = [
        body.spelled(n) + ("=None" if k >= body.fewest else "") for k, n in enumerate(body.fixed)
    ]
    if "varargin" in found.inputs:
        heads.append("*varargin")
        body.env["varargin"] = program.further(key, fixed)
    if "nargout" in names:
        heads.append("nargout=1")
        body.env["nargout"] = kind("i")
    body.write(f"def {body.spelled(found.name)}({', '.join(heads)}):")
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
            targets.copied(body, n, k)
    if "nargout" in names:
        for n in dict.fromkeys(found.outputs):
            if n not in (*found.inputs, "varargout"):
                body.write(f"{body.spelled(n)} = None")
    if "varargout" in found.outputs:
        body.write("varargout = []")
        body.env["varargout"] = Kind("cell", length=0, fields=ROW_OF_CELLS)
    rest = list(found.body[len(documenting(found)) if docs else 0 :])
    _begin(body)
    body.statements(rest)
    if found.outputs and (not rest or rest[-1].type != "return_statement"):
        body.write(result(body))
    file.by_runtime += body.by_runtime
    return body.out, body.todos


def _begin(body: Body) -> None:
    """Write what variables of the runtime hold before a part of them is assigned."""
    border = body.program.levels.border
    for name in border.begun(body) if border is not None else ():
        body.write(f"{name} = None")
        body.by_runtime += 1


def translated(program: Program, file: File) -> Translation:
    """Translate a file."""
    parts: list[list[str]] = []
    todos: list[Todo] = []
    for found in file.script.functions.values():
        lines, more = function(program, file, found)
        parts.append(lines)
        todos += more
    main = Body(program, file, "", file.script.body)
    main.todos = []
    _begin(main)
    main.statements(file.script.body)
    todos += main.todos
    file.by_runtime += main.by_runtime
    used = "\n".join(line for part in [*parts, main.out] for line in part)
    head = sorted(file.imports, key=lambda x: (x.startswith("from"), x))
    for word, line in (("np.", "import numpy as np"), ("plt.", "import matplotlib.pyplot as plt")):
        if word in used or (word == "np." and file.random):
            head.append(line)
    lines = grouped(head)
    runtime = RUNTIME in file.imports
    if runtime:
        lines += ["", *HEAD.split("\n")]
    if file.random:
        lines += ["", f"rng = {'ml.generator()' if runtime else 'np.random.default_rng(0)'}"]
    if file.persistent | file.kept:
        lines += ["", *(f"{name} = None" for name in sorted(file.persistent - file.kept))]
        lines += [f"{name} = ml.empty()" for name in sorted(file.kept)]
    for part in parts:
        lines += ["", "", *part] if lines else part
    if main.out:
        lines += (["", ""] if parts else [""] if lines else []) + main.out
    while lines and not lines[0]:
        lines.pop(0)
    if file.late:
        lines += ["", *(f"{x}  # noqa: E402" for x in sorted(file.late))]
    shifts = {main.spelled(n): k.shift for n, k in main.env.items() if k.shift}
    first = {main.spelled(n): line for n, line in main.first.items()}
    kinds = {main.spelled(n): k for n, k in main.env.items()}
    kinds |= {main.spelled(n): kind("u") for n in main.held}
    return Translation(
        file.path,
        "\n".join(lines) + "\n",
        todos,
        shifts,
        first,
        kinds | {n: main.env[n] for n in main.globals},
        main.counters,
        frozenset(main.globals),
        file.remarks,
        by_runtime=file.by_runtime,
    )


def grouped(head: list[str]) -> list[str]:
    """Return the import lines, one for each package, in the order that formatters use."""
    plain = sorted(x for x in head if x.startswith("import "))
    names: dict[str, set[str]] = {}
    for x in head:
        if x.startswith("from "):
            _, package, _, what = x.split(" ", 3)
            names.setdefault(package, set()).update(what.split(", "))
    std = [x for x in plain if x.split()[1] in ("copy", "math", "time", "warnings")]
    std += [f"from {p} import {', '.join(sorted(n))}" for p, n in names.items() if p == "types"]
    rest = [x for x in plain if x not in std]
    rest += [
        f"from {p} import {', '.join(sorted(n))}" for p, n in sorted(names.items()) if p != "types"
    ]
    return [*std, *([""] if std and rest else []), *rest]


def translate(
    script: Path, folders: list[Path] | None = None, *, level: str = "either"
) -> list[Translation]:
    """Translate a script, and the functions that it calls from given folders.

    Parameters
    ----------
    script : Path
        A MATLAB script or function.
    folders : list of Path, optional
        Folders of the functions that it calls, in addition to the folder of the script.
    level : {"either", "numpy", "runtime"}, default "either"
        NumPy's functions, or calls of `spatial_v2.matlab.runtime`, which has MATLAB's semantics;
        by default the runtime if a line cannot be translated otherwise.

    Returns
    -------
    list of Translation
        Translation of the script, then those of the functions that it calls.

    Examples
    --------
    >>> translate(Path("script.m"))[0].python  # doctest: +SKIP
    'import numpy as np ...'
    """
    with deep_expressions():
        files, unread = reached([script], folders or [], strict=level == "numpy")
        return at_a_level(files, unread, level)


def at_a_level(files: list[Script], unread: dict[str, str], level: str) -> list[Translation]:
    """Translate files: by NumPy's functions what these decide, else by the runtime."""
    if level == "runtime":
        return translate_by_runtime(files, unread)
    found = _until_known(Program(files))
    undecided = [t for each in found for t in each.todos]
    if level == "numpy" or not (undecided or unread or any(map(_needs_runtime, files))):
        return found
    found = _of_both(files, RuntimeLines(files, unread)) or translate_by_runtime(files, unread)
    for each in found:
        each.undecided = [t for t in undecided if t.path == each.path]
    return found


def _of_both(files: list[Script], border: RuntimeLines) -> list[Translation]:
    """Translate each statement by NumPy's functions or by the runtime; return nothing if the levels
    do not settle.
    """
    program = Program(files, Levels(border))
    levels, whole = program.levels, border.whole_files()
    for f in program.files:
        for name, each in f.script.functions.items():
            twice = program.functions[name].path != f.path
            if f.number in whole or each.arguments or _has_functions(each) or twice:
                _make_whole(program, border, (f.number, name))
        if f.number in whole:
            _make_whole(program, border, (f.number, ""))
    for _ in range(MOST):
        found = _until_known(program)
        before = levels.state()
        for place, name in levels.next:
            if not name:
                _make_whole(program, border, place)
            elif place[0] < 0:
                levels.shared.add(name)
            else:
                levels.variables.add((place, name))
        if levels.state() == before:
            break
    else:
        return []
    wholly = {n for n, name in levels.scopes if not name}
    return [
        border.file(f.script) if f.number in wholly else each
        for f, each in zip(program.files, found, strict=True)
        if f.script.path.stem not in border.program.scripts
    ]


def _make_whole(program: Program, border: RuntimeLines, place: Place) -> None:
    """Let a scope be the runtime's as a whole, with the functions that it calls."""
    files = [f.script for f in program.files]
    open_ = [place]
    while open_:
        here = open_.pop()
        if here in program.levels.scopes:
            continue
        program.levels.scopes.add(here)
        called, shared = border.needs(here, files)
        program.levels.shared |= shared
        open_ += called
        if not here[1]:
            open_ += [(here[0], name) for name in files[here[0]].functions]


def _has_functions(found: Function) -> bool:
    """Test if a function has functions inside."""
    return any(n.type == "function_definition" for b in found.body for n in walk(b))


def _needs_runtime(script: Script) -> bool:
    """Test if a file has what only the runtime has: a class, arguments with defaults."""
    return script.defined is not None or any(f.arguments for f in script.functions.values())


def _until_known(program: Program) -> list[Translation]:
    """Translate all files until no more kinds are learned; the last pass is the result."""
    for _ in range(ROUNDS):
        before = program.state()
        program.levels.next.clear()
        for f in program.files:
            f.imports.clear()
            f.late.clear()
            f.remarks, f.by_runtime = [], 0
        found = [translated(program, f) for f in program.files]
        if program.state() == before:
            if not program.open:
                return found
            program.open = False  # functions that are never called get arguments of any kind
    return found
