"""Statements that are calls: printing, errors, plots, and commands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from spatial_v2.migrate.calls import call
from spatial_v2.migrate.expressions import string_value, value
from spatial_v2.migrate.formats import printed
from spatial_v2.migrate.kinds import Code, Undecided, kind
from spatial_v2.migrate.logic import condition
from spatial_v2.migrate.names import PLOTS, SKIPPED
from spatial_v2.migrate.parse import named, text, walk
from spatial_v2.migrate.places import steps

if TYPE_CHECKING:
    from spatial_v2.migrate.statements import Body

__all__ = ["STATEMENTS", "called", "command", "global_names", "persistent_names", "shown"]

Node = Any


def called(body: Body, node: Node) -> None:
    """Translate a call whose value is not used."""
    name, path = steps(node)
    if name in body.env or len(path) != 1 or path[0].sign != "(":
        shown(body, node)
        return
    args = path[0].args
    if name in body.program.functions:
        found = body.program.functions[name].function
        code = call(body, name, args, node)
        tail = code.text.removesuffix("[0]") if len(found.outputs) > 1 else code.text
        body.write(tail if body.ends(node) or not found.outputs else f"print({code.text})")
        return
    if name in ("rand", "randn", "randi", "rng") and (
        not args or args[0].type == "string" or name == "rng"
    ):
        return
    if name in STATEMENTS:
        STATEMENTS[name](body, args)
    elif name in PLOTS:
        _plot(body, name, args)
    elif name in SKIPPED:
        return
    else:
        shown(body, node)


def shown(body: Body, node: Node) -> None:
    """Translate an expression statement, whose value MATLAB prints."""
    name = text(node)
    if node.type == "identifier" and name not in body.env:
        if name in SKIPPED:
            return
        if name in PLOTS:
            _plot(body, name, ())
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
    words = [text(n) for n in named(node)]
    if len(words) == 1 and words[0] in body.env:
        code = Code(body.spelled(words[0]), body.env[words[0]])
        body.write(code.text if body.ends(node) else f"print({code.text})")
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
    elif words[0] == "tic":
        _tic(body)
    elif words[0] == "toc":
        _toc(body)
    elif len(words) == 1:
        code = call(body, words[0], (), node)
        body.write(code.text if body.ends(node) else f"print({code.text})")
    else:
        raise Undecided(f"the command {words[0]}")


def global_names(body: Body, node: Node) -> None:
    """Raise `Undecided`, since ``global`` is not translated."""
    raise Undecided("global variables: give the value as an argument")


def persistent_names(body: Body, node: Node) -> None:
    """Translate ``persistent``: variables of the module, initially None."""
    if not body.name or body.loops or body.depth > 1:
        raise Undecided("persistent variables in branches")
    for name in [text(n) for n in walk(node) if n.type == "identifier"]:
        body.persistent.add(name)
        body.file.persistent.add(body.spelled(name))
        known = body.program.persistent.get((body.key(node), name), kind("n"))
        body.env[name] = known.now(kept=True, shared=True)
        body.kept_at[name] = (body.key(node), name)
        body.write(f"global {body.spelled(name)}")


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
    code = printed(body, args)
    ended = code.text
    if ended.endswith('\\n"'):
        body.write(f'print({ended[:-3]}")')
    elif '\\n" % (' in ended and ended.count('\\n" % (') == 1:
        shown_ = ended.replace('\\n" % (', '" % (')
        body.write(f"print({shown_})")
    else:
        body.write(f'print({ended}, end="")')


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


def _plot(body: Body, name: str, args: tuple[Node, ...]) -> None:
    if name in ("hold", "drawnow", "box"):
        return
    if name == "close":
        body.write('plt.close("all")')
        return
    simple = {
        "figure": "figure",
        "xlabel": "xlabel",
        "ylabel": "ylabel",
        "title": "title",
        "plot": "plot",
        "semilogy": "semilogy",
        "semilogx": "semilogx",
        "loglog": "loglog",
        "legend": "legend",
        "subplot": "subplot",
        "bar": "bar",
        "grid": "grid",
        "clf": "clf",
    }
    if name not in simple:
        raise Undecided(f"the plot command {name}: call matplotlib instead")
    codes = [value(body, a) for a in args]
    if any(c.kind.form == "nothing" for c in codes):
        return
    if name == "legend":
        if any(c.kind.form != "text" for c in codes):
            raise Undecided("a legend with options")
        body.write(f"plt.legend([{', '.join(c.text for c in codes)}])")
        return
    words = [c for c in codes if c.kind.form == "text"]
    if name in ("plot", "semilogy", "semilogx", "loglog") and len(words) > 1:
        raise Undecided(f"{name} with options")
    texts = []
    for c in codes:  # MATLAB plots the rows of a matrix if they have the length of x
        if c.kind.form == "matrix" and len(codes) - len(words) > 1:
            raise Undecided(f"{name} of a matrix: it is unknown whether rows or columns are drawn")
        texts.append(c.text)
    body.write(f"plt.{name}({', '.join(texts)})")


STATEMENTS = {
    "disp": _disp,
    "fprintf": _fprintf,
    "printf": _fprintf,
    "error": _error,
    "assert": _assert,
    "warning": _warning,
    "display": _disp,
}
