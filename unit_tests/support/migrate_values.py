"""Lines of MATLAB with a value each: what GNU Octave gives for them, and what their translations
give.

``python unit_tests/support/migrate_values.py`` asks Octave again, for instance after a change of
`migrate_cases`; lines that it refuses are left out.
"""

import ast
import json
import re
import subprocess
import tempfile
import warnings
from collections.abc import Iterator
from itertools import pairwise, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from migrate_cases import PARTS, PROGRAMS, VALUES

from spatial_v2.migrate import translate
from spatial_v2.migrate.kinds import Kind
from spatial_v2.migrate.names import LIBRARY

__all__ = ["FIRST", "Translated", "lines", "of_octave", "recorded", "translated"]

FILE = Path(__file__).with_name("migrate_octave.json")
FIRST = [*(f"{x} = {v};" for x, v in VALUES.items() if x != "m"), "s.x = 1; s.v = [1 2];"]
"""Variables that the lines use."""
NOT_ASKED = re.compile(
    r"""\b(p|m|@ID|rand\w*|tic|toc|clock|cputime|outputSelect|postProcessModel|figure|plot\w*|hist|
    bar|stairs|axis|grid|hold|[xyz]label|title|legend|subplot|close|gc[af]|drawnow|clf|line|text|
    set|get|semilog\w|loglog|[xyz]lim|disp|fprintf|display|error|warning|assert|exist|nargin)\b""",
    re.X,
)
"""Lines about models, chance, time, pictures and messages."""
LOOPED = (
    "h(end+1) = j;", "h(j) = j;", "h(j, 1) = j;", "h(1, j) = j;", "h(:, j) = c;", "h(j, :) = r;",
    "h{end+1} = r;", "h{j} = j;", "if j > 1; h(j) = 2; end;", "h = [h j];", "h = [h; j j];",
    "h = [h; r j];", "h = [h; c c];", "h = [h; j];",
    "h = [h; r];", "h = [h, c];", "h(4 - j) = j;", "h(j:3) = j;", "h(end) = []; h(end+1) = j;",
    "h(j + 1) = j; h(j) = h(j + 1);", "if isempty(h); h = j; else; h(end+1) = j; end;",
)  # fmt: skip
"""Bodies of loops."""
MADE = (
    "h2", "(h2)", "[h2]", "h2(:)", "h2(1:2)", "h2(:, :)", "h2(1, :)", "h2(:, 1)", "h2'", "h2.'",
    "[h2 h2]", "[h2 {1}]", "[h2, 1]", "[h2; h2]", "h2(end:-1:1)", "h2([1 2])", "+h2", "real(h2)",
    "reshape(h2, 1, [])", "squeeze(h2)", "double(h2)", "sort(h2)", "fliplr(h2)", "max(h2, 0)",
    "abs(h2)", "round(h2)", "diag(h2)", "cat(1, h2)", "horzcat(h2)", "cumsum(h2)", "unique(h2)",
)  # fmt: skip
"""Values made of another one."""
SCRIPT = r"""1;
function print_usage(varargin)
  error('usage');
end
function s = told__(x)
  if ischar(x)
    s = ["T" sprintf("%d,", size(x)) ":" x(:)'];
  elseif islogical(x) || isnumeric(x)
    x = double(full(x));
    s = ["n" sprintf("%d,", size(x)) ":" sprintf("%.7g,", real(x(:)))];
    if iscomplex(x), s = [s ";" sprintf("%.7g,", imag(x(:)))]; end
  elseif iscell(x)
    s = ["c" sprintf("%d,", size(x)) ":"];
    for k = 1:numel(x), s = [s "<" told__(x{k}) ">"]; end
  else
    s = ["o:" class(x)];
  end
end
warning('off', 'all');
"""


class Translated(NamedTuple):
    """Results of the translation of some lines.

    Attributes
    ----------
    kinds : dict
        Kind of each variable, as the translation infers it.
    values : dict
        Values of the variables of lines that were translated, by name.
    raised : dict
        Errors by the number of the line.
    left : set of int
        Numbers of the lines of which a part is left to a person.
    names : list of list of str
        Names that each line assigns, in order.
    """

    kinds: dict[str, Kind]
    values: dict[str, Any]
    raised: dict[int, Exception]
    left: set[int]
    names: list[list[str]]


def lines() -> list[str]:
    """Return the lines of all programs whose values can be compared."""
    every = [
        x for name in ("called", "operated", "read") for some in PROGRAMS[name]() for x in some
    ]
    called = ((x, re.search(r"= (\w+)\(", x)) for x in every if not NOT_ASKED.search(x))
    named = [x for x, found in called if not found or found[1] not in LIBRARY]
    return list(
        dict.fromkeys(
            [*named, *_assigned(), *_looped(), *_edited(), *_joined(), *_turned(), *_drawn()]
        )
    )


def _assigned() -> Iterator[str]:
    """Yield lines that assign to parts of a variable of each kind."""
    for part in PARTS:
        for value in ("n", "r", "c", "A", "[]") if part[0] == "(" else ("n", "r", "s", "'ab'"):
            yield from (f"h = {x}; h{part} = {value};" for x in "nrcATtwqgso")
    for part in ("(:, :, 2)", "(1, :, 2)", "(:, 2, 3)", "(1, 2, 3)", "(2, :, :)", "(:, :, end)"):
        for value in ("7*ones(2, 3)", "[7 8 9]", "[7; 8]", "7", "1i*ones(2, 3)", "7*ones(1, 3, 4)"):
            yield f"h = T; h{part} = {value};"


def _joined() -> Iterator[str]:
    """Yield lines that join values below one another and side by side."""
    rows = ("n n", "r n", "n r", "c c", "A c", "A; A", "r; r", "n n n; r", "w w", "A, A; A, A")
    for x in ("o", "r", "A", "n, n", "c c"):
        yield from (f"h = [{x}; {y}];" for y in rows)


def _turned() -> Iterator[str]:
    """Yield lines that order the axes of an array anew."""
    for order in ("1 2 3", "2 1 3", "3 1 2", "2 3 1", "1 3 2", "3 2 1"):
        yield f"h = permute(T, [{order}]);"
        yield f"h = T; h(1, 2, 3) = 5; h = permute(h, [{order}]);"


def _drawn() -> Iterator[str]:
    """Yield lines about the sizes of random arrays."""
    for name in ("rand", "randn"):
        for given in ("", "2", "2, 3", "n", "[2 3]", "3, 1", "1, 3", "2, 3, 4"):
            yield f"h = size({name}({given}));"
        yield from (f"h = size({name}(size({x})));" for x in "nrcATwYk")


def _edited() -> Iterator[str]:
    """Yield lines that edit a value made of another one, which stays as it was."""
    for x, edits in (
        ("{[1 2], [3; 4]}", ("h1{1}(2) = 9;", "h1{2} = 9;", "h1{end+1} = 9;")),
        ("[1 2 3]", ("h1(1) = 9;", "h1(end+1) = 9;", "h1(2) = [];")),
        ("[1 2; 3 4]", ("h1(1, 2) = 9;", "h1(:, 1) = 9;", "h1(1, :) = [];", "h1(2) = 9;")),
    ):
        for expression, edit in product(MADE, edits):
            yield f"h2 = {x}; h1 = {expression}; {edit}"
        yield from (f"h2.a = {x}; h1 = h2; {y.replace('h1', 'h1.a')}" for y in edits)
        yield from (f"h2.a = {x}; h1 = h2.a; {y}" for y in edits)
        yield from (f"h2 = {x}; h1.a = h2; {y.replace('h1', 'h1.a')}" for y in edits)
        yield from (f"h2 = {x}; h1 = {{h2}}; {y.replace('h1', 'h1{1}')}" for y in edits)


def _looped() -> Iterator[str]:
    """Yield loops that fill variables of several kinds."""
    for begin in ("[]", "{}", "n", "r", "c", "A", "zeros(1, 3)", "cell(1, 3)", "r > 1"):
        yield from (f"h = {begin}; for j = 1:3; {body} end" for body in LOOPED)


def assigned(line: str) -> list[str]:
    """Return the names to which a line assigns."""
    return list(dict.fromkeys(re.findall(r"\bh\d?\b", line)))


def translated(some: list[str]) -> Translated:
    """Translate lines, each with names of its own, and run them one by one."""
    names = [[f"h{k}_{x[1:]}" for x in assigned(line)] for k, line in enumerate(some)]
    own = [re.sub(r"\bh(\d?)\b", rf"h{k}_\1", line) for k, line in enumerate(some)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "script.m"
        path.write_text("\n".join([*FIRST, *own]))
        done = translate(path, level="numpy")[0]
    values, raised = dict[str, Any](), dict[int, Exception]()
    for statement in ast.parse(done.python).body:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(compile(ast.Module([statement], []), "script", "exec"), values)
        except NotImplementedError:
            pass
        except Exception as error:
            found = re.search(r"\bh(\d+)_", ast.unparse(statement))
            assert found, (statement, error)
            raised[int(found[1])] = error
    left = {x.line - len(FIRST) - 1 for x in done.todos}
    return Translated(done.kinds, values, raised, left, names)


def of_octave(told: str) -> Any:
    """Return a value that Octave has told: text, an array of two or more axes, a list with the
    entries of a cell, or None for another value.
    """
    sizes, _, rest = told[1:].partition(":")
    shape = tuple(map(int, sizes.split(",")[:-1])) if told[0] in "Tnc" else ()
    if told[0] == "T":
        return "\n".join(rest[k :: shape[0]] for k in range(shape[0]))
    if told[0] == "c":
        depth = np.cumsum([(x == "<") - (x == ">") for x in rest])
        ends = np.flatnonzero(depth == 0)
        return [of_octave(rest[a + 2 : b]) for a, b in pairwise([-1, *ends.tolist()])]
    if told[0] != "n":
        return None
    parts = [np.array([float(x) for x in s.split(",")[:-1] if x]) for s in rest.split(";")]
    x = parts[0].astype(complex)
    if len(parts) > 1:
        x.imag = parts[1]
    return (x if len(parts) > 1 else x.real).reshape(shape, order="F")


def record() -> None:
    """Ask Octave for the values of all lines, and write those that it gives."""
    every, body = lines(), list[str]()
    for k, line in enumerate(every):
        shown = "".join(f"out__ = [out__ '|' told__({x})];" for x in assigned(line))
        body.append(f"try\n{line}\nout__ = '';{shown}\ncatch err__\nout__ = ''; end")
        body.append(f"printf('%d%s\\n', {k}, strrep(out__, \"\\n\", ' ')); clear h h1 h2 h3;")
    text = SCRIPT + "\n".join([*FIRST, *body])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lines.m"
        path.write_text(text)
        told = subprocess.run(
            ["octave-cli", "-q", str(path)], capture_output=True, text=True, check=False
        ).stdout
    found = (re.fullmatch(r"(\d+)\|(.*)", x) for x in told.splitlines())
    tables: dict[str, dict[str, str]] = {}
    for x in filter(None, found):
        begin, end = re.fullmatch(r"([^(]*\(|[^=]*= ?|)(.*)", every[int(x[1])]).groups()
        tables.setdefault(begin, {})[end] = x[2]
    rows = (f"{json.dumps(begin)}: {json.dumps(ends)}" for begin, ends in tables.items())
    FILE.write_text("{\n" + ",\n".join(rows) + "\n}\n")


def recorded() -> dict[str, str]:
    """Return what Octave said to each line; the file has a table for each beginning of lines."""
    tables = json.loads(FILE.read_text())
    return {begin + end: said for begin, ends in tables.items() for end, said in ends.items()}


if __name__ == "__main__":
    record()
