"""Translation of expressions that stand alone, which are shown, and of commands with words."""

from __future__ import annotations

import ast
from typing import Any

from spatial_v2.matlab.runtime.plots import QUIET
from spatial_v2.migrate.clearing import (
    CLEARS,
    clearing,
    forgets_functions,
    is_last,
    removed,
    used_after,
)
from spatial_v2.migrate.expressions import string_value
from spatial_v2.migrate.general import names
from spatial_v2.migrate.general.expressions import of_a_base
from spatial_v2.migrate.general.lines import Lines
from spatial_v2.migrate.general.trees import Step, called, constant, identifier, name, steps
from spatial_v2.migrate.general.values import expression, plain
from spatial_v2.migrate.kinds import Undecided
from spatial_v2.migrate.parse import Node, in_loop, named, text

__all__ = ["command", "shown"]

DROPPED = {
    "clc", "close", "hold", "format", "more", "warning", "addpath", "rmpath",
    "pkg", "drawnow", "rng", "box", "diary", "import", "profile", "keyboard", "grid", "axis", "clf",
    "colormap", "shading", "dbstop", "echo", "beep", "startup", "cla", "legend", "graphics_toolkit",
    "view", "figure", "set", "tic",
}  # fmt: skip
"""Commands with words that Python does not need."""


def shown(w: Lines, node: Node) -> None:
    """Translate an expression statement, whose value MATLAB prints."""
    if (of_base := of_a_base(w, node)) is not None and of_base[0]:
        w.assign(w.variable(of_base[0]).tree, of_base[1])
        return
    base, path = (
        steps(node)
        if node.type in ("identifier", "function_call", "field_expression")
        else (None, [])
    )
    word = text(base) if base is not None and base.type == "identifier" else ""
    if word and not w.is_variable(word) and _called(w, node, word, path):
        return
    x = expression(w, node)
    if node.type == "identifier" and not w.ends(node):
        w.put(called("display", constant(text(node)), x.tree))
        return
    tree = plain(x)
    if "ans" in w.variables.names and isinstance(tree, ast.Call):
        w.variables.every.add("ans")
        w.assign(name("ans"), tree)
        return
    if w.ends(node) or _is_quiet(w, base):
        w.put(tree)
    else:
        w.put(called("display", constant("ans"), tree))


def _is_quiet(w: Lines, base: Any) -> bool:
    word = text(base) if base is not None else ""
    return word in ("disp", "fprintf", "printf", "error", "warning", "tic", "assert") or (
        word in QUIET
    )


def _called(w: Lines, node: Node, word: str, path: list[Step]) -> bool:
    """Translate a call whose value is not used; return False for other expressions."""
    args = path[0].args if len(path) == 1 and path[0].sign == "(" else ()
    if word in w.program.scripts and not path and word not in w.running:
        run_script(w, word)
        return True
    if w.program.own(word, w.file):
        if len(path) == 0 or (len(path) == 1 and path[0].sign == "("):
            outputs = w.program.outputs_of(word)
            tree = called(w.users(word), *w.arguments(args), nargout=constant(0))
            if "ans" in w.variables.names and outputs:
                w.variables.every.add("ans")
                w.assign(name("ans"), called(w.users(word), *w.arguments(args)))
            elif outputs and not w.ends(node):
                w.put(called("display", constant("ans"), called(w.users(word), *w.arguments(args))))
            else:
                w.put(tree)
            return True
        return False
    if word == "run" and len(args) == 1 and args[0].type == "string":
        _run_file(w, node, string_value(args[0]))
        return True
    if word in ("exit", "quit"):
        w.write("raise SystemExit")
        return True
    if word == "syms":
        _syms(w, [string_value(a) for a in args])
        return True
    if word in CLEARS:
        clear(w, node)
        return True
    if word in (
        "clc",
        "close",
        "addpath",
        "rmpath",
        "format",
        "more",
        "pause",
        "drawnow",
        "keyboard",
        "import",
        "startup",
        "rng",
    ):
        return True
    if word == "load" and not w.is_function:
        w.put(called(name("globals().update"), called("loaded", *w.arguments(args))))
        return True
    if word == "save" and args:
        args = tuple(a for a in args if a.type != "string" or string_value(a)[:1] != "-")
        words = [string_value(a) for a in args[1:] if a.type == "string"]
        _save(w, w.arguments(args[:1])[0], words)
        return True
    return False


def _save(w: Lines, path: ast.expr, words: list[str]) -> None:
    chosen = [x for x in words if w.is_variable(x)]
    chosen = chosen or sorted(w.first)
    options = {identifier(n): w.variable(n).tree for n in chosen}
    w.put(called("saved", path, **options))


def _syms(w: Lines, words: list[str]) -> None:
    marks = [x for x in words if x in ("real", "positive", "integer", "clear")]
    for word in words:
        if word in marks or not word.isidentifier():
            continue
        w.assigned(word)
        w.variables.every.add(word)
        w.assign(name(identifier(word)), called("symbol", constant(word), *map(constant, marks)))


def clear(w: Lines, node: Node) -> None:
    """Translate ``clear``: a variable that is removed holds None, or the function of its name."""
    words = clearing(node) or []
    there = {n for n in w.variables.every if identifier(n) in w.first or n in w.inputs}
    try:
        gone = removed(words, w.variables.every if in_loop(node) else there)
    except Undecided as why:
        w.put(w.unknown(node, str(why)).tree)
        return
    kept = w.first and w.program.with_persistent
    if kept and forgets_functions(words, w.program.with_persistent):
        w.put(w.unknown(node, "clear: functions keep their persistent variables").tree)
    elif gone & (w.variables.shared | w.variables.kept):
        w.put(w.unknown(node, "clear: a variable is global or persistent").tree)
    elif gone:
        functions = {
            n for n in used_after(node, gone) if is_last(node) and w.program.has_function(n)
        }
        imported = sorted(
            n for n in functions if n in w.program.public and n not in w.file.functions
        )
        w.released |= functions - w.file.functions.keys()
        if gone - {*imported}:
            targets = [name(identifier(n)) for n in sorted(gone - {*imported})]
            w.put(ast.Assign(targets, constant(None), lineno=0))
        for word in imported:  # its name is that of the function again
            stem = w.program.public[word][1].path.stem
            w.put(ast.ImportFrom(stem, [ast.alias(identifier(word))], 0))


def _run_file(w: Lines, node: Node, path: str) -> None:
    word = path.replace("\\", "/").split("/")[-1].removesuffix(".m")
    if word in w.program.scripts and word not in w.running:
        run_script(w, word)
    else:
        w.put(w.unknown(node, f"run: {word}.m is not among the files").tree)


def run_script(w: Lines, word: str) -> None:
    """Translate another script in place, as MATLAB runs it with the same variables."""
    other = w.program.scripts[word]
    before, w.script = w.script, other
    w.running.append(word)
    row, w.last_row = w.last_row, -1
    w.write(f"# {other.path.name}")
    w.statements(other.body)
    w.write("")
    w.last_row = row
    w.running.pop()
    w.script = before


def command(w: Lines, node: Node) -> None:
    """Translate a command with words, such as ``hold on``."""
    words = [x for n in named(node) if (x := text(n).strip().rstrip(";,").strip("'\""))]
    word = words[0] if words else ""
    if not word:
        w.put(w.unknown(node, f"`{text(node).strip()[:40]}` has no translation").tree)
    elif word == "run" and len(words) == 2:
        _run_file(w, node, words[1])
    elif len(words) == 1 and w.is_variable(word):
        w.put(called("display", constant(word), w.variable(word).tree))
    elif word in w.program.scripts and word not in w.running:
        run_script(w, word)
    elif word == "syms":
        _syms(w, words[1:])
    elif word in CLEARS:
        clear(w, node)
    elif word == "load":
        if w.is_function:
            w.put(w.unknown(node, "load: want a result, S = load(...), in a function").tree)
        else:
            w.put(called(name("globals().update"), called("loaded", *map(constant, words[1:]))))
    elif word == "save":
        words = [x for x in words[1:] if not x.startswith("-")]
        _save(w, constant(words[0]), words[1:])
    elif word in ("exit", "quit"):
        w.write("raise SystemExit")
    elif w.program.own(word, w.file):
        w.put(called(w.users(word), *map(constant, words[1:]), nargout=constant(0)))
    elif word in DROPPED:
        return
    else:
        found = names.function(w, word)
        if found is None:
            w.put(w.unknown(node, w.missing(word)).tree)
        else:
            w.put(called(found, *map(constant, words[1:])))


# -- branches and loops
