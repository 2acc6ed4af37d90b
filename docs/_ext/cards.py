"""The directive ``cards``: a card with a picture for each page of a section.

Each line is ``page | picture | sentence``. The title of a card is the heading of its page. The
picture is a file below ``docs/_static``; anything else is lines of code, separated by `` / ``,
which are drawn into ``docs/_static/cards``.
"""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

from sphinx.application import Sphinx
from tables import Markdown

FILE = re.compile(r"\S+\.(?:png|gif|svg)")
INCLUDE = re.compile(r"```\{include\} (\S+)")
WIDTH, HEIGHT, LINE = 400, 225, 34
"""Size of a drawn picture, and the distance of its lines."""
DARK, LIGHT = "#22272e", "#ffffff"


def heading(source: Path) -> str:
    """Return the heading of a page, or of the file that it includes."""
    text = source.read_text(encoding="utf-8")
    if included := INCLUDE.match(text):
        text = (source.parent / included[1]).read_text(encoding="utf-8")
    found = re.search(r"^# (.+)$", text, re.M)
    if not found:
        raise ValueError(f"cards: {source} has no heading")
    return found[1]


def drawing(text: str) -> str:
    """Return a picture in SVG of lines of code, which are separated by `` / ``.

    Examples
    --------
    >>> drawing("a / b").count("<text")
    2
    """
    lines = text.split(" / ")
    size = min(22.0, 0.92 * WIDTH / (0.6 * max(map(len, lines))))
    top = (HEIGHT - LINE * (len(lines) - 1)) / 2 + size / 3
    rows = "".join(
        f'<text x="16" y="{top + LINE * k:.1f}" xml:space="preserve">{escape(line)}</text>'
        for k, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{DARK}"/>'
        f'<g fill="{LIGHT}" font-family="monospace" font-size="{size:.1f}">{rows}</g></svg>\n'
    )


class Cards(Markdown):
    """Directive that shows a card for each page of a section."""

    has_content = True

    def markdown(self) -> str:
        docs, rows = Path(self.env.srcdir), [*filter(None, self.content)]
        text = [f"::::{{grid}} 1 2 {'2 2' if len(rows) == 4 else '3 3'}", ":gutter: 3", ""]
        for line in rows:
            page, picture, sentence = (x.strip() for x in line.split("|"))
            title = heading(docs / f"{page}.md")
            drawn, alt = not FILE.fullmatch(picture), f"Picture of the page {title}"
            if drawn:
                alt, name = " ".join(picture.split()), f"cards/{page.replace('/', '-')}.svg"
                path, svg = docs / "_static" / name, drawing(picture)
                if not path.exists() or path.read_text(encoding="utf-8") != svg:
                    path.parent.mkdir(exist_ok=True)
                    path.write_text(svg, encoding="utf-8")
                picture = name
            text += [
                f":::{{grid-item-card}} {title}",
                f":link: /{page}",
                ":link-type: doc",
                ":class-card: of-section",
                f":img-top: /_static/{picture}",
                f":img-alt: {json.dumps(alt, ensure_ascii=False)}",
                f":class-img-top: {'drawn' if drawn else 'shown'}",
                "",
                sentence,
                ":::",
                "",
            ]
        return "\n".join([*text, "::::"])


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_directive("cards", Cards)
    return {"parallel_read_safe": True}
