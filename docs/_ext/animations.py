"""Animations in pages of the site: one file for each animation, and one copy of three.js for all.

In a notebook an animation is an inline frame that contains the whole page, three.js included. On
the site the frame refers to a file, which the browser loads when the frame is scrolled near the
view.
"""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx

FRAME = re.compile(r'<iframe title="([^"]*)" srcdoc="([^"]*)"')
FOLDER = "_static/animations"
SHARED = ("three.min.js", "occlusion.js", "viewer.js")


def share(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Write the animations of a page into files, and refer to these files in the page."""
    if app.builder.format != "html":
        return
    root = "../" * docname.count("/") if app.builder.name != "dirhtml" else ""
    for node in list(doctree.findall(nodes.raw)):
        text = node.astext()
        if "showmotion" in text and FRAME.search(text):
            new = FRAME.sub(lambda match: frame(app, match[1], html.unescape(match[2]), root), text)
            node.replace_self(nodes.raw("", new, format="html"))


def frame(app: Sphinx, title: str, page: str, root: str) -> str:
    """Write the page of an animation to a file without the shared scripts; return the opening tag
    of its frame.
    """
    from spatial_v2.show.page import _asset

    folder = Path(app.outdir, FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    for name in SHARED:
        script = _asset(name)
        inline = f"<script>\n{script.replace('</script', '<' + chr(92) + '/script')}\n</script>"
        if inline not in page:
            inline = f"<script>\n{script}\n</script>"
        if inline in page:
            page = page.replace(inline, f'<script src="{name}"></script>')
            shared = folder / name
            if not shared.exists() or shared.read_text(encoding="utf-8") != script:
                shared.write_text(script, encoding="utf-8")
    name = hashlib.sha256(page.encode()).hexdigest()[:16] + ".html"
    folder.joinpath(name).write_text(page, encoding="utf-8")
    source = f"{root}{FOLDER}/{name}"
    return f'<iframe loading="lazy" class="animation" title="{title}" src="{source}"'


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("doctree-resolved", share)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
