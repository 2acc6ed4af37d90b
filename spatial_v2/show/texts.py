"""Text in pictures: names of bodies, and the time."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spatial_v2.show.raster import FINE, Canvas
from spatial_v2.show.scene import Scene

__all__ = ["draw_names", "with_clock"]

STYLE: dict[str, Any] = {"fill": "#22313f", "stroke_width": 2, "stroke_fill": "white"}


def draw_names(pixels: np.ndarray, canvas: Canvas, scene: Scene, p: np.ndarray) -> np.ndarray:
    """Write the names of the bodies at positions p (NB, 3), if the scene has this overlay."""
    if "names" not in scene.overlays:
        return pixels
    from PIL import Image, ImageDraw

    image = Image.fromarray(pixels)
    pen, font = ImageDraw.Draw(image), _font(_height(pixels))
    taken: list[tuple[float, float, float, float]] = []
    for i, (name, place) in enumerate(zip(scene.model.body_names, p, strict=True)):
        x, y, near = canvas.project(place).tolist()
        if not np.isfinite(near):
            continue
        at, text = (x / FINE + 3, y / FINE - 3), f"{i} {name}"
        box = pen.textbbox(at, text, font=font, anchor="ls")
        while any(_overlap(box, other) for other in taken):
            at = (at[0], at[1] - 1)
            box = pen.textbbox(at, text, font=font, anchor="ls")
        taken.append(box)
        pen.text(at, text, font=font, anchor="ls", **STYLE)
    return np.asarray(image)


def _overlap(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def with_clock(pixels: np.ndarray, time: float) -> np.ndarray:
    """Write a time into the lower right corner of a picture."""
    from PIL import Image, ImageDraw

    image, height = Image.fromarray(pixels), _height(pixels)
    at = (image.width - height, image.height - height)
    ImageDraw.Draw(image).text(at, f"{time:.2f} s", font=_font(height), anchor="rs", **STYLE)
    return np.asarray(image)


def _height(pixels: np.ndarray) -> int:
    return max(9, round(int(min(pixels.shape[:2])) / 36))


@cache
def _font(height: int) -> Any:
    """Load the font that matplotlib installs."""
    from matplotlib import get_data_path
    from PIL import ImageFont

    return ImageFont.truetype(f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", height)
