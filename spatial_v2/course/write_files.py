"""Writing of files that users may change."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from spatial_v2.exceptions import SpatialError
from spatial_v2.files.part_file import PartFile

__all__ = ["write_files"]


def write_files(caller: str, folder: Path, texts: Mapping[str, str], force: bool) -> list[Path]:
    """Write texts to files in a folder, each completely; none if one of them may not be written.

    Parameters
    ----------
    caller : str
        Name of the function, for messages.
    folder : Path
        Folder of the files, created if it does not exist.
    texts : dict of str to str
        Contents by the name of the file, which may contain folders.
    force : bool
        If True, replace existing files with other contents.

    Returns
    -------
    list of Path
        Paths of the files.

    Raises
    ------
    SpatialError
        If a file is where a folder is needed, or a folder where a file is; or if a file with other
        contents exists and `force` is False. Nothing is then written.

    Examples
    --------
    >>> import tempfile
    >>> from spatial_v2.course.write_files import write_files
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_files("me", Path(folder), {"a/b.txt": "c"}, force=False)[0].read_text()
    'c'
    """
    files = {folder / name: text for name, text in texts.items()}
    for path in files:
        above = [x for x in path.parents if x.is_relative_to(folder)]
        if wrong := [x for x in above if x.exists() and not x.is_dir()]:
            raise SpatialError(f"{caller}: folder: {wrong[0]} is a file; choose another folder")
        if path.is_dir():
            raise SpatialError(
                f"{caller}: folder: {path} is a folder, where a file is to be written"
            )
    changed = [path for path, text in files.items() if path.exists() and read(path) != text]
    if changed and not force:
        have = "has" if len(changed) == 1 else "have"
        raise SpatialError(
            f"{caller}: {', '.join(path.name for path in changed)} in {folder} {have} been "
            "changed; choose another folder, or replace with force=True (--force)"
        )
    for path, text in files.items():
        if not path.exists() or path in changed:
            path.parent.mkdir(parents=True, exist_ok=True)
            with PartFile(path) as part:
                part.file.write(text.encode())
                part.finish()
    return list(files)


def read(path: Path) -> str:
    """Read the text of a file; return an empty string if there is no file."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
