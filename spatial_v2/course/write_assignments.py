"""`write_assignments`: the exercises of the course as assignments for nbgrader."""

from __future__ import annotations

import os
from pathlib import Path

from spatial_v2.course.assignment import CONFIG, assignment
from spatial_v2.course.text import chapters
from spatial_v2.course.write_files import write_files

__all__ = ["write_assignments"]


def write_assignments(
    folder: str | os.PathLike[str] = "course", *, force: bool = False
) -> list[Path]:
    """Write the chapters of the course as assignments of a course folder of nbgrader.

    Parameters
    ----------
    folder : path, optional
        Folder of nbgrader's course, created if it does not exist.
    force : bool, optional
        If True, replace existing files with other contents.

    Returns
    -------
    list of Path
        Paths of the source notebooks, one assignment for each chapter, and of nbgrader's settings.

    Raises
    ------
    SpatialError
        If a file with other contents exists and `force` is False; nothing is then written.

    Examples
    --------
    >>> import tempfile
    >>> from spatial_v2.course import write_assignments
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write_assignments(folder)[0].relative_to(folder).as_posix())
    source/01_vectors/01_vectors.ipynb
    """
    texts = {f"source/{name}/{name}.ipynb": assignment(name) for name in chapters()}
    texts["nbgrader_config.py"] = CONFIG
    return write_files("write_assignments", Path(folder), texts, force)
