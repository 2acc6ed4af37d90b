"""Text in pictures: names of bodies, the legend of the overlays, and the time."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spatial_v2.show.labels import Rectangle, place_labels
from spatial_v2.show.raster import FINE, Canvas
from spatial_v2.show.scene import Scene

__all__ = ["draw_texts", "with_clock"]

INK, LEADER = "#22313f", "#5d6b77"
STYLE: dict[str, Any] = {"fill": INK, "stroke_width": 2, "stroke_fill": "white"}


def draw_texts(pixels: np.ndarray, canvas: Canvas, scene: Scene, p: np.ndarray) -> np.ndarray:
    """Write the legend, and the names of the bodies at positions p (NB, 3) if they are shown."""
    if not scene.overlays:
        return pixels
    from PIL import Image, ImageDraw

    image = Image.fromarray(pixels)
    pen, height = ImageDraw.Draw(image, "RGBA"), _height(pixels)
    taken = _legend(pen, scene, image.size, height)
    if "names" in scene.overlays:
        _names(pen, canvas, scene, p, taken)
    return np.asarray(image)


def _names(pen: Any, canvas: Canvas, scene: Scene, p: np.ndarray, taken: list[Rectangle]) -> None:
    """Write the names where none covers another, with a line from each to its body."""
    width, height = canvas.width / FINE, canvas.height / FINE
    font = _font(max(9, round(min(width, height) / 36)))
    where = canvas.project(p) / FINE
    seen = [i for i, (x, y, near) in enumerate(where.tolist()) if np.isfinite(near)]
    points = [(where[i, 0], where[i, 1]) for i in seen]
    names = [f"{i} {scene.model.body_names[i]}" for i in seen]
    boxes = [pen.textbbox((0, 0), name, font=font, anchor="lt") for name in names]
    sizes = [(box[2] - box[0] + 4.0, box[3] - box[1] + 4.0) for box in boxes]
    for point, name, place in zip(
        points, names, place_labels(points, sizes, (width, height), taken), strict=True
    ):
        pen.ellipse((point[0] - 2, point[1] - 2, point[0] + 2, point[1] + 2), fill=LEADER)
        if place is None:
            continue
        left, top, right, bottom = place
        end = (min(max(point[0], left), right), min(max(point[1], top), bottom))
        pen.line((point, end), fill=LEADER, width=1)
        pen.text((left + 2, top + 2), name, font=font, anchor="lt", **STYLE)


def _legend(pen: Any, scene: Scene, size: tuple[int, int], height: int) -> list[Rectangle]:
    """Write the legend in the lower left corner; return the rectangle that it covers."""
    marks, font = scene.legend(), _font(height)
    if not marks:
        return []
    row, margin = 1.5 * height, 0.8 * height
    width = 2.6 * height + max(pen.textlength(mark.text, font=font) for mark in marks)
    left, bottom = margin, size[1] - margin
    box = (left, bottom - row * len(marks) - 0.6 * height, left + width + margin, bottom)
    pen.rounded_rectangle(box, 4, fill=(255, 255, 255, 215), outline=(207, 214, 220, 255))
    for k, mark in enumerate(marks):
        y = box[1] + 0.3 * height + row * (k + 0.5)
        colour = tuple(round(255 * x) for x in mark.colour)
        x = left + 0.6 * height
        if mark.shape == "line":
            pen.line((x, y, x + 1.2 * height, y), fill=colour, width=max(2, round(height / 5)))
        elif mark.shape == "dot":
            r = 0.32 * height
            x += 0.6 * height
            pen.ellipse((x - r, y - r, x + r, y + r), fill=colour, outline=(17, 17, 17))
        else:
            corners = (x, y - 0.4 * height, x + 1.2 * height, y + 0.4 * height)
            pen.rectangle(corners, fill=(*colour, 110), outline=colour)
        pen.text((left + 2.4 * height, y), mark.text, font=font, anchor="lm", fill=INK)
    return [box]


def with_clock(pixels: np.ndarray, time: float) -> np.ndarray:
    """Write a time into the lower right corner of a picture."""
    from PIL import Image, ImageDraw

    image, height = Image.fromarray(pixels), _height(pixels)
    corner = (image.width - height, image.height - height)
    ImageDraw.Draw(image).text(corner, f"{time:.2f} s", font=_font(height), anchor="rs", **STYLE)
    return np.asarray(image)


def _height(pixels: np.ndarray) -> int:
    return max(9, round(int(min(pixels.shape[:2])) / 36))


@cache
def _font(height: int) -> Any:
    """Load the font that matplotlib installs."""
    from matplotlib import get_data_path
    from PIL import ImageFont

    return ImageFont.truetype(f"{get_data_path()}/fonts/ttf/DejaVuSans.ttf", height)
