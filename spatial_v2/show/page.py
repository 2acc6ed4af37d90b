"""The self-contained HTML page of a scene."""

from __future__ import annotations

import html
import json
from functools import cache
from importlib.resources import files

from spatial_v2.show.scene import Scene

__all__ = ["frame_html", "page_html"]


@cache
def _asset(name: str) -> str:
    return files("spatial_v2.show").joinpath("assets", name).read_text(encoding="utf-8")


def page_html(scene: Scene, play: bool = True) -> str:
    """Return a scene's page as HTML text.

    Parameters
    ----------
    scene : Scene
        The scene.
    play : bool, optional
        If True, play as soon as the page is opened.
    """
    data = json.dumps({**scene.as_dict(), "play": play}, separators=(",", ":"), allow_nan=False)
    parts = {
        "TITLE": html.escape(scene.model.name or "robot"),
        "STYLE": _asset("style.css"),
        "SCENE": data.replace("<", "\\u003c"),
        "THREE": _asset("three.min.js").replace("</script", "<\\/script"),
        "VIEWER": _asset("viewer.js"),
    }
    pieces = _asset("page.html").split("@")
    return "".join(parts.get(piece, piece) for piece in pieces)


def frame_html(page: str, height: int = 480) -> str:
    """Wrap a page in an HTML frame for notebooks."""
    inner = html.escape(page, quote=True)
    style = f"width:100%;height:{height}px;border:1px solid #cfd6dc;border-radius:6px"
    return f'<div><iframe srcdoc="{inner}" style="{style}" allowfullscreen></iframe></div>'
