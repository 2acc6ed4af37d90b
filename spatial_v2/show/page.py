"""The self-contained HTML page of a scene."""

from __future__ import annotations

import html
import json
from functools import cache
from importlib.resources import files

from spatial_v2.show.scene import Scene

__all__ = ["description", "frame_html", "page_html"]


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
        "LABEL": html.escape(description(scene), quote=True),
        "STYLE": _asset("style.css"),
        "SCENE": data.replace("<", "\\u003c"),
        "THREE": _asset("three.min.js").replace("</script", "<\\/script"),
        "OCCLUSION": _asset("occlusion.js"),
        "VIEWER": _asset("viewer.js"),
        "TOOLS": _asset("tools.js"),
    }
    pieces = _asset("page.html").split("@")
    return "".join(parts.get(piece, piece) for piece in pieces)


def description(scene: Scene) -> str:
    """Say in words what a scene shows, for people who cannot see it.

    Examples
    --------
    >>> from spatial_v2 import planar, showmotion
    >>> description(showmotion(planar(2), [0, 1], [[0, 0], [1, 2]], overlays="com").scene)
    'Animation of planar(2), 2 bodies, 1 s long, with com'
    """
    model, t = scene.model, scene.motion.t
    bodies = f"{model.NB} {'body' if model.NB == 1 else 'bodies'}"
    words = [f"{'Animation' if len(t) > 1 else 'View'} of {model.name or 'a robot'}", bodies]
    words += [f"{t[-1] - t[0]:.3g} s long"] if len(t) > 1 else []
    words += [f"with {', '.join(scene.shown)}"] if scene.shown else []
    return ", ".join(words)


def frame_html(page: str, title: str, height: int = 480) -> str:
    """Wrap a page in an HTML frame for notebooks, with a title for people who cannot see it."""
    inner, name = html.escape(page, quote=True), html.escape(title, quote=True)
    style = f"width:100%;height:{height}px;border:1px solid #cfd6dc;border-radius:6px"
    return (
        f'<div><iframe title="{name}" srcdoc="{inner}" style="{style}" allowfullscreen></iframe>'
        "</div>"
    )
