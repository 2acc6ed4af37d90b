"""Output files of a command: checked before computing, written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import typer

from spatial_v2.files.part_file import PartFile

__all__ = ["AtomicFile", "array_writer", "text_writer", "written_folder"]

Writer = Callable[[BinaryIO], None]


class AtomicFile(PartFile):
    """An output file named by an option, written completely or not at all.

    Entering the context opens a temporary file, so that an unwritable path is reported before the
    computation. `write` fills it and renames it to the target; leaving the context removes an
    unfinished file.

    Parameters
    ----------
    path : Path
        Path of the file.
    suffixes : tuple of str
        Allowed suffixes of its name.
    option : str
        The option that gave the path, for messages.

    Raises
    ------
    typer.BadParameter
        If the suffix is unknown or no file can be written there.
    """

    def __init__(self, path: Path, suffixes: tuple[str, ...], option: str) -> None:
        self.option, self.suffix = option, path.suffix.lower()
        if self.suffix not in suffixes:
            raise self.error(f"{path}: the name must end in {' or '.join(suffixes)}")
        if os.path.isdir(path):
            raise self.error(f"{path} is a directory")
        super().__init__(path)

    def error(self, problem: str) -> typer.BadParameter:
        """Return the error of a bad option value that names this file's option."""
        return typer.BadParameter(problem, param_hint=self.option)

    def __enter__(self) -> AtomicFile:
        try:
            super().__enter__()
        except OSError as e:
            raise self.error(f"cannot write {self.path}: {e.strerror or e}") from e
        except BaseException:
            self.discard()
            raise
        return self

    def write(self, writer: Writer) -> None:
        """Let `writer` fill the temporary file, then rename it to the target."""
        try:
            writer(self.file)
            self.finish()
        except OSError as e:
            raise self.error(f"cannot write {self.path}: {e.strerror or e}") from e


@contextmanager
def written_folder(option: str) -> Iterator[None]:
    """Report that a folder, or a file in it, cannot be written as a bad value of an option."""
    try:
        yield
    except OSError as e:
        if e.filename is None:
            raise
        problem = f"cannot write {e.filename}: {e.strerror or e}"
        raise typer.BadParameter(problem, param_hint=option) from e


def array_writer(arrays: Mapping[str, np.ndarray], suffix: str) -> Writer:
    """Return a function that writes named arrays to a compressed ``.npz`` or ``.mat`` file."""

    def write(file: BinaryIO) -> None:
        if suffix == ".npz":
            np.savez_compressed(file, **dict[str, Any](arrays))
        else:
            from scipy.io import savemat

            savemat(cast("Any", file), dict(arrays), do_compression=True)

    return write


def text_writer(text: str) -> Writer:
    """Return a function that writes a string and a newline to a file."""

    def write(file: BinaryIO) -> None:
        file.write(f"{text}\n".encode())

    return write
