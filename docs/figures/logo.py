"""Draw the logo, a screw: docs/_static/logo.svg, which is also the icon of the pages.

python docs/figures/logo.py
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

TURN, SHIFT = "#e07a1f", "#1a9187"
"""Colours of rotation and translation, as in the figures that the reader moves."""
RADIUS, TILT, RISE, START = 20.0, 8.0, 19.0, 47.0
"""Half axes of a turn as seen from above its middle, rise of a turn, and height of the start."""
PATH = (
    '<path d="{}" fill="none" stroke="{}" stroke-width="{}" stroke-linecap="{}"'
    ' stroke-linejoin="round"/>'
)


def helix(first: float, last: float) -> str:
    """The part of the helix between two angles, in turns, as cubic curves for an eighth each."""

    def at(s: float) -> np.ndarray:
        a = 2 * np.pi * s
        return np.array([32 + RADIUS * np.sin(a), START - RISE * s + TILT * np.cos(a)])

    def slope(s: float) -> np.ndarray:
        a = 2 * np.pi * s
        return np.array([RADIUS * np.cos(a), -TILT * np.sin(a)]) * 2 * np.pi - [0, RISE]

    ends = np.linspace(first, last, round(8 * (last - first)) + 1)
    text = "M{:.2f} {:.2f}".format(*at(first))
    for a, b in pairwise(ends):
        third = (b - a) / 3
        points = (at(a) + third * slope(a), at(b) - third * slope(b), at(b))
        text += "C" + " ".join(f"{x:.2f} {y:.2f}" for x, y in points)
    return text


def main() -> None:
    behind = [(0.25, 0.75), (1.25, 1.625)]
    before = [(-0.125, 0.25), (0.75, 1.25)]
    lines = [PATH.format(helix(*x), TURN, 6, "round") for x in behind]
    lines += [PATH.format("M32 60.5V16", SHIFT, 6, "round")]
    lines += [f'<path d="M32 3L41.5 18H22.5Z" fill="{SHIFT}" stroke="{SHIFT}" stroke-width="3"'
              ' stroke-linejoin="round"/>']  # fmt: skip
    lines += [PATH.format(helix(*x), TURN, 6, "round") for x in before]
    text = "\n".join([
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img">',
        "<title>A screw: an axis, and a helix around it</title>", *lines, "</svg>", "",
    ])  # fmt: skip
    Path(__file__).parents[1].joinpath("_static", "logo.svg").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
