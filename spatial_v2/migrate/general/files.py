"""Translation of files by the runtime."""

from __future__ import annotations

import ast
from typing import Any

from spatial_v2.migrate.general import names
from spatial_v2.migrate.general.classes import written_class
from spatial_v2.migrate.general.expressions import METHODS, expression, plain
from spatial_v2.migrate.general.scope import inside
from spatial_v2.migrate.general.statements import Writer
from spatial_v2.migrate.general.trees import called, constant, identifier, name, steps
from spatial_v2.migrate.kinds import Kind
from spatial_v2.migrate.parse import Class, Function, Script, documentation, named, ran, text, walk
from spatial_v2.migrate.program import Todo, Translation

__all__ = ["Program", "translate_by_runtime"]

Node = Any
HEAD = (
    "# Lines with ml. keep MATLAB's semantics: x(2) counts from 1, @ is MATLAB's *, * is .*;\n"
    "# to write plain NumPy in their place, see spatial_v2.matlab.runtime."
)


class Program:
    """The files of a translation: their functions, and the scripts among them."""

    def __init__(self, files: list[Script], unread: dict[str, str]) -> None:
        self.files, self.unread = files, unread
        self.public: dict[str, tuple[Function, Script]] = {}
        self.scripts: dict[str, Script] = {}
        self.classes: dict[str, tuple[Class, Script]] = {
            f.path.stem: (f.defined, f) for f in files if f.defined is not None
        }
        self.methods = {
            m.function.name
            for found, _ in self.classes.values()
            for m in found.methods
            if m.function.name != found.name and not m.function.name.startswith(("_get_", "_set_"))
        }
        self.packages = {
            p.name[1:] for f in files for p in f.path.parents if p.name.startswith("+")
        }
        for k, f in enumerate(files):
            if f.defined is not None:
                continue
            if f.functions and not any(n.type != "comment" for n in f.body):
                first = next(iter(f.functions.values()))
                self.public[f.path.stem] = (first, f)
            elif k:
                self.scripts[f.path.stem] = f
        self.given = self._given()
        names_ = {*self.public, *self.classes}
        self._uses = {
            f.path.stem: {text(n) for b in f.nodes() for n in walk(b)} & names_ - {f.path.stem}
            for f in files
        }
        self.uses_casadi = any("casadi" in line.split("%")[0] for f in files for line in f.lines)
        if self.uses_casadi:
            self.methods |= METHODS
        self.with_persistent = {
            found.name
            for f in files
            for found in f.functions.values()
            if any(n.type == "persistent_operator" for n in walk(found.node))
        }

    def own(self, word: str, here: Script) -> bool:
        """Test if a name is a function of the user's files, seen from a file."""
        return (
            word in here.functions
            or word in self.public
            or word in self.classes
            or any(word in s.functions for s in self.scripts.values())
        )

    def has_function(self, word: str) -> bool:
        """Test if a name is any function."""
        return (
            word in self.public
            or any(word in f.functions for f in self.files)
            or word in names.known()
            or word in names.STATEMENTS
        )

    def leads(self, one: str, to: str) -> bool:
        """Test if a file uses another, or files that use it."""
        open_, seen = [one], set()
        while open_:
            here = open_.pop()
            if here == to:
                return True
            if here in seen:
                continue
            seen.add(here)
            open_ += self._uses.get(here, set())
        return False

    def outputs_of(self, word: str) -> tuple[str, ...]:
        """Return the results of a function of the user's."""
        for f in self.files:
            if word in f.functions:
                return f.functions[word].outputs
        return self.public[word][0].outputs if word in self.public else ()

    def _given(self) -> dict[str, int]:
        """Return the least number of arguments that calls give to each function."""
        least: dict[str, int] = {}
        for f in self.files:
            for node in (n for b in f.nodes() for n in walk(b)):
                if node.type == "handle_operator":
                    continue
                if node.type not in ("function_call", "identifier"):
                    continue
                base, path = steps(node)
                if base is None or base.type != "identifier":
                    continue
                word = text(base)
                if not self.own(word, f) or (node.type == "identifier" and _is_part(node)):
                    continue
                args = path[0].args if path and path[0].sign == "(" else ()
                count = len(args) if not any("{" in text(a) for a in args) else 0
                least[word] = min(least.get(word, 99), count)
        return least


def _is_part(node: Node) -> bool:
    """Test if an identifier is no call by itself: the name in a call, a definition, a field."""
    up = node.parent
    return up is None or up.type not in ("block", "source_file")


def translate_by_runtime(
    files: list[Script], unread: dict[str, str] | None = None
) -> list[Translation]:
    """Translate files: a script or function, and those that it calls."""
    program = Program(files, unread or {})
    found = [
        _file(program, f) for k, f in enumerate(files) if not (k and f.path.stem in program.scripts)
    ]
    return found


def _file(program: Program, f: Script) -> Translation:
    parts: list[list[str]] = []
    todos: list[Todo] = []
    remarks: list[Todo] = []
    used: set[str] = set()
    kept: list[str] = []
    scripts = [f]
    main = Writer(program, f, f.body)
    main.statements(f.body)
    for word in program.scripts:
        if word in _run(program, f):
            scripts.append(program.scripts[word])
    written = [] if f.defined is None else [written_class(program, f, f.defined)]
    kept += [n for w in written for n in sorted(w.variables.kept)]
    for s in scripts:
        written += [written_function(program, s, found) for found in s.functions.values()]
    for w in written:
        parts.append(w.out)
        todos += w.todos
        remarks += w.remarks
        used |= w.functions_used
        kept += [f"{w.title}_{n}" for n in sorted(w.variables.kept) if w.title]
    todos += main.todos
    used |= main.functions_used
    here = {n for s in scripts for n in s.functions}
    lines = (
        ["import numpy as np", ""]
        if any("np." in line for part in (*parts, main.out) for line in part)
        else []
    )
    lines.append("import spatial_v2.matlab.runtime as ml")
    public = {**program.public, **program.classes}
    others = {n: public[n][1].path.stem for n in sorted(used - here) if n in public}
    others = {n: stem for n, stem in others.items() if stem != f.path.stem}
    bases = () if f.defined is None else f.defined.bases
    late = {n for n, stem in others.items() if n not in bases and program.leads(stem, f.path.stem)}
    lines += [f"from {others[n]} import {identifier(n)}" for n in others if n not in late]
    lines += ["", *HEAD.split("\n")]
    if kept:
        lines += ["", *(f"{n} = ml.empty()" for n in dict.fromkeys(kept))]
    for part in parts:
        lines += ["", "", *part]
    if main.out:
        lines += ["", ""] if parts else [""]
        starts = [
            identifier(n)
            for n in sorted(main.variables.parts)
            if n not in main.variables.shared and _begins_by_part(main, f.body, n)
        ]
        lines += [f"{n} = None" for n in starts]
        lines += main.out
    if late:  # these files use this one in turn
        lines += ["", *(f"from {others[n]} import {identifier(n)}  # noqa: E402" for n in late)]
    shared = main.variables.shared
    kinds = {n: Kind("other") for n in main.first}
    counters = {identifier(n) for n in main.variables.loops}
    return Translation(
        f.path,
        "\n".join(lines) + "\n",
        _once(todos),
        {},
        main.first,
        kinds | {n: Kind("other") for n in shared},
        counters,
        frozenset(shared),
        _once([*remarks, *main.remarks]),
        undecided=[],
    )


def _run(program: Program, f: Script) -> set[str]:
    words = {
        text(n) for b in f.nodes() for n in walk(b) if n.type in ("identifier", "command_name")
    }
    words |= {word for b in f.nodes() for n in walk(b) for word in ran(n)}
    found = words & program.scripts.keys()
    open_ = list(found)
    while open_:
        s = program.scripts[open_.pop()]
        more = {text(n) for b in s.body for n in walk(b)} & program.scripts.keys()
        open_ += more - found
        found |= more
    return found


def _once(todos: list[Todo]) -> list[Todo]:
    """Keep the first of the reports with the same reason in a file."""
    return list({(t.path, t.why): t for t in reversed(todos)}.values())[::-1]


def _begins_by_part(w: Writer, nodes: Any, word: str) -> bool:
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
    body = [n for n in found.body if not _is_doc(found, n)]
    returns = any(n.type == "return_statement" for b in body for n in walk(b))
    for n in found.outputs:
        if n == "varargout":
            w.write("varargout = ml.cell_of()")
        elif n not in found.inputs and (returns or not _certain(body, n)):
            w.write(f"{identifier(n)} = None")
    for n in sorted(w.variables.parts - set(found.inputs) - set(found.outputs)):
        if (
            n not in w.variables.shared | w.variables.kept
            and _begins_by_part(w, body, n)
            and not (outer is not None and n in outer.variables.every)
        ):
            w.write(f"{identifier(n)} = None")
    for node in body:
        if node.type == "function_definition":
            from spatial_v2.migrate.parse import _function as parsed

            inner = written_function(program, f, parsed(node), w)  # type: ignore[arg-type]
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


def _is_doc(found: Function, node: Node) -> bool:
    for n in found.body:
        if n.type != "comment":
            return False
        if n is node or n == node:
            return True
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
