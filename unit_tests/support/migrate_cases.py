"""MATLAB programs with every function, operator and assignment for values of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from spatial_v2.migrate.asking import ASKING, FORMS, SEVERAL
from spatial_v2.migrate.builtins import CONSTANTS, SPECIAL
from spatial_v2.migrate.combining import COMBINING
from spatial_v2.migrate.factors import SEVERAL_OF
from spatial_v2.migrate.making import MAKING
from spatial_v2.migrate.names import ELEMENTWISE, LIBRARY, PLAIN, REDUCTIONS
from spatial_v2.migrate.rearranging import REARRANGING

__all__ = ["PROGRAMS", "program"]

VALUES = {
    "n": "3", "a": "2.5", "b": "a > 1", "z": "1 + 2i", "r": "[1 2 3]", "c": "[1; 2; 3]",
    "A": "[1 2; 3 4]", "T": "ones(2, 3, 4)", "t": "'abc'", "o": "[]", "w": "[1 2 3] > 2",
    "Y": "[1 2; 3 4] > 2", "y": "1i*c", "k": "2:4", "i": "numel(r)", "q": "{1, 2}",
    "d": "cell(3, 1)",
    "g": "{1, 2; 3, 4}", "u": "{'a', 'b'}", "f": "@(x) x.^2", "m": "autoTree(2)",
}  # fmt: skip
"""Variables of each program: numbers, arrays, text, cells, a function, a model; `s` is a struct,
and `p` an argument of any kind.
"""
GIVEN = (*VALUES, "s", "p")
OPERATORS = "+ - * / \\ ^ .* ./ .\\ .^ == < & | && ||"
PARTS = (
    "(1)", "(2)", "(end)", "(end+1)", "(end-1)", "(:)", "(n)", "(n+1)", "(1:2)", "(2:end)",
    "(end:-1:1)",
    "(w)", "([1 3])", "(r)", "(1, 2)", "(2, :)", "(:, 1)", "(:, 1:2)", "(end, end)", "(1, 1, 2)",
    "(:, :, 2)", "(end+1, :)", "(:, end+1)", "(a)", "(5)", "(3, 4)", "{1}", "{end}", "{end+1}",
    "{n}", "{2, 1}", "{:}", "{1}(2)", ".x", ".x(2)", ".x.y", ".('x')",
)  # fmt: skip
"""Parts of variables."""
SECOND = ("n", "r", "t", "2")
"""Second arguments of functions."""


def functions() -> list[str]:
    """Return the names of the functions whose translation depends on the kinds of their
    arguments.
    """
    tables = (ASKING, FORMS, SPECIAL, MAKING, REARRANGING, COMBINING, REDUCTIONS)
    return sorted({name for table in tables for name in table} - {"load", "cellfun", "arrayfun"})


def _called() -> Iterator[list[str]]:
    for name in functions():
        one = [f"h = {name}({x});" for x in ("", *GIVEN)]
        yield one + [f"h = {name}({x}, {y});" for x, y in product("rAt", SECOND)]
    for name in sorted({*PLAIN, *ELEMENTWISE, *CONSTANTS}):
        two = ("n, n", "r, c", "A, r", "t, t", "u, t", "s, t")
        yield [f"h = {name}({x});" for x in ("", *"nbzrAwtusp", *two)]
    for name in sorted({*SEVERAL, *SEVERAL_OF}):
        yield [f"[h1, h2] = {name}({x});" for x in GIVEN] + [
            f"[h1, h2, h3] = {name}({x});" for x in GIVEN
        ]
    some = ("", "n", "r", "n, r", "@ID, r", "1, @ID, m, r")
    for name in sorted({*LIBRARY, "outputSelect", "postProcessModel"}):
        known = some if name in ("outputSelect", "complexStepJacobian", "mcI", "Xpt") else some[:3]
        yield [f"h = {name}({x});" for x in known]
    three = ("2, 3", "n, 1", "1, n", "2, 3, 4", "[], 1", "[], 2", "n, 2", "'a', 1", "A, 1", "c, 1")
    for name in (
        "zeros",
        "eye",
        "randi",
        "reshape",
        "repmat",
        "max",
        "sum",
        "cross",
        "cat",
        "size",
    ):
        yield [f"h = {name}({x}, {y});" for x, y in product("narcATt", three)]


def _operated() -> Iterator[list[str]]:
    for op in OPERATORS.split():
        yield [f"h = {x} {op} {y};" for x, y in product("nbzrcATtowqsp", "nzcAwp")]
    for op in ("-", "+", "~"):
        yield [f"h = {op}{x};" for x in GIVEN]
    for op in ("'", ".'"):
        yield [f"h = {x}{op};" for x in GIVEN]
    between = (" ", ", ", "; ")
    for x, by in product("narcAtowqkp", between):
        yield [f"h = [{x}{by}{y}];" for y in "narcAtowqkp"] + [f"h = {{{x}{by}{x}}};"]


def _read() -> Iterator[list[str]]:
    for part in PARTS:
        yield [f"h = {x}{part};" for x in GIVEN]


def _assigned() -> Iterator[list[str]]:
    for part in PARTS:
        for value in ("r", "A", "[]") if part[0] == "(" else ("r", "s"):
            yield [f"{x}{part} = {value};" for x in "rcATqgsowh"]


PROGRAMS = {"called": _called, "operated": _operated, "read": _read, "assigned": _assigned}
MANY = 200
"""Number of lines of a function, except where lines change the variables."""


def program(name: str) -> str:
    """Return one of the programs as text: functions with the variables, and lines that use them."""
    first = [f"{x} = {value};" for x, value in VALUES.items()] + ["s.x = 1; s.v = [1 2];"]
    lines, parts = list[str](), list[list[str]]()
    for some in PROGRAMS[name]():
        lines += some
        if len(lines) > MANY or name == "assigned":
            parts.append(lines)
            lines = []
    parts.append(lines)
    functions = [[f"function f{k}(p)", *first, *part, "end", ""] for k, part in enumerate(parts)]
    return "\n".join(line for function in functions for line in function)
