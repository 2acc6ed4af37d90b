"""Translation of files by the runtime."""

from __future__ import annotations

from spatial_v2.migrate.general.classes import written_class
from spatial_v2.migrate.general.functions import begins_by_part, written_function
from spatial_v2.migrate.general.program import Program
from spatial_v2.migrate.general.statements import Writer
from spatial_v2.migrate.general.trees import identifier
from spatial_v2.migrate.kinds import Kind
from spatial_v2.migrate.layout import laid_out
from spatial_v2.migrate.parse import Script, ran, text, walk
from spatial_v2.migrate.program import Todo, Translation

__all__ = ["HEAD", "coded", "file_by_runtime", "run", "translate_by_runtime"]

HEAD = (
    "# Lines with ml. keep MATLAB's semantics: x(2) counts from 1, @ is MATLAB's *, * is .*;\n"
    "# to write plain NumPy in their place, see spatial_v2.matlab.runtime."
)


def translate_by_runtime(
    files: list[Script], unread: dict[str, str] | None = None
) -> list[Translation]:
    """Translate files: a script or function, and those that it calls."""
    program = Program(files, unread or {})
    found = [
        file_by_runtime(program, f)
        for k, f in enumerate(files)
        if not (k and f.path.stem in program.scripts)
    ]
    return found


def file_by_runtime(program: Program, f: Script) -> Translation:
    """Translate a file as a whole."""
    parts: list[list[str]] = []
    todos: list[Todo] = []
    remarks: list[Todo] = []
    used: set[str] = set()
    kept: list[str] = []
    scripts = [f]
    main = Writer(program, f, f.body)
    main.statements(f.body)
    for word in program.scripts:
        if word in run(program, f):
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
            if n not in main.variables.shared and begins_by_part(main, f.body, n)
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
        laid_out(lines),
        _once(todos),
        {},
        main.first,
        kinds | {n: Kind("other") for n in shared},
        counters,
        frozenset(shared),
        _once([*remarks, *main.remarks]),
        undecided=[],
        lines=coded(lines),
        by_runtime=coded([*main.out, *(line for part in parts for line in part)]),
    )


def coded(lines: list[str]) -> int:
    """Return the number of lines with code."""
    return sum(bool(x.strip()) and x.strip()[0] != "#" for x in lines)


def run(program: Program, f: Script) -> set[str]:
    """Return the names of the scripts that a file runs."""
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
