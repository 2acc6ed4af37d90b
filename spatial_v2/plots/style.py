"""The style of charts: colours that colour-blind people can tell apart, line styles, grids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle, islice

import numpy as np
from matplotlib.axes import Axes

__all__ = ["DASHES", "INK", "MARKERS", "PALETTE", "ROUNDING", "line_styles", "open_range", "style"]

PALETTE = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#22313f",
)  # fmt: skip
"""Colours of Okabe and Ito (2008), https://jfly.uni-koeln.de/color, with dark grey for black."""
DASHES = ("-", "--", "-.", ":")
MARKERS = "os^DvPX"
"""Line styles and markers, which differ where colours repeat or are not seen."""
INK, GRID = "#22313f", "#e6e9ec"
ROUNDING = 64 * float(np.finfo(float).eps)
"""Size, relative to the quantity concerned, below which numbers are marked as rounding errors."""
FLAT = 1e-9
"""Relative range below which an axis is not magnified to the range of its data."""


def style(ax: Axes, grid: str = "both") -> Axes:
    """Give axes the common style: two spines, and grid lines along "x", "y" or "both"."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(INK)
    ax.tick_params(colors=INK, labelsize="small")
    for label in (ax.xaxis.label, ax.yaxis.label, ax.title):
        label.set_color(INK)
    ax.grid(axis=grid, color=GRID, linewidth=0.8)  # type: ignore[arg-type]
    ax.set_axisbelow(True)
    return ax


def line_styles(count: int) -> Iterator[dict[str, str]]:
    """Return colour and line style of `count` lines: colours repeat with another line style.

    Examples
    --------
    >>> list(line_styles(8))[-1]
    {'color': '#0072b2', 'linestyle': '--'}
    """
    every = ({"color": c, "linestyle": d} for d in cycle(DASHES) for c in PALETTE)
    return islice(every, count)


def open_range(ax: Axes, values: np.ndarray) -> None:
    """Do not magnify values that are constant up to rounding to the height of the axes."""
    if not values.size:
        return
    low, high = float(values.min()), float(values.max())
    size = max(abs(low), abs(high))
    if high - low <= FLAT * size:
        half = 0.1 * size or 1.0
        ax.set_ylim((low + high) / 2 - half, (low + high) / 2 + half)
