"""Sources that the code of kernels depends on, and digests of them."""

import functools
import os
import re
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

_ENGINE = Path(__file__).parents[1]
_ROOT = _ENGINE.parents[1]
_TABLE = str(_ENGINE.parent / "joints" / "table.py")
_IMPORT = re.compile(rb"^\s*(?:from|import) (spatial_v2[\w.]*)(?: import ([\w ,]+))?", re.MULTILINE)


def source_files() -> list[str]:
    """Return the files of the engine, and the table of joint types."""
    return [*_below(_ENGINE), _TABLE]


@functools.cache
def _below(place: Path) -> tuple[str, ...]:
    """Return the sources in a folder, in order."""
    files = []
    for folder, inside, names in os.walk(place):
        if "__pycache__" in inside:
            inside.remove("__pycache__")
        files += [os.path.join(folder, x) for x in names if x.endswith(".py")]
    return tuple(sorted(files))


@functools.cache
def sources_of(path: str) -> tuple[str, ...]:
    """Return a file, the sources that it imports, in turn, and those that compile all kernels: what
    a number is, for one state or a SIMD batch, and how code for it is made.

    Of other packages than the engine only the table of joint types has constants for kernels.
    """
    new = [path, *_below(_ENGINE / "compile"), *_below(_ENGINE / "numbers")]
    files = set(new)
    while new:
        imported = {x for x in _imported(new.pop()) if x.startswith(str(_ENGINE)) or x == _TABLE}
        new += imported - files
        files |= imported
    return tuple(sorted(files))


@functools.cache
def _imported(path: str) -> frozenset[str]:
    """Return the files of this library that a file imports."""
    return frozenset(
        file
        for module, names in _IMPORT.findall(_read(path))
        for file in _files(module.decode(), names.decode().replace(" ", "").split(","))
    )


def _files(module: str, names: list[str]) -> Iterator[str]:
    """Yield the file of a module, or those of a package and of the names that are modules in it."""
    place = os.path.join(_ROOT, *module.split("."))
    for file in (f"{place}.py", *(os.path.join(place, f"{x}.py") for x in ("__init__", *names))):
        if os.path.isfile(file):
            yield file


def source_digest() -> str:
    """Return a digest of all sources, as text."""
    return blake2b(b"".join(map(_read, source_files())), digest_size=16).hexdigest()


def _read(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.read()
