"""Interactive figures: the directive ``hands-on NAME``, with a robot whose motion the page
computes.

The content of the directive is a program whose last value is a `Model`, or empty if the figure has
no robot. Each figure is a page of its own in ``_static/hands_on``, shown in a frame that is loaded
when it is scrolled near the view. All is computed in the browser, without a server. The scripts and
the pages are those of `spatial_v2.course.hands_on`.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from robot_meshes import licence_of, meshes_of
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from spatial_v2.course.hands_on import figure_data, last_value
from spatial_v2.course.hands_on_page import BELOW, TITLES, asset, page_of, scripts_of

FOLDER = Path("_static", "hands_on")


class HandsOn(SphinxDirective):
    """Directive that shows a figure which the reader moves with the mouse."""

    has_content = True
    required_arguments = 1
    option_spec: ClassVar[dict[str, Any]] = {
        "caption": directives.unchanged_required,
        "height": directives.positive_int,
        "options": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        (name,) = self.arguments
        options = json.loads(self.options.get("options", "{}"))
        page = page_of(name, with_meshes(options, "\n".join(self.content)))
        file = f"{name}_{hashlib.sha256(page.encode()).hexdigest()[:12]}.html"
        write(Path(self.env.app.outdir, FOLDER), file, page, name)
        address = "../" * self.env.docname.count("/") + (FOLDER / file).as_posix()
        kind = "hands-on below" if name in BELOW else "hands-on"
        frame = (
            f'<iframe class="{kind}" loading="lazy" title="{TITLES[name]}" src="{address}" '
            f'style="height:{self.options.get("height", 440)}px"></iframe>'
        )
        caption = nodes.paragraph("", self.options["caption"])
        return [caption, nodes.raw("", frame, format="html")]


def with_meshes(options: dict[str, Any], program: str) -> dict[str, Any]:
    """Return the data of a figure, and if the option ``cell`` is given, meshes with cells of this
    size and their licence.
    """
    data = figure_data(options, program)
    if "cell" in data:
        model = last_value(program)
        data |= {"meshes": meshes_of(model, data.pop("cell")), "licence": licence_of(model)}
    return data


def write(folder: Path, file: str, page: str, name: str) -> None:
    """Write the page of a figure beside the scripts that it loads."""
    folder.mkdir(parents=True, exist_ok=True)
    for script in ("style.css", *scripts_of(name)):
        path, text = folder / script, asset(script)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    folder.joinpath(file).write_text(page, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("hands-on", HandsOn)
    return {"parallel_read_safe": True}
