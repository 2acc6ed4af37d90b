"""Statements that are calls: printing, errors, plots, and commands."""

from __future__ import annotations

from spatial_v2.migrate import loading, symbolic
from spatial_v2.migrate.body import Body
from spatial_v2.migrate.calls import call
from spatial_v2.migrate.clearing import clearing, is_last, removed, used_after
from spatial_v2.migrate.counts import check_count
from spatial_v2.migrate.declared import global_names, persistent_names
from spatial_v2.migrate.expressions import string_value, value
from spatial_v2.migrate.formats import formatted, printed
from spatial_v2.migrate.kinds import Code, Undecided
from spatial_v2.migrate.logic import condition
from spatial_v2.migrate.names import PLOTS, SKIPPED
from spatial_v2.migrate.objects import OBJECTS
from spatial_v2.migrate.parse import Node, in_loop, named, text
from spatial_v2.migrate.places import method_call, steps
from spatial_v2.migrate.plots import draw
from spatial_v2.migrate.struct_models import as_model

__all__ = ["STATEMENTS", "called", "command", "global_names", "persistent_names", "shown"]


def called(body: Body, node: Node) -> None:
    """Translate a call whose value is not used."""
    if _method(body, node):
        return
    name, path = steps(node)
    if name in body.env or len(path) != 1 or path[0].sign != "(":
        shown(body, node)
        return
    args = path[0].args
    if (words := clearing(node)) is not None:
        _clear(body, node, words)
        return
    if name in body.program.functions:
        found = body.program.functions[name].function
        code = call(body, name, args, node)
        several = len(found.outputs) > 1 or "varargout" in found.outputs
        tail = code.text.removesuffix("[0]") if several else code.text
        body.write(tail if body.ends(node) or not found.outputs else f"print({code.text})")
        return
    if name in ("rand", "randn", "randi", "rng") and (
        not args or args[0].type == "string" or name == "rng"
    ):
        return
    if name == "syms":
        symbolic.declare(body, loading.words_of(args), node.start_point[0] + 1)
    elif name == "load":
        loading.load(body, loading.words_of(args), node.start_point[0] + 1)
    elif name == "save":
        loading.save(body, loading.words_of(args))
    elif name in STATEMENTS:
        check_count(name, len(args))
        STATEMENTS[name](body, args)
    elif name == "showmotion":
        _showmotion(body, args)
    elif name in PLOTS:
        draw(body, name, args)
    elif name in SKIPPED:
        return
    else:
        shown(body, node)


def _method(body: Body, node: Node) -> bool:
    """Translate a call of a method, whose value is not used; return False for other statements."""
    code = method_call(body, node) if body.program.objects else None
    if code is None:
        return False
    if code.text != "...":
        quiet = body.ends(node) or code.kind.form in ("nothing", "other", *OBJECTS)
        body.write(code.text if quiet else f"print({code.text})")
    return True


def shown(body: Body, node: Node) -> None:
    """Translate an expression statement, whose value MATLAB prints."""
    if node.type == "field_expression" and _method(body, node):
        return
    name = text(node)
    if node.type == "identifier" and name not in body.env:
        if (words := clearing(node)) is not None:
            _clear(body, node, words)
            return
        if name in SKIPPED:
            return
        if name in PLOTS:
            draw(body, name, ())
            return
        if name == "tic":
            _tic(body)
            return
        if name == "toc":
            _toc(body)
            return
        if name in body.program.functions:
            body.write(call(body, name, (), node).text)
            return
    code = value(body, node)
    if code.kind.form == "nothing" and body.program.open:
        return
    body.write(code.text if body.ends(node) else f"print({code.text})")


def command(body: Body, node: Node) -> None:
    """Translate a command with words, such as ``hold on``."""
    words = [word for n in named(node) if (word := text(n).rstrip("; "))]
    if len(words) == 1 and words[0] in body.env:
        code = Code(body.spelled(words[0]), body.env[words[0]])
        body.write(code.text if body.ends(node) else f"print({code.text})")
        return
    if (cleared := clearing(node)) is not None:
        _clear(body, node, cleared)
        return
    if words[0] == "syms":
        symbolic.declare(body, words[1:], node.start_point[0] + 1)
        return
    if words[0] == "load":
        loading.load(body, loading.words_of(tuple(named(node)[1:])), node.start_point[0] + 1)
        return
    if words[0] == "save":
        loading.save(body, loading.words_of(tuple(named(node)[1:])))
        return
    if words[0] in SKIPPED:
        return
    if words[0] == "close":
        body.write('plt.close("all")')
    elif words[0] == "figure":
        body.write("plt.figure()")
    elif words[0] == "grid":
        body.write(f"plt.grid({words[1:] != ['off']})")
    elif words[0] == "axis" and len(words) == 2:
        body.write(f'plt.axis("{words[1]}")')
    elif words[0] == "legend" and words[1:] in (["show"], ["on"]):
        body.write("plt.legend()")
    elif words[0] == "tic":
        _tic(body)
    elif words[0] == "toc":
        _toc(body)
    elif len(words) == 1:
        code = call(body, words[0], (), node)
        body.write(code.text if body.ends(node) else f"print({code.text})")
    else:
        raise Undecided(
            f"the command `{words[0]}` is not translated; remove it, or write it in Python"
        )


def _clear(body: Body, node: Node, words: list[str]) -> None:
    """Leave out ``clear`` where no variable is read, or grows, after it is removed."""
    gone = removed(words, body.env)
    again = gone if in_loop(node) else used_after(node, gone)
    functions = {n for n in again if n in body.program.functions and is_last(node)}
    for name in functions:  # its name is that of the function again
        del body.env[name]
    if again - functions:
        raise Undecided(f"clear: {min(again)} is used after it is removed")


def _tic(body: Body) -> None:
    body.need("import time")
    body.write("start = time.perf_counter()")


def _toc(body: Body) -> None:
    body.need("import time")
    body.write('print(f"Elapsed time is {time.perf_counter() - start:.6f} seconds.")')


def _disp(body: Body, args: tuple[Node, ...]) -> None:
    body.write(f"print({value(body, args[0]).text})")


def _fprintf(body: Body, args: tuple[Node, ...]) -> None:
    if args and text(args[0]) in ("1", "2"):
        args = args[1:]
    found = formatted(body, args)
    if found is None:
        return
    if found.form.endswith("\n") and found.once:
        body.write(f"print({found._replace(form=found.form[:-1]).code(body).text})")
    else:
        body.write(f'print({found.code(body).text}, end="")')


def _error(body: Body, args: tuple[Node, ...]) -> None:
    if (
        len(args) > 1
        and args[0].type == "string"
        and ":" in string_value(args[0])
        and (" " not in string_value(args[0]) and "%" not in string_value(args[0]))
    ):
        args = args[1:]
    code = printed(body, args) if args and args[0].type == "string" else value(body, args[0])
    body.write(f"raise RuntimeError({code.text})")


def _assert(body: Body, args: tuple[Node, ...]) -> None:
    code = condition(body, args[0])
    if len(args) == 1:
        body.write(f"assert {code.text}")
    else:
        body.write(f"assert {code.text}, {printed(body, args[1:]).text}")


def _warning(body: Body, args: tuple[Node, ...]) -> None:
    if args and args[0].type == "string" and string_value(args[0]) in ("off", "on"):
        return
    body.need("import warnings")
    body.write(f"warnings.warn({printed(body, args).text}, stacklevel=2)")


def _showmotion(body: Body, args: tuple[Node, ...]) -> None:
    codes = [value(body, a) for a in args]
    forms = [c.kind.form for c in codes]
    if "nothing" in forms:
        return
    fine = len(codes) in (1, 3) and forms[0] in ("model", "struct")
    if not fine or (len(codes) == 3 and forms[2] not in ("row", "matrix", "tensor")):
        raise Undecided(
            "showmotion: want a model; or a model, instants, and configurations as columns"
        )
    codes[0] = as_model(body, codes[0])
    body.need("from spatial_v2.matlab import showmotion")
    body.write(f"showmotion({', '.join(c.text for c in codes)}).open()")


STATEMENTS = {
    "disp": _disp,
    "fprintf": _fprintf,
    "printf": _fprintf,
    "error": _error,
    "assert": _assert,
    "warning": _warning,
    "display": _disp,
}
