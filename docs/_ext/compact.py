"""Pages without the indentation of their HTML, which is a good part of the size of the site.

Elements whose white space counts, and pages inside frames, are kept as they are.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

_PARTS = re.compile(r'(<(pre|textarea|script|style)\b.*?</\2>|\bsrcdoc="[^"]*")|\s*\n\s*', re.S)


def compact(page: str) -> str:
    """Return a page in HTML with one line end for each run of white space that has line ends."""
    return _PARTS.sub(lambda match: match[1] or "\n", page)


def write(app: Sphinx, error: Exception | None) -> None:
    """Rewrite the pages of a build without errors."""
    if error or app.builder.format != "html":
        return
    animations = Path(app.outdir, "_static")
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        new = text if path.is_relative_to(animations) else compact(text)
        if new != text:
            path.write_text(new, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
