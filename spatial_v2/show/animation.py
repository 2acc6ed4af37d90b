"""`Animation`, the result of `show` and `showmotion`."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from spatial_v2.exceptions import SpatialError
from spatial_v2.files.part_file import PartFile
from spatial_v2.files.path_name import path_name
from spatial_v2.show.scene import Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Animation"]


class Animation:
    """A robot in motion or at rest, for notebooks, files and the browser.

    A notebook displays it. `save` writes it to a file; `open` shows it in a browser; `image` and
    `draw` make a picture of one instant without a browser.

    Parameters
    ----------
    scene : Scene
        Scene made by `show` or `showmotion`.

    Examples
    --------
    >>> from spatial_v2 import planar, showmotion
    >>> animation = showmotion(planar(2), [0, 1], [[0, 0], [1, 2]])
    >>> animation
    Animation of 'planar(2)': 2 bodies, 0 .. 1 s
    >>> animation.configuration(0.5)
    array([0.5, 1. ])
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    @property
    def html(self) -> str:
        """The page as HTML text, self-contained."""
        from spatial_v2.show.page import page_html

        return page_html(self.scene)

    def configuration(self, time: Any) -> np.ndarray:
        """Return the configurations (..., NQ) that are shown at times (...) [s]."""
        return self.scene.motion.at(self.scene.model, time)

    def save(
        self, path: str | os.PathLike[str], *, time: float | None = None, fps: float | None = None,
        size: tuple[int, int] = (640, 480), browser: bool = False, progress: bool | None = None,
    ) -> Path:  # fmt: skip
        """Write the animation to a file, in the format that the file's suffix names.

        The file is written completely or not at all.

        Parameters
        ----------
        path : path
            ``.html``: the page. ``.png``: a picture of one instant. ``.gif``, ``.mp4``: a movie;
            ``.mp4`` needs ffmpeg, of the system or of the extra ``movies``.
        time : float, optional
            The instant of a ``.png`` [s]; by default the first.
        fps : float, optional
            Pictures per second of a movie; by default 20 in a ``.gif``, 30 in an ``.mp4``.
        size : (int, int), optional
            Width and height of pictures, in pixels.
        browser : bool, optional
            If True, a headless Chromium takes the pictures from the page, with smooth surfaces and
            soft shadows. It needs playwright (the extra ``browser``) and a Chromium, and without a
            graphics processor several times as long.
        progress : bool, optional
            Show a bar on the standard error output while a movie is drawn; by default if that is a
            terminal.

        Returns
        -------
        Path
            Path of the file.

        Raises
        ------
        SpatialError
            If the suffix is unknown, there are too many pictures, or ffmpeg or the requested
            browser is missing.
        """
        path = Path(path_name(path))
        try:
            writer = self.writer(
                path.suffix, time=time, fps=fps, size=size, browser=browser, progress=progress
            )
        except SpatialError as e:
            raise SpatialError(f"{path}: {e}") from None
        with PartFile(path) as part:
            writer(part.file)
            part.finish()
        return path

    def writer(
        self, suffix: str, *, time: float | None = None, fps: float | None = None,
        size: tuple[int, int] = (640, 480), browser: bool = False, progress: bool | None = None,
    ) -> Callable[[BinaryIO], None]:  # fmt: skip
        """Return a function that writes the animation to an open file; see `save`."""
        from spatial_v2.show import movies, pictures
        from spatial_v2.show.progress import with_bar

        scene, kind = self.scene, suffix.lower()
        match kind:
            case ".html":
                return lambda file: _write_text(file, self.html)
            case ".png":
                return lambda file: pictures.write_png(scene, file, time, size, bool(browser))
            case ".gif" | ".mp4":
                rate = (20.0 if kind == ".gif" else 30.0) if fps is None else fps
                times = pictures.instants(scene, rate, 50.0 if kind == ".gif" else 120.0)
                program = movies.encoder() if kind == ".mp4" else ""

                def write(file: BinaryIO) -> None:
                    drawn = pictures.frames(scene, times, size, bool(browser))
                    shown = with_bar(drawn, len(times), progress)
                    if program:
                        movies.write_mp4(file, shown, rate, program)
                    else:
                        pictures.write_gif(file, shown, rate)

                return write
        raise SpatialError(f"the name must end in .html, .png, .gif or .mp4, got {suffix!r}")

    def image(self, time: float | None = None, size: tuple[int, int] = (640, 480)) -> np.ndarray:
        """Draw the picture of one instant, by default the first: (height, width, 3) of uint8."""
        from spatial_v2.show.pictures import picture

        return picture(self.scene, time, size)

    def draw(
        self, ax: Axes | None = None, time: float | None = None, size: tuple[int, int] = (640, 480)
    ) -> Axes:
        """Draw the picture of one instant into matplotlib axes, by default new ones."""
        from spatial_v2.show.pictures import draw

        return draw(self.scene, ax, time, size)

    def open(self) -> Path:
        """Write the page to a temporary file, show it in a browser, and return the file's path."""
        import tempfile
        import webbrowser

        with tempfile.NamedTemporaryFile(
            "w", prefix="showmotion_", suffix=".html", delete=False, encoding="utf-8"
        ) as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())
        return Path(file.name)

    def _repr_html_(self) -> str:
        from spatial_v2.show.page import description, frame_html

        return frame_html(self.html, description(self.scene))

    def __repr__(self) -> str:
        model, t = self.scene.model, self.scene.motion.t
        bodies = f"{model.NB} {'body' if model.NB == 1 else 'bodies'}"
        when = f", {t[0]:g} .. {t[-1]:g} s" if len(t) > 1 else ""
        return f"Animation of {model.name or 'robot'!r}: {bodies}{when}"


def _write_text(file: BinaryIO, text: str) -> None:
    file.write(text.encode())
