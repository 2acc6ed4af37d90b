"""Passes over the files of a translation, until the kinds of all values are known."""

from __future__ import annotations

from pathlib import Path

from spatial_v2.migrate.files import translated
from spatial_v2.migrate.general import RuntimeLines, translate_by_runtime
from spatial_v2.migrate.levels import Levels, Place
from spatial_v2.migrate.objects import ByRuntime, Object, candidates, group
from spatial_v2.migrate.parse import Function, Script, deep_expressions, walk
from spatial_v2.migrate.program import Program, Translation
from spatial_v2.migrate.reached import reached

__all__ = ["ROUNDS", "at_a_level", "translate"]

ROUNDS = 12
MOST = 40
"""Number of times that variables and functions may become the runtime's."""


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
    objects = candidates(files)
    found, two_axes = _until_known(Program(files, objects=objects)), False
    undecided = [t for each in found for t in each.todos]
    if undecided:
        other = _until_known(Program(files, objects=objects, two_axes=True))
        fewer = [t for each in other for t in each.todos]
        if len(fewer) < len(undecided):
            found, undecided, two_axes = other, fewer, True
    general = unread or any(_needs_runtime(f, objects) for f in files)
    if level == "numpy" or not (undecided or general):
        return found
    found = []
    while not found:
        try:
            found = _of_both(files, RuntimeLines(files, unread), objects, two_axes)
            found = found or translate_by_runtime(files, unread)
        except ByRuntime as classes:
            gone = group(objects, classes.numbers) or {*objects}  # if a class is not known
            objects = {n: x for n, x in objects.items() if n not in gone}
    for each in found:
        each.undecided = [t for t in undecided if t.path == each.path]
    return found


def _of_both(
    files: list[Script], border: RuntimeLines, objects: dict[str, Object], two_axes: bool
) -> list[Translation]:
    """Translate each statement by NumPy's functions or by the runtime; return nothing if the levels
    do not settle.
    """
    program = Program(files, Levels(border), objects, two_axes=two_axes)
    levels, whole = program.levels, border.whole_files(objects)
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
        called, shared, words = border.needs(here, files)
        if numbers := {x.number for n, x in program.objects.items() if n in words}:
            raise ByRuntime(numbers)
        program.levels.shared |= shared
        open_ += called
        if not here[1]:
            open_ += [(here[0], name) for name in files[here[0]].functions]


def _has_functions(found: Function) -> bool:
    """Test if a function has functions inside."""
    return any(n.type == "function_definition" for b in found.body for n in walk(b))


def _needs_runtime(script: Script, objects: dict[str, Object]) -> bool:
    """Test if a file has what only the runtime has: some classes, arguments with defaults."""
    general = script.defined is not None and script.path.stem not in objects
    return general or any(f.arguments for f in script.functions.values())


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
