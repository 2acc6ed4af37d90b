"""Reading of measurements from files, a batch at a time."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TextIO

import numpy as np
import typer

from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["Measurements", "read_measurements"]

NAMES = ("q", "qd", "qdd", "tau")
ROWS = 4096
"""Number of lines of a text file in one batch."""


class Measurements(NamedTuple):
    """Batches (q, qd, qdd, tau) of a file, and the number of samples if the file states it."""

    batches: Iterator[tuple[np.ndarray, ...]]
    samples: int | None


@contextmanager
def read_measurements(path: Path, model: Model) -> Iterator[Measurements]:
    """Read measurements from arrays in ``.npz`` or ``.zarr``, or from columns of a ``.csv`` file.

    Parameters
    ----------
    path : Path
        File with arrays q, qd, qdd, tau, one sample per row; or with columns q0, q1, ..., qd0, ...,
        qdd0, ..., tau0, ... in any order, or in this order if there is no line of names.
    model : Model
        The model, which determines the number of columns.

    Yields
    ------
    Measurements
        Batches, which are read one at a time inside the context.

    Raises
    ------
    typer.BadParameter
        If the file cannot be read, an array or column is missing, or an array has a wrong shape.
    """
    readers = {".npz": _arrays, ".csv": _lines, ".zarr": _group}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        _refuse(path, "the name must end in .npz, .csv or .zarr")
    with ExitStack() as opened:
        try:
            samples = reader(opened, path, model)
        except OSError as e:
            _refuse(path, f"cannot be read: {e.strerror or e}")
        except (ValueError, EOFError, zipfile.BadZipFile) as e:
            _refuse(path, f"not a readable {path.suffix} file: {e}")
        yield samples


def _refuse(path: Path, problem: str) -> NoReturn:
    raise typer.BadParameter(f"{path}: {problem}", param_hint="DATA")


def _sizes(model: Model) -> dict[str, int]:
    return {name: model.NQ if name == "q" else model.NV for name in NAMES}


class _Rows:
    """Reader of the rows of an array in an ``.npz`` file, in order."""

    def __init__(self, path: Path, file: Any, name: str, n: int) -> None:
        self.path, self.name, self.file = path, name, file
        version = np.lib.format.read_magic(self.file)
        read = {1: np.lib.format.read_array_header_1_0, 2: np.lib.format.read_array_header_2_0}
        shape, fortran, self.dtype = read[min(version[0], 2)](self.file)
        if self.dtype.kind not in "fiu":
            _refuse(path, f"{name} must be an array of real numbers, got {self.dtype}")
        if len(shape) != 2 or shape[1] != n:
            hint = "; samples are rows: transpose?" if len(shape) == 2 and shape[0] == n else ""
            _refuse(path, f"{name} must have shape (samples, {n}), got {shape}{hint}")
        self.shape = shape
        self.whole = self._columns() if fortran else None
        self.done = 0

    def _columns(self) -> np.ndarray:
        data = np.frombuffer(self.file.read(), self.dtype)
        return data.reshape(self.shape[::-1]).T

    def take(self, rows: int) -> np.ndarray:
        """Return the next `rows` rows."""
        start, self.done = self.done, self.done + rows
        if self.whole is not None:
            return self.whole[start : self.done].astype(np.float64)
        size = rows * self.shape[1] * self.dtype.itemsize
        data = self.file.read(size)
        if len(data) < size:
            _refuse(self.path, f"{self.name} is cut short")
        return np.frombuffer(data, self.dtype).reshape(rows, -1).astype(np.float64)


def _arrays(opened: ExitStack, path: Path, model: Model) -> Measurements:
    archive = opened.enter_context(zipfile.ZipFile(path))
    stored = [Path(x).stem for x in archive.namelist()]
    missing = [name for name in NAMES if name not in stored]
    if missing:
        names = ", ".join(sorted(stored)) or "nothing"
        _refuse(path, f"array {missing[0]} is missing; the file holds {names}")
    rows = [
        _Rows(path, opened.enter_context(archive.open(f"{name}.npy")), name, n)
        for name, n in _sizes(model).items()
    ]
    counts = [x.shape[0] for x in rows]
    if len(set(counts)) > 1:
        _refuse(
            path,
            f"q, qd, qdd, tau hold {', '.join(map(str, counts))} samples; want equal numbers",
        )
    if counts[0] == 0:
        _refuse(path, "holds no samples")

    def batches() -> Iterator[tuple[np.ndarray, ...]]:
        for start in range(0, counts[0], ROWS):
            n = min(ROWS, counts[0] - start)
            try:
                batch = tuple(x.take(n) for x in rows)
            except (OSError, EOFError, zipfile.BadZipFile, zlib.error) as e:
                _refuse(path, f"not a readable .npz file: {e}")
            yield batch

    return Measurements(batches(), counts[0])


def _group(opened: ExitStack, path: Path, model: Model) -> Measurements:
    try:
        from spatial_v2.interop.stream import batches, open_states
    except ImportError as e:
        raise typer.BadParameter(str(e), param_hint="DATA") from e
    try:
        samples = open_states(path, _sizes(model))["q"].shape[0]
    except SpatialError as e:
        raise typer.BadParameter(str(e), param_hint="DATA") from e
    return Measurements(batches(path, _sizes(model), ROWS), samples)


def _too_long(rows: list[tuple[int, str]], n: int) -> str:
    """Describe the first line with more than n cells; decimal commas are a common cause."""
    for line, text in rows:
        cells = text.split("#")[0].rstrip(", \t\r\n").count(",") + 1
        if cells > n:
            return f"line {line}: want {n} cells as in the first line, got {cells}"
    return ""


def _hole(rows: list[tuple[int, str]], columns: list[int], names: list[str]) -> str:
    """Describe the first cell that is not a number: its line, its column and its content."""
    for line, text in rows:
        cells = [cell.strip() for cell in text.split("#")[0].split(",")]
        for name, k in zip(names, columns, strict=True):
            if k >= len(cells):
                return f"line {line}: want {max(columns) + 1} cells or more, got {len(cells)}"
            if not _is_number(cells[k]):
                what = repr(cells[k]) if cells[k] else "empty"
                return f"line {line}: {name} is {what}, want a number"
    return ""


def _lines(opened: ExitStack, path: Path, model: Model) -> Measurements:
    file: TextIO = opened.enter_context(path.open(encoding="utf-8-sig"))
    sizes = _sizes(model)
    numbered = enumerate(file, 1)
    said = ((k, x) for k, x in numbered if x.strip() and x.strip()[0] != "#")
    begin, first = next(said, (0, ""))
    if not first:
        _refuse(path, "holds no samples")
    wanted = [f"{name}{i}" for name, n in sizes.items() for i in range(n)]
    cells = [cell.strip().strip('"') for cell in first.split(",")]
    named = not _is_number(cells[0])
    if named:
        headings = [re.sub(r"[\s_.\[\]()]", "", cell).lower() for cell in cells]
        missing = [name for name in wanted if name not in headings]
        if missing:
            _refuse(path, f"column {missing[0]} is missing; the first line has {', '.join(cells)}")
        columns = [headings.index(name) for name in wanted]
    else:
        columns = list(range(len(wanted)))
        if len(cells) != len(wanted):
            each = ", ".join(f"{n} of {name}" for name, n in sizes.items())
            _refuse(
                path,
                f"want {len(wanted)} columns, {each}, or a line with their names; got {len(cells)}",
            )
    ends = np.cumsum(list(sizes.values()))[:-1]

    def batches() -> Iterator[tuple[np.ndarray, ...]]:
        rows = (x for x in chain([] if named else [(begin, first)], numbered) if x[1].strip())
        while some := list(islice(rows, ROWS)):
            if wrong := _too_long(some, len(cells)):
                _refuse(path, wrong)
            try:
                lines = [line for _, line in some]
                table = np.loadtxt(lines, delimiter=",", ndmin=2, usecols=columns)
            except ValueError as e:
                _refuse(path, _hole(some, columns, wanted) or str(e).splitlines()[0])
            yield tuple(np.split(table, ends, axis=1))

    return Measurements(batches(), None)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
