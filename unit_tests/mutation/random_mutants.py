"""Faults drawn at random from the whole tree, to find those that no test detects.

``python unit_tests/mutation/random_mutants.py --count 300 --seed 1 [--only spatial_v2/io]``

``--again FILE`` tries the mutants that were not killed according to a file of results, in the
present tree; with ``--only spatial_v2/io/sdf.py:12 --tests test_sdf.py`` one of them, by tests of
your choice.
"""

import argparse
import ast
import copy
import itertools
import random
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import verdicts
from collected import CollectedTests
from faults import ENGINE, ROOT, Copy, all_equivalent, verdict
from likely_tests import LikelyTests
from verdicts import Judged

FOLDERS = ("spatial_v2", "derivatives", "tensor_sva")
ROUNDS = (5.0, 40.0, 300.0)
"""Time of tests per mutant in each round [s]; a round tries the mutants that survived so far."""
ANEW = 60.0
"""Time of the tests known to call functions of a file that a new process tries first [s]."""
UNDECIDED = "not decided"
"""The verdict on a mutant for which there was no time."""
OPERATORS: dict[type[ast.AST], type[Any]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Mod: ast.Mult,
    ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
"""Operators and comparisons, and the ones that replace them in mutants."""


class Mutant(NamedTuple):
    """A change of a file: first and last byte of the piece to replace, and the new text."""

    file: str
    line: int
    start: int
    end: int
    new: str

    def put_into(self, text: bytes) -> bytes:
        """Return the text of the file with the mutant."""
        return text[: self.start] + self.new.encode() + text[self.end :]


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a syntax tree that affect results.

    Annotations, docstrings, messages, names and imports are left out.
    """
    for name, field in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for node in field if isinstance(field, list) else [field]:
            listed = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
            still = isinstance(node, ast.JoinedStr | ast.Import | ast.ImportFrom)
            text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if isinstance(node, ast.AST) and not (listed or still or text):
                yield node
                yield from nodes(node)


def changes(node: Any) -> Iterator[tuple[Any, ast.AST | str]]:
    """Yield pairs of a part of a node and its replacement.

    Operators, constants and conditions are changed, and terms of sums are dropped.
    """
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in OPERATORS:
        yield node, _with(node, op=OPERATORS[type(node.op)]())
    if isinstance(node, ast.Compare):
        for k, op in enumerate(node.ops):
            yield node, _with(node, ops=[*node.ops[:k], OPERATORS[type(op)](), *node.ops[k + 1 :]])
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        yield from ((node, node.left), (node, node.right))
    if isinstance(node, ast.BoolOp):
        for k in range(len(node.values)):
            rest = node.values[:k] + node.values[k + 1 :]
            yield node, rest[0] if len(rest) == 1 else _with(node, values=rest)
    if isinstance(node, ast.UnaryOp):
        yield node, node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, bool | int | float):
        x = node.value
        more = not x if isinstance(x, bool) else x + 1 if isinstance(x, int) else 1.5 * x or 1.0
        yield node, repr(more)
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, ast.UnaryOp(ast.Not(), node.test)
    call = isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
    if call or isinstance(node, ast.AugAssign | ast.Raise | ast.Continue):
        yield node, "pass"


def _with(node: ast.AST, **fields: Any) -> ast.AST:
    changed = copy.copy(node)
    vars(changed).update(fields)
    return changed


def mutants(file: str, text: bytes) -> Iterator[Mutant]:
    """Yield every mutant of a file."""
    lines = [0]
    for line in text.splitlines(keepends=True):
        lines.append(lines[-1] + len(line))
    for node in nodes(ast.parse(text)):
        for at, change in changes(node):
            start = lines[at.lineno - 1] + at.col_offset
            end = lines[at.end_lineno - 1] + at.end_col_offset
            new = change if isinstance(change, str) else ast.unparse(change)
            new = f"({new})" if isinstance(at, ast.expr) and not new.isalnum() else new
            yield Mutant(file, at.lineno, start, end, new)


class ChosenTests(NamedTuple):
    """Tests that are given, in place of those that are likely to find a mutant."""

    names: tuple[str, ...]

    def of(self, file: str) -> Iterator[tuple[str, ...]]:
        """Return the tests to try, whatever the file."""
        yield self.names


def judge(
    tree: Copy,
    mutant: Mutant,
    likely: LikelyTests | ChosenTests,
    collected: CollectedTests | None,
    seconds: float,
    last: bool,
) -> tuple[str, str]:
    """Return the verdict on a mutant, and the test that found it.

    The verdict is "killed", "SURVIVED", or the reason why it is undecided; it is empty if more time
    is needed. First, a process that has collected the tests tries them for the given number of
    seconds. It cannot decide if the changed code is compiled or runs at import; then a new process
    decides, in the last round. A test that fails there without the mutant as well does not count.
    """
    text = (tree.root / mutant.file).read_bytes()
    tree.write(mutant.file, mutant.put_into(text).decode())
    engine = mutant.file.startswith(ENGINE)
    try:
        if collected and not engine:
            names = [x for some in likely.of(mutant.file) for x in some]
            old, new = (x.decode() for x in (text, mutant.put_into(text)))
            answer = collected.ask(mutant.file, old, new, names, seconds)
            if answer.why == "killed":
                return answer.why, answer.test
            if not last and (answer.left or not answer.final):
                return "", ""
            if answer.why == "SURVIVED" and answer.final:
                return answer.why, ""
        groups = likely.of(mutant.file)
        if collected and (calling := collected.calling(mutant.file, ANEW)):
            groups = itertools.chain([calling], itertools.islice(groups, 2))
        with TemporaryDirectory(dir=tree.root.parent) as folder:
            for tests in groups:
                returncode, output = tree.run(tests, Path(folder) if engine else None)
                done = verdict(returncode, output, drawn=True)
                if done.why != "SURVIVED":
                    test = failed(output)
                    tree.write(mutant.file, text.decode())
                    sound = not test or not tree.run((verdicts.relative(test),))[0]
                    return done.why if sound else f"{test} fails without it", test
    except subprocess.TimeoutExpired:
        return "out of time", ""
    finally:
        tree.write(mutant.file, text.decode())
    return "SURVIVED", ""


def failed(output: str) -> str:
    """Return the test that pytest names as failed.

    Examples
    --------
    >>> failed("...\\nFAILED unit_tests/test_x.py::test_y[a b] - assert 1 == 2\\n1 failed")
    'unit_tests/test_x.py::test_y[a b]'
    """
    found = re.search(r"^(?:FAILED|ERROR) (.*?)(?: - .*)?$", output, re.MULTILINE)
    return found[1] if found else ""


def lines_of(mutant: Mutant) -> tuple[str, str]:
    """Return the lines that a mutant changes, before and after."""
    text = (ROOT / mutant.file).read_bytes()
    first = text.rfind(b"\n", 0, mutant.start) + 1
    last = text.find(b"\n", mutant.end)
    old, new = (x[first : len(x) - len(text) + last] for x in (text, mutant.put_into(text)))
    return old.decode(), new.decode()


def shown(mutant: Mutant) -> str:
    """Return a text with the lines of a mutant before and after, including the comments in them."""
    before, after = (
        x.replace("\n", f"\n{s} ") for x, s in zip(lines_of(mutant), "-+", strict=True)
    )
    return f"{mutant.file}:{mutant.line}\n- {before}\n+ {after}"


def is_equivalent(mutant: Mutant, known: set[tuple[str, str, str]]) -> bool:
    """True if a mutant is on the list of equivalent ones."""
    return (mutant.file, *(x.strip() for x in lines_of(mutant))) in known


def drawn(count: int, seed: int, only: str, without: list[str]) -> list[Mutant]:
    """Draw `count` of all mutants of the files whose path begins with `only` and not with any of
    `without`.
    """
    found = sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py"))
    names = [p.relative_to(ROOT).as_posix() for p in found]
    names = [n for n in names if n.startswith(only) and not n.startswith(tuple(without))]
    every = [m for name in names for m in mutants(name, (ROOT / name).read_bytes())]
    print(f"{min(count, len(every))} of {len(every)} mutants", flush=True)
    return random.Random(seed).sample(every, min(count, len(every)))


def located(row: Judged) -> Mutant:
    """Return the mutant of a row of results for the present tree.

    Its lines are looked for in the file, nearest to the line where they were.
    """
    text, before = (ROOT / row.file).read_bytes(), row.before.encode()
    starts = [x.start() for x in re.finditer(re.escape(before), text)]
    if not starts:
        raise LookupError(f"{row.file}: line {row.line} has changed: {row.before}")
    line_of = {x: text.count(b"\n", 0, x) + 1 for x in starts}
    start = min(starts, key=lambda x: abs(line_of[x] - row.line))
    return Mutant(row.file, line_of[start], start, start + len(before), row.after)


def main() -> None:
    """Draw mutants, test them one by one, and print the verdict of each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="files whose path begins so, or file:line")
    parser.add_argument("--without", nargs="*", default=[], help="files whose path does not")
    parser.add_argument("--log", type=Path, help="keeps verdicts; those in it are not sought again")
    parser.add_argument("--folder", type=Path, help="of the copy, and kernels for later runs")
    parser.add_argument("--results", type=Path, help="file with the verdict on each mutant")
    parser.add_argument("--again", type=Path, help="file of results whose survivors are tried")
    parser.add_argument("--calls", type=Path, help="file that keeps which functions tests call")
    parser.add_argument("--tests", nargs="+", default=[], help="run in place of likely ones")
    parser.add_argument("--rounds", nargs="+", type=float, default=ROUNDS, help="seconds of each")
    asked = parser.parse_args()
    options = {x: getattr(asked, x) for x in ("count", "seed", "only", "without")}
    rows = list[Judged]()
    if asked.again:
        options, rows = verdicts.read(asked.again)
    known = verdicts.read_log(asked.log)
    equivalent = {(x.file, x.find.strip(), x.replace.strip()) for x in all_equivalent()}
    likely = ChosenTests(tuple(asked.tests)) if asked.tests else LikelyTests()
    found = dict[Mutant, tuple[str, str]]()
    with TemporaryDirectory(prefix="mutants-") as folder:
        tree = Copy((asked.folder or Path(folder)).absolute())
        collected = None if asked.tests else CollectedTests(tree)
        if collected and asked.calls:
            print(f"calls of {collected.record(asked.calls.absolute())} tests", flush=True)
        again = [x for x in rows if x.is_open(asked.only)]
        waiting = list(map(located, again)) if asked.again else drawn(**options)
        for limit in asked.rounds:
            last = limit == asked.rounds[-1]
            for mutant in [x for x in waiting if x not in found]:
                begin = time.monotonic()
                why, test = ("equivalent", "") if is_equivalent(mutant, equivalent) else ("", "")
                if not why:
                    why, test = known.get(mutant, ("", ""))
                if not why:
                    why, test = judge(tree, mutant, likely, collected, limit, last)
                if not why:
                    continue
                found[mutant] = why, test
                seconds, place = time.monotonic() - begin, f"{mutant.file}:{mutant.line}"
                quiet = why in ("killed", "equivalent")
                print(f"{why} ({seconds:.0f} s): {place if quiet else shown(mutant)}", flush=True)
                if asked.log and mutant not in known:
                    verdicts.add_to_log(asked.log, mutant, why, test)
        if collected:
            collected.close()
    judged = [x for x in rows if not x.is_open(asked.only)]
    judged += [
        Judged(*x[:2], *lines_of(x), *found.get(x, (UNDECIDED, "")))
        for x in waiting
        if x in found or asked.again
    ]
    print(verdicts.summary(x.verdict for x in judged))
    if asked.results or asked.again:
        verdicts.write(asked.results or asked.again, judged, options)


if __name__ == "__main__":
    main()
