"""Files of text: opened and read line by line, tables of numbers, parts of paths; systems."""

from __future__ import annotations

import os
import platform
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2.matlab.runtime.functions import matlab
from spatial_v2.matlab.runtime.value_types import Array, MatlabError, Text, string

__all__ = ["write_to"]

OPENED: dict[int, Any] = {}
"""Number of a file -> the file."""


@matlab()
def fopen(name: Any, mode: Any = None, *_: Any) -> Any:
    how = "r" if mode is None else string(mode).replace("t", "")
    number = max(OPENED, default=2) + 1
    try:
        file = open(string(name), how.replace("b", ""), encoding="utf-8", newline="")  # noqa: SIM115
        OPENED[number] = file
    except OSError as error:
        return -1.0, Text(str(error.strerror))
    return float(number), Text("")


@matlab()
def fclose(number: Any) -> Any:
    if isinstance(number, Text):
        for f in OPENED.values():
            f.close()
        OPENED.clear()
    else:
        OPENED.pop(_known(number)).close()
    return 0.0


def _known(number: Any) -> int:
    k = int(float(number))
    if k not in OPENED:
        raise MatlabError(f"{k} is not the number of a file that is open")
    return k


def write_to(number: Any, text: str) -> None:
    """Write text into a file that is open."""
    OPENED[_known(number)].write(text)


def _line(number: Any, kept: bool) -> Any:
    line = OPENED[_known(number)].readline()
    if not line:
        return -1.0
    return Text(line if kept else line.rstrip("\r\n"))


@matlab()
def fgetl(number: Any) -> Any:
    return _line(number, False)


@matlab()
def fgets(number: Any) -> Any:
    return _line(number, True)


@matlab()
def feof(number: Any) -> Any:
    f = OPENED[_known(number)]
    at = f.tell()
    rest = f.read(1)
    f.seek(at)
    return not rest


@matlab()
def fileread(name: Any) -> Any:
    return Text(Path(string(name)).read_text(encoding="utf-8"))


def _words(line: str) -> list[str]:
    by = next((c for c in ",;\t" if c in line), None)
    return line.split() if by is None else [w.strip() for w in line.split(by)]


def _rows(name: Any, empty: float, most: int) -> np.ndarray:
    """Return the numbers of a file, whose first lines, at most so many, may be titles."""
    rows: list[list[float]] = []
    for k, line in enumerate(Path(string(name)).read_text(encoding="utf-8").splitlines()):
        try:
            found = [float(w) if w else empty for w in _words(line.strip())]
        except ValueError:
            if rows or k >= most:
                raise MatlabError(f"{string(name)}: want numbers, got {line!r}") from None
            continue
        if found:
            rows.append(found)
    width = max(map(len, rows), default=0)
    return np.array([r + [empty] * (width - len(r)) for r in rows]).reshape(len(rows), width)


@matlab("csvread", "dlmread")
def csvread(name: Any, *more: Any) -> Any:
    skipped = [int(float(x)) for x in more if not isinstance(x, Text)]
    r, c = (*skipped, 0, 0)[:2]
    return Array(_rows(name, 0.0, r)[max(0, r - _titles(name)) :, c:])


def _titles(name: Any) -> int:
    """Return the number of titles at the beginning of a file: lines without numbers."""
    for k, line in enumerate(Path(string(name)).read_text(encoding="utf-8").splitlines()):
        try:
            [float(w) for w in _words(line.strip()) if w]
        except ValueError:
            continue
        return k
    return 0


@matlab()
def readmatrix(name: Any) -> Any:
    return Array(_rows(name, np.nan, 1))


@matlab()
def importdata(name: Any) -> Any:
    return Array(_rows(name, np.nan, 0))


def _written(name: Any, x: Any, by: str, digits: int) -> None:
    lines = (by.join(f"{y:.{digits}g}" for y in row) for row in x.a.astype(float))
    Path(string(name)).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


@matlab("csvwrite", "dlmwrite", "writematrix")
def written(a: Any, b: Any, *more: Any) -> Any:
    name, x = (a, b) if isinstance(a, Text) else (b, a)
    words = [string(m) if isinstance(m, Text) else m for m in more]
    digits = 5
    for k, w in enumerate(words[:-1]):
        if isinstance(w, str) and w.lower() == "precision" and not isinstance(words[k + 1], str):
            digits = int(float(words[k + 1]))
    plain = bool(words) and isinstance(words[0], str) and len(words[0]) <= 2
    by = words[0].replace("\\t", "\t") if plain else ","
    _written(name, x, by, 15 if name is b else digits)


@matlab()
def fileparts(path: Any) -> Any:
    folder, _, last = string(path).rpartition("/")
    stem, dot, ending = last.rpartition(".")
    if not dot:
        stem, ending = last, ""
    root = "/" if string(path).startswith("/") and not folder else folder
    return Text(root), Text(stem), Text(dot + ending)


@matlab()
def tempdir() -> Any:
    return Text(tempfile.gettempdir())


@matlab()
def tempname() -> Any:
    return Text(str(Path(tempfile.gettempdir()) / f"oct-{os.urandom(4).hex()}"))


@matlab()
def filesep() -> Any:
    return Text("/")


@matlab()
def getenv(name: Any) -> Any:
    return Text(os.environ.get(string(name), ""))


@matlab()
def ispc() -> Any:
    return os.name == "nt"


@matlab()
def ismac() -> Any:
    return platform.system() == "Darwin"


@matlab()
def isunix() -> Any:
    return os.name != "nt"


@matlab()
def newline() -> Any:
    return Text("\n")


@matlab()
def narginchk(*_: Any) -> Any:
    return None
