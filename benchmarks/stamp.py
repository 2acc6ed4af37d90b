"""Hash of the sources that the numbers in a file of results depend on."""

from __future__ import annotations

import ast
import functools
import hashlib
from collections.abc import Iterator
from pathlib import Path

__all__ = ["engine_stamp", "sources"]

ROOT = Path(__file__).parents[1]
MEASURED = (
    "spatial_v2/engine", "spatial_v2/packed", "spatial_v2/calls", "derivatives",
    "spatial_v2/accelerated.py",
)  # fmt: skip


def sources() -> list[Path]:
    """Return the files that are hashed, in order."""
    found = [file for part in MEASURED for file in [ROOT / part, *(ROOT / part).rglob("*.py")]]
    return sorted(file for file in found if file.suffix == ".py")


@functools.cache
def engine_stamp() -> str:
    """Hash the code of `sources`, without docstrings, lines of comment only, and blank lines."""
    parts = hashlib.sha256()
    for file in sources():
        parts.update(file.relative_to(ROOT).as_posix().encode())
        parts.update(code(file.read_text(encoding="utf-8")).encode())
    return parts.hexdigest()[:16]


def code(text: str) -> str:
    """Return the lines of a module that the interpreter acts on."""
    prose = {line for first, last in strings(ast.parse(text)) for line in range(first, last + 1)}
    lines = [line.rstrip() for i, line in enumerate(text.splitlines(), 1) if i not in prose]
    return "\n".join(line for line in lines if line and not line.lstrip().startswith("#"))


def strings(tree: ast.Module) -> Iterator[tuple[int, int]]:
    """Yield the first and the last line of every string that is a statement of its own."""
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node.lineno, node.end_lineno or node.lineno
