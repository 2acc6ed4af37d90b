"""`write_slides`: the chapters of the course as slides."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from spatial_v2.course.slide_page import slide_page
from spatial_v2.course.slides import slides
from spatial_v2.course.text import chapters
from spatial_v2.course.write_files import write_files
from spatial_v2.exceptions import SpatialError
from spatial_v2.files.part_file import PartFile

__all__ = ["write_slides"]


def write_slides(
    folder: str | os.PathLike[str] = "course",
    names: Sequence[str] | str | None = None,
    *,
    pages: bool = True,
    force: bool = False,
) -> list[Path]:
    """Write chapters of the course as slides: notebooks, and pages for a browser.

    A page is one file, which needs no network. It is made from the notebook in the folder: slides
    that you have changed stay as they are.

    Parameters
    ----------
    folder : path, optional
        Folder of the slides, created if it does not exist.
    names : sequence of str, or str, optional
        Names of the chapters, as ``"07_inverse"``; all by default.
    pages : bool, optional
        If False, write only the notebooks, which say in the metadata of each cell on which slide
        it is. Otherwise each notebook runs, and its results are on the slides.
    force : bool, optional
        If True, replace notebooks that have been changed.

    Returns
    -------
    list of Path
        Paths of the notebooks, or of the pages.

    Raises
    ------
    SpatialError
        If there is no such chapter, nbconvert is not installed, or a notebook raises an error.

    Examples
    --------
    >>> import tempfile
    >>> from spatial_v2.course import write_slides
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     print(write_slides(folder, ["01_vectors"], pages=False)[0].name)
    01_vectors.ipynb
    """
    folder = Path(folder)
    wanted = chapters() if names is None else (names,) if isinstance(names, str) else tuple(names)
    if unknown := [name for name in wanted if name not in chapters()]:
        raise SpatialError(
            f"write_slides: names: no chapter {unknown[0]!r}; there are {', '.join(chapters())}"
        )
    texts = {f"{name}.ipynb": slides(name) for name in wanted}
    missing = {name: text for name, text in texts.items() if force or not (folder / name).exists()}
    write_files("write_slides", folder, missing, force)
    if not pages:
        return [folder / name for name in texts]
    written = []
    for name in texts:
        path = folder / name
        page = slide_page(path)
        written.append(path.with_suffix(".html"))
        with PartFile(written[-1]) as part:
            part.file.write(page.encode())
            part.finish()
    return written
