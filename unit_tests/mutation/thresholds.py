"""Numbers that decide: each is changed by ten in both directions, or is exempt for a reason.

Such a number is a floating-point constant of a module with a name in capitals, or one that is
written with an exponent inside a function, such as ``1e-9``. Numbers beyond 1e-100 and 1e90 are
none, as they only keep a quotient finite or stand for infinity; nor are default arguments, which
users see and change.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TypeGuard

from faults import ENGINE, ROOT, THRESHOLDS, Fault

PACKAGES = ("spatial_v2", "derivatives", "tensor_sva")
_EXPONENT = re.compile(r"[\d.]+e[-+]?\d+")


class Entry(NamedTuple):
    """The tests that notice a change of a number by ten, or why none has to."""

    tests: tuple[str, ...]
    why: str


def listed() -> dict[tuple[str, str], Entry]:
    """Read the list: entries by the path of the file and the name of the number."""
    tables = tomllib.loads(Path(__file__).with_name(THRESHOLDS).read_text())
    whole = tables.pop("exempt")
    found = {(file, ""): Entry((), why) for file, why in whole.items()}
    for file, entries in tables.items():
        for name, entry in entries.items():
            of = entry["why"] if isinstance(entry, dict) else ""
            tests = () if of else (entry,) if isinstance(entry, str) else tuple(entry)
            found[file, name] = Entry(tests, of)
    return found


def numbers_that_may_decide() -> set[tuple[str, str]]:
    """Find all such numbers, by the path of their file and their name; an exempt file or folder has
    one entry with no name.
    """
    whole = {file for file, name in listed() if not name}
    found = set()
    for path in (x for package in PACKAGES for x in (ROOT / package).rglob("*.py")):
        text, file = path.read_text(), path.relative_to(ROOT)
        if exempt := whole & {x.as_posix() for x in (file, *file.parents)}:
            found |= {(x, "") for x in exempt}
            continue
        found |= {(file.as_posix(), name) for name, *_ in constants(text)}
        found |= {(file.as_posix(), name) for name in exponents(text)}
    return found


def constants(text: str) -> Iterator[tuple[str, ast.stmt, ast.expr]]:
    """Yield the constants of a module that are floats: name, statement and value."""
    for x in ast.parse(text).body:
        if isinstance(x, ast.Assign):
            target, value = x.targets[0], x.value
        elif isinstance(x, ast.AnnAssign) and x.value:
            target, value = x.target, x.value
        else:
            continue
        for name, part in pairs(target, value):
            if re.fullmatch(r"_?[A-Z][A-Z_0-9]*(\.\w+)?", name) and is_float(part):
                yield name, x, part


def pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield names and values of an assignment: of a tuple each, of a dict as ``NAME.key``."""
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for x, y in zip(target.elts, value.elts, strict=True):
            yield from pairs(x, y)
    elif isinstance(target, ast.Name) and isinstance(value, ast.Dict):
        for key, x in zip(value.keys, value.values, strict=True):
            if isinstance(key, ast.Constant):
                yield f"{target.id}.{key.value}", x
    elif isinstance(target, ast.Name):
        yield target.id, value


def is_float(x: ast.expr) -> bool:
    """Return True for an expression of numbers, one of which is a float."""
    parts = list(ast.walk(x))
    plain = ast.Constant, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop
    eps = ast.unparse(x).replace("np.finfo(float).eps", "2e-16")
    if eps != ast.unparse(x):
        return is_float(ast.parse(eps, mode="eval").body)
    return all(isinstance(y, plain) for y in parts) and any(map(is_threshold, parts))


def exponents(text: str) -> set[str]:
    """Return the numbers with an exponent inside functions, as they are written."""
    tree = ast.parse(text)
    functions = [x for x in ast.walk(tree) if isinstance(x, (ast.FunctionDef, ast.Lambda))]
    bodies = (x.body if isinstance(x.body, list) else [x.body] for x in functions)
    numbers = (y for body in bodies for part in body for y in ast.walk(part))
    lines, floats = text.encode().split(b"\n"), (y for y in numbers if is_threshold(y))
    written = (lines[y.lineno - 1][y.col_offset : y.end_col_offset] for y in floats)
    return {x.decode() for x in written if _EXPONENT.fullmatch(x.decode())}


def is_threshold(x: ast.AST) -> TypeGuard[ast.Constant]:
    """Return True for a float that is neither tiny nor huge."""
    return isinstance(x, ast.Constant) and isinstance(x.value, float) and 1e-100 < x.value < 1e90


def changed_thresholds() -> list[Fault]:
    """Return two faults for each number with tests: it is ten times too large and too small."""
    found = []
    for (file, name), entry in listed().items():
        if not entry.tests:
            continue
        text = (ROOT / file).read_text()
        statement, value = next((x, y) for n, x, y in constants(text) if n == name)
        sound, number = (ast.get_source_segment(text, x) or "" for x in (statement, value))
        start = sound.index(number, sound.index("="))
        for factor, words in (("10", "large"), ("0.1", "small")):
            faulty = f"{sound[:start]}{factor} * ({number}){sound[start + len(number) :]}"
            what = f"the number {name} is ten times too {words}"
            # Without the compiler, some of these tests fail for another reason.
            compiled = file.startswith(ENGINE)
            found.append(Fault(file, what, sound, faulty, entry.tests, compiled))
    return found
