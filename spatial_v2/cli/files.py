"""Output files of a command: checked before computing, written completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, BinaryIO, cast

import numpy as np
import typer

from spatial_v2.files.part_file import PartFile

__all__ = ["AtomicFile", "array_writer", "text_writer"]

Writer = Callable[[BinaryIO], None]


class AtomicFile(PartFile):
    """A file that an option names, which takes its name only when it is complete.

    Entering the context opens it, so that a place where nothing can be written is known before
    anything is computed. `write` fills it; leaving the context removes what was not finished.

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
        Unknown suffix; a place where no file can be written.
    """

    def __init__(self, path: Path, suffixes: tuple[str, ...], option: str) -> None:
        self.option, self.suffix = option, path.suffix.lower()
        if self.suffix not in suffixes:
            raise self.error(f"{path}: the name must end in {' or '.join(suffixes)}")
        if os.path.isdir(path):
            raise self.error(f"{path} is a directory")
        super().__init__(path)

    def error(self, problem: str) -> typer.BadParameter:
        """Bad input about this file, to be raised."""
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
        """Let `writer` fill the file, then give the file its name."""
        try:
            writer(self.file)
            self.finish()
        except OSError as e:
            raise self.error(f"cannot write {self.path}: {e.strerror or e}") from e


def array_writer(arrays: Mapping[str, np.ndarray], suffix: str) -> Writer:
    """A writer of named arrays: compressed, ``.npz`` for NumPy or ``.mat`` for MATLAB."""

    def write(file: BinaryIO) -> None:
        if suffix == ".npz":
            np.savez_compressed(file, **dict[str, Any](arrays))
        else:
            from scipy.io import savemat

            savemat(cast("Any", file), dict(arrays), do_compression=True)

    return write


def text_writer(text: str) -> Writer:
    """A writer of text, with a line's end after it."""

    def write(file: BinaryIO) -> None:
        file.write(f"{text}\n".encode())

    return write
