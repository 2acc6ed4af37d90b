"""Slides of a notebook as one HTML file that needs no network."""

from __future__ import annotations

import subprocess
from copy import deepcopy
from html import escape
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any, cast

from spatial_v2.course.formulas import mathml
from spatial_v2.exceptions import SpatialError

__all__ = ["slide_page"]

LONG = 9
"""Lines of code from which pictures and animations are on a slide of their own."""
LIMIT = 600
"""Seconds that a cell may run."""


def slide_page(path: Path) -> str:
    """Run a notebook with the metadata of slides and convert it to an HTML page.

    Parameters
    ----------
    path : Path
        The notebook; it is not changed.

    Returns
    -------
    str
        The page: slides, animations and the scripts that show them.

    Raises
    ------
    SpatialError
        If the file is no notebook, one of its cells raises an error, or nbconvert is not installed.

    Examples
    --------
    >>> from spatial_v2.course.slide_page import slide_page
    >>> page = slide_page(Path("slides/07_inverse.ipynb"))  # doctest: +SKIP
    """
    try:
        import nbformat
        from jupyter_client.kernelspec import NoSuchKernel
        from latex2mathml import converter  # noqa: F401
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
        from nbconvert import SlidesExporter
    except ImportError as e:
        raise SpatialError(f"slide_page: pages need {e.name}: pip install '.[course]'") from e
    read, exporter = cast(Any, nbformat.read), cast(Any, SlidesExporter)  # which have no types
    try:
        book = read(path, as_version=4)
    except (ValueError, AttributeError, nbformat.ValidationError) as e:
        raise SpatialError(f"slide_page: {path}: want a notebook: {e}") from e
    where = {"metadata": {"path": str(path.parent)}}
    try:
        NotebookClient(book, timeout=LIMIT, resources=where).execute(stderr=subprocess.DEVNULL)
    except CellExecutionError as e:
        raise SpatialError(f"slide_page: {path}: a cell fails: {e.ename}: {e.evalue}") from e
    except CellTimeoutError as e:
        raise SpatialError(f"slide_page: {path}: a cell runs longer than {LIMIT} s") from e
    except DeadKernelError as e:
        raise SpatialError(f"slide_page: {path}: Python has ended while a cell ran") from e
    except NoSuchKernel as e:
        raise SpatialError("slide_page: pages need a Python kernel: pip install ipykernel") from e
    book.cells = [part for cell in book.cells for part in parts(cell)]
    for cell in book.cells:
        if cell.cell_type == "markdown":
            try:
                cell.source = mathml(cell.source)
            except SpatialError as e:
                raise SpatialError(f"slide_page: {path}: {e}") from e
        for output in cell.get("outputs", []):
            adapt(output.get("data", {}), cell.metadata.get("alt", ""))
    reveal = files("spatial_v2.course").joinpath("assets", "reveal")
    own = {
        name: reveal.joinpath(name).read_text("utf-8")
        for name in ("reveal.css", "white.css", "reveal.js")
    }
    with as_file(files("spatial_v2.course").joinpath("assets")) as assets:
        made = exporter(template_name="slides", extra_template_basedirs=[str(assets)])
        page: str = made.from_notebook_node(book, {"own": own, "title": path.stem})[0]
    return page


def parts(cell: Any) -> list[Any]:
    """Divide long code from the picture or animation below it; hide the code of pictures."""
    if cell.cell_type != "code":
        return [cell]
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
    wide = any({"text/html", "image/svg+xml"} & {*x.get("data", {})} for x in cell.outputs)
    if hidden or not wide or cell.source.count("\n") < LONG:
        cell.metadata["transient"] = {"remove_source": hidden}
        return [cell]
    below = deepcopy(cell)
    below.id, cell.outputs = f"{cell.id}-shown", []
    below.metadata.update(transient={"remove_source": True}, slideshow={"slide_type": "subslide"})
    return [cell, below]


def adapt(data: dict[str, Any], alt: str = "") -> None:
    """Set the formulas of what a cell displays, say in words what its picture shows, and let
    animations wait for their slide.
    """
    if "text/html" in data:
        waiting = data["text/html"].replace(' srcdoc="', ' data-srcdoc="')
        data["text/html"] = waiting if "<iframe" in waiting else mathml(waiting)
    elif "image/svg+xml" in data:
        drawn = data.pop("image/svg+xml").partition("<svg")
        about = f'class="picture" role="img" aria-label="{escape(alt)}"'
        data["text/html"] = f"<div {about}>{drawn[1]}{drawn[2]}</div>"
    elif "text/latex" in data:
        data["text/html"] = mathml(data.pop("text/latex"))
    elif "text/markdown" in data:
        data["text/markdown"] = mathml(data["text/markdown"])
