"""Pictures of an animation's page, taken by a headless Chromium."""

from __future__ import annotations

import base64
import io
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.show.page import page_html
from spatial_v2.show.scene import Scene

__all__ = ["browser_frames", "chromium_found"]

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FLAGS = ["--enable-unsafe-swiftshader", "--no-sandbox"]
HINT = "pip install '.[browser]', and a Chromium, on the path or by 'playwright install'"


def chromium_found() -> bool:
    """Return whether playwright is installed and a Chromium is found.

    Examples
    --------
    >>> isinstance(chromium_found(), bool)
    True
    """
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return False
    return _program() is not None


def browser_frames(scene: Scene, times: np.ndarray, size: tuple[int, int]) -> Iterator[np.ndarray]:
    """Take pictures of a scene's page at given instants, each (height, width, 3) of uint8.

    Parameters
    ----------
    scene : Scene
        The scene.
    times : (N,) array
        Instants [s].
    size : (int, int)
        Width and height in pixels.

    Raises
    ------
    SpatialError
        If there is no browser.

    Notes
    -----
    The browser is driven from a separate thread, because playwright cannot run in a notebook's
    thread, which has an event loop.
    """
    from PIL import Image

    session = _page(scene, size)
    with ThreadPoolExecutor(1) as thread:
        page = thread.submit(session.__enter__).result()
        try:
            for time in np.asarray(times, dtype=float).tolist():
                url = thread.submit(page.evaluate, f"showmotion.picture({time!r})").result()
                image = Image.open(io.BytesIO(base64.b64decode(url.partition(",")[2])))
                yield np.asarray(image.convert("RGB"))
        finally:
            thread.submit(session.__exit__, None, None, None).result()


@contextmanager
def _page(scene: Scene, size: tuple[int, int]) -> Iterator[Any]:
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError as e:
        raise SpatialError(f"browser=True: no browser was found; it needs {HINT}") from e
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        try:
            chromium = play.chromium.launch(executable_path=_program(), args=FLAGS)
        except Error as e:
            raise SpatialError(f"browser=True: no browser was found; it needs {HINT}") from e
        try:
            path = Path(folder, "page.html")
            path.write_text(page_html(scene, play=False), encoding="utf-8")
            page = chromium.new_page(viewport={"width": size[0], "height": size[1]})
            page.goto(path.as_uri())
            page.wait_for_function("window.showmotion", timeout=120_000)
            page.evaluate("showmotion.bare()")
            yield page
        finally:
            chromium.close()


def _program() -> str | None:
    return next(filter(None, map(shutil.which, PROGRAMS)), None)
