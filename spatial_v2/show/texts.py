"""Letters in pictures: names of bodies, the time."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spatial_v2.show.raster import FINE, Canvas
from spatial_v2.show.scene import Scene

__all__ = ["draw_names", "with_clock"]

STYLE = {"fill": "#22313f", "stroke_width": 2, "stroke_fill": "white"}


def draw_names(pixels: np.ndarray, canvas: Canvas, scene: Scene, p: np.ndarray) -> np.ndarray:
    """The picture with the names of the bodies at places p (NB, 3), where they are asked for."""
    if "names" not in scene.overlays:
        return pixels
    from PIL import Image, ImageDraw

    image = Image.fromarray(pixels)
    pen, font = ImageDraw.Draw(image), _font(_height(pixels))
    for i, (name, place) in enumerate(zip(scene.model.body_names, p, strict=True)):
        x, y, near = canvas.project(place).tolist()
        if np.isfinite(near):
            at = (x / FINE + 3, y / FINE - 3)
            pen.text(at, f"{i} {name}", font=font, anchor="ls", **STYLE)
    return np.asarray(image)


def with_clock(pixels: np.ndarray, time: float) -> np.ndarray:
    """The picture with a time in its lower right corner."""
    from PIL import Image, ImageDraw

    image, height = Image.fromarray(pixels), _height(pixels)
    at = (image.width - height, image.height - height)
    ImageDraw.Draw(image).text(at, f"{time:.2f} s", font=_font(height), anchor="rs", **STYLE)
    return np.asarray(image)


def _height(pixels: np.ndarray) -> int:
    return max(9, round(min(pixels.shape[:2]) / 36))


@cache
def _font(height: int) -> Any:
    """The letters that matplotlib brings."""
    from matplotlib import get_data_path
    from PIL import ImageFont

    return ImageFont.truetype(f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", height)
