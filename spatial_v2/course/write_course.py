"""`write_course`: the course as a folder of notebooks."""

from __future__ import annotations

import os
from pathlib import Path

from spatial_v2.course.notebook import notebook
from spatial_v2.course.text import chapters
from spatial_v2.course.write_files import write_files

__all__ = ["write_course"]


def write_course(folder: str | os.PathLike[str] = "course", *, force: bool = False) -> list[Path]:
    """Write the chapters of the course as Jupyter notebooks, and again with the solutions.

    The notebooks with solutions are in the folder ``solutions`` within.

    Parameters
    ----------
    folder : path, optional
        Folder of the notebooks, created if it does not exist.
    force : bool, optional
        If True, replace existing notebooks with other contents; answers in them are lost.

    Returns
    -------
    list of Path
        Paths of the notebooks, first those without solutions.

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
    texts = {f"{name}.ipynb": notebook(name) for name in chapters()}
    texts |= {f"solutions/{name}.ipynb": notebook(name, solved=True) for name in chapters()}
    return write_files("write_course", Path(folder), texts, force)
