"""Translation of files."""

from __future__ import annotations

from spatial_v2.migrate.definitions import begin, class_lines, function
from spatial_v2.migrate.general import HEAD, RUNTIME, coded
from spatial_v2.migrate.kinds import kind
from spatial_v2.migrate.layout import laid_out
from spatial_v2.migrate.program import File, Program, Todo, Translation
from spatial_v2.migrate.statements import Body

__all__ = ["grouped", "translated"]


def translated(program: Program, file: File) -> Translation:
    """Translate a file."""
    parts: list[list[str]] = []
    todos: list[Todo] = []
    for found in file.script.functions.values():
        lines, more = function(program, file, found)
        parts.append(lines)
        todos += more
    own = program.objects.get(file.path.stem)
    if own is not None and own.script is file.script:
        lines, more = class_lines(program, file, own)
        parts.append(lines)
        todos += more
    main = Body(program, file, "", file.script.body)
    main.todos = []
    begin(main)
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
        laid_out(lines),
        todos,
        shifts,
        first,
        kinds | {n: main.env[n] for n in main.globals},
        main.counters,
        frozenset(main.globals),
        file.remarks,
        by_runtime=file.by_runtime,
        lines=coded(lines),
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
