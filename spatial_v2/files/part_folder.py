"""Folders that receive several files completely or not at all."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from spatial_v2.files.path_name import path_name

__all__ = ["part_folder"]


@contextmanager
def part_folder(path: str | os.PathLike[str], stale: Iterable[str] = ()) -> Iterator[Path]:
    """Yield a temporary folder whose files are moved into another one at the end of the context.

    An error or an interruption inside the context removes the temporary folder, and leaves the
    other one as it was, or missing. The temporary folder is on the same file system: within the
    other one if that exists, else in the nearest folder above it that does.

    Parameters
    ----------
    path : path
        The folder that receives the files, created if needed. Files of the same names are replaced.
    stale : iterable of str, optional
        Patterns of files of an earlier writing, such as ``"objects/*.o"``. Those that are not
        written again are removed.

    Yields
    ------
    Path
        The temporary folder.

    Raises
    ------
    TypeError
        If the path is neither a string nor a path.
    OSError
        If no folder can be created there; it names `path`.

    Examples
    --------
    >>> with TemporaryDirectory() as place:
    ...     with part_folder(f"{place}/library") as part:
    ...         _ = Path(part, "a.txt").write_text("whole")
    ...     os.listdir(f"{place}/library")
    ['a.txt']
    """
    target = Path(os.path.realpath(path_name(path, "folder")))
    above = next(x for x in (target, *target.parents) if x.exists())
    if not above.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))
    try:
        temporary = TemporaryDirectory(prefix=".", suffix=".part", dir=above)
    except OSError as e:
        raise OSError(e.errno, e.strerror, str(path)) from e
    with temporary as place:
        part, before = Path(place, "part"), Path(place, "before")
        part.mkdir()
        yield part
        if target.exists():
            _replace(part, target, before, stale)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            part.rename(target)


def _replace(part: Path, target: Path, before: Path, stale: Iterable[str]) -> None:
    """Move all files from one folder to another, and the files that they replace to a third."""
    new = [x.relative_to(part) for x in part.rglob("*") if x.is_symlink() or not x.is_dir()]
    old = {x.relative_to(target) for pattern in stale for x in target.glob(pattern)}
    moved: list[tuple[Path, Path]] = []

    def move(file: Path, here: Path, there: Path) -> None:
        (there / file).parent.mkdir(parents=True, exist_ok=True)
        os.replace(here / file, there / file)
        moved.append((here / file, there / file))

    try:
        for file in sorted(old.union(new)):
            if os.path.lexists(target / file):
                move(file, target, before)
        for file in new:
            move(file, part, target)
    except BaseException:
        for here, there in reversed(moved):
            os.replace(there, here)
        raise
