"""`write_course`: the course as a folder of notebooks."""

from __future__ import annotations

import os
from pathlib import Path

from spatial_v2.course.notebook import notebook
from spatial_v2.course.text import chapters
from spatial_v2.exceptions import SpatialError

__all__ = ["write_course"]


def write_course(folder: str | os.PathLike[str] = "course", *, force: bool = False) -> list[Path]:
    """Write the chapters of the course as Jupyter notebooks.

    Parameters
    ----------
    folder : path, optional
        Folder of the notebooks, created if it does not exist.
    force : bool, optional
        If True, replace existing notebooks with other contents; answers in them are lost.

    Returns
    -------
    list of Path
        Paths of the notebooks.

    Raises
    ------
    SpatialError
        If a notebook with other contents exists and `force` is False; nothing is then written.

    Examples
    --------
    >>> import tempfile
    >>> from spatial_v2.course import write_course
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write_course(folder)[0].name)
    01_vectors.ipynb
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise SpatialError(f"write_course: folder: {folder} is a file")
    texts = {folder / f"{name}.ipynb": notebook(name) for name in chapters()}
    changed = [path.name for path, text in texts.items() if path.exists() and read(path) != text]
    if changed and not force:
        have = "has" if len(changed) == 1 else "have"
        raise SpatialError(
            f"write_course: {', '.join(changed)} in {folder} {have} been changed; "
            "choose another folder, or replace with force=True (--force)"
        )
    folder.mkdir(parents=True, exist_ok=True)
    for path, text in texts.items():
        if not path.exists() or path.name in changed:
            path.write_text(text, encoding="utf-8", newline="\n")
    return list(texts)


def read(path: Path) -> str:
    """Read the text of a file; return an empty string if there is no file."""
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""
