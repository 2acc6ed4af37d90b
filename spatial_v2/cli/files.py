"""Output files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, cast

import numpy as np
import typer

__all__ = ["AtomicFile", "array_writer", "check_size"]

Writer = Callable[[IO[bytes]], None]


class AtomicFile:
    """A file that takes its name only when it is complete.

    Entering the context opens a temporary file beside the target, so that a place where nothing can
    be written is known before anything is computed. `write` fills it and moves it to its name;
    leaving the context removes what was not finished.

    Parameters
    ----------
    path : Path
        Where the file shall appear.
    suffixes : tuple of str
        What its name may end in.
    option : str
        The option that gave the path, for messages.

    Raises
    ------
    typer.BadParameter
        Unknown suffix; a place where no file can be written.
    """

    def __init__(self, path: Path, suffixes: tuple[str, ...], option: str) -> None:
        self.path, self.option = path, option
        self.suffix = path.suffix.lower()
        if self.suffix not in suffixes:
            raise self.error(f"{path}: the name must end in {' or '.join(suffixes)}")
        if path.is_dir():
            raise self.error(f"{path} is a directory")
        self._temporary = path.with_name(f".{path.name}.{os.getpid()}.part")

    def error(self, problem: str) -> typer.BadParameter:
        """Bad input about this file, to be raised."""
        return typer.BadParameter(problem, param_hint=self.option)

    def __enter__(self) -> AtomicFile:
        try:
            self._file = self._temporary.open("xb")
        except OSError as e:
            raise self.error(f"cannot write in {self.path.parent}: {e.strerror or e}") from e
        return self

    def write(self, writer: Writer) -> None:
        """Let `writer` fill the file, then give the file its name."""
        try:
            with self._file as file:
                writer(file)
            os.replace(self._temporary, self.path)
        except OSError as e:
            raise self.error(f"cannot write {self.path}: {e.strerror or e}") from e

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self._temporary.unlink(missing_ok=True)


def array_writer(arrays: Mapping[str, np.ndarray], suffix: str) -> Writer:
    """A writer of named arrays: compressed, ``.npz`` for NumPy or ``.mat`` for MATLAB."""

    def write(file: IO[bytes]) -> None:
        if suffix == ".npz":
            np.savez_compressed(file, **dict[str, Any](arrays))
        else:
            from scipy.io import savemat

            savemat(cast("Any", file), dict(arrays), do_compression=True)

    return write


def check_size(file: AtomicFile, nv: int, states: int, order: int) -> None:
    """Refuse results that the memory, or a .mat file (4 GB an array), does not hold."""
    tensor = 8 * states * nv ** (1 + order)
    if file.suffix == ".mat" and tensor >= 2**32:
        raise file.error(f"arrays of {tensor / 1e9:.0f} GB do not fit into a .mat file; take .npz")
    needed, memory = 4 * tensor, _memory()
    if needed > 0.8 * memory:
        raise file.error(
            f"{states} states give {needed / 1e6:.1f} MB of results, too much for a memory of "
            f"{memory / 1e6:.1f} MB; take fewer states"
        )


def _memory() -> float:
    """Size of the memory in bytes, as far as the system tells."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, ValueError):
        return float("inf")
