"""Files that are written completely or not at all."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO
from zlib import crc32

from spatial_v2.files.path_name import path_name

__all__ = ["PartFile"]


class PartFile:
    """A file that is written under a temporary name and renamed once it is complete.

    Entering the context opens a temporary file in the target's folder; `finish` renames it to the
    target; leaving the context removes a temporary file that was not finished. The temporary name
    is short, so that a target may have the longest name that the system allows. If the target is a
    symbolic link, the file that it points to is written.

    Parameters
    ----------
    path : path
        Path of the file.

    Attributes
    ----------
    file : binary file
        The open temporary file, to be written inside the context.

    Raises
    ------
    TypeError
        If the path is neither a string nor a path.
    OSError
        If no file can be created there, or the target is not a regular file but a directory or
        a device; it names `path`, not the temporary file.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, PartFile(Path(folder, "a.txt")) as part:
    ...     _ = part.file.write(b"whole")
    ...     part.finish()
    ...     os.listdir(folder)
    ['a.txt']
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path_name(path))
        try:
            self._target = Path(os.path.realpath(path))
        except ValueError as e:
            raise OSError(errno.EINVAL, "Not the name of a file", str(path)) from e
        name = f".{crc32(os.fsencode(self._target.name)):08x}.{os.getpid()}.part"
        self._temporary = self._target.parent / name
        self.file: BinaryIO

    def __enter__(self) -> PartFile:
        with suppress(FileNotFoundError):
            kind = os.lstat(self._target).st_mode
            if not stat.S_ISREG(kind):
                code = errno.EISDIR if stat.S_ISDIR(kind) else errno.EINVAL
                said = os.strerror(code) if stat.S_ISDIR(kind) else "Not a regular file"
                raise OSError(code, said, str(self.path))
        try:
            self.file = self._temporary.open("xb")
        except OSError as e:
            raise OSError(e.errno, e.strerror, str(self.path)) from e
        except BaseException:
            self.discard()
            raise
        return self

    def discard(self) -> None:
        """Remove the unfinished file."""
        self._temporary.unlink(missing_ok=True)

    def finish(self) -> None:
        """Close the temporary file and rename it to the target."""
        self.file.close()
        os.replace(self._temporary, self._target)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            self.file.close()
        finally:
            self.discard()
