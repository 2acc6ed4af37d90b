"""Elements of the pictures of the course: plain axes, arrows, frames, boxes."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

__all__ = [
    "ADVANCE", "BODY", "COLOURS", "FORCE", "INK", "MOTION", "Picture", "arrow", "box", "frame",
    "line", "picture", "plane", "planes", "space", "spaces", "text",
]  # fmt: skip

MOTION, FORCE, ADVANCE, BODY, INK = "#d9730d", "#c0392b", "#2b6cb0", "#8a9aa8", "#2d3748"
"""Colours as in `show`: rotation orange, forces red, translation and couples blue, bodies grey."""
COLOURS = ("#c0392b", "#2f855a", "#2b6cb0")
"""Colours of the axes x, y, z."""


@dataclass(frozen=True)
class Picture:
    """A matplotlib figure that notebooks display as SVG.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from spatial_v2.course import Picture
    >>> Picture(Figure())
    Picture
    """

    figure: Figure
    """The matplotlib figure."""

    def _repr_svg_(self) -> str:
        file = io.StringIO()
        with rc_context({"svg.hashsalt": "course", "svg.fonttype": "path"}):
            self.figure.savefig(
                file, format="svg", bbox_inches="tight", facecolor="white", metadata={"Date": None}
            )
        return file.getvalue()

    def __repr__(self) -> str:
        return "Picture"


def picture(drawing: Any) -> Picture:
    """Wrap a matplotlib drawing so that notebooks display it as SVG, sharp at any size.

    Parameters
    ----------
    drawing : matplotlib.axes.Axes or matplotlib.figure.Figure
        A figure, or axes, whose figure is shown.

    Returns
    -------
    Picture
        The drawing.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from spatial_v2.course import picture
    >>> picture(Figure().subplots())
    Picture
    """
    figure = drawing if isinstance(drawing, Figure) else np.ravel(drawing)[0].figure
    return Picture(figure)


def spaces(count: int, size: float = 1.0, view: tuple[float, float] = (22, -55)) -> list[Any]:
    """Make 3D axes side by side, from -size to size; `view` is elevation and azimuth [deg]."""
    figure = Figure(figsize=(4.2 * count, 3.3), layout="constrained")
    axes = []
    for k in range(count):
        ax: Any = figure.add_subplot(1, count, k + 1, projection="3d")
        ax.set(xlim=(-size, size), ylim=(-size, size), zlim=(-size, size))
        ax.set_box_aspect((1, 1, 1), zoom=1.5)
        ax.view_init(*view)
        ax.set_axis_off()
        axes.append(ax)
    return axes


def space(size: float = 1.0, view: tuple[float, float] = (22, -55)) -> Any:
    """Make plain 3D axes from -size to size."""
    return spaces(1, size, view)[0]


def planes(count: int, width: float = 3.6, height: float = 3.2) -> list[Axes]:
    """Make plain 2D axes side by side, with equal scales."""
    figure = Figure(figsize=(width * count, height), layout="constrained")
    axes = list(np.ravel(np.asarray(figure.subplots(1, count))))
    for ax in axes:
        ax.set_aspect("equal")
        ax.set_axis_off()
    return axes


def plane(width: float = 5.0, height: float = 3.4) -> Axes:
    """Make plain 2D axes with equal scales."""
    return planes(1, width, height)[0]


def arrow(
    ax: Any, start: ArrayLike, vector: ArrayLike, colour: str = INK, label: str = "", **style: Any
) -> None:
    """Draw an arrow from a point with a label at its tip, in 2D or 3D."""
    start, vector = np.asarray(start, float), np.asarray(vector, float)
    width = style.pop("linewidth", 1.8)
    if len(start) == 3:
        length = float(np.linalg.norm(vector)) or 1.0
        head = min(0.35, 0.12 * float(np.ptp(ax.get_xlim())) / 2 / length)
        ax.quiver(*start, *vector, color=colour, arrow_length_ratio=head, linewidth=width, **style)
    else:
        shape = {"arrowstyle": "-|>", "color": colour, "lw": width, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", start + vector, start, arrowprops=shape | style)
        ax.update_datalim([start, start + vector])
        ax.autoscale_view()
    text(ax, start + 1.08 * vector, label, colour)


def text(ax: Any, where: ArrayLike, label: str, colour: str = INK, **style: Any) -> None:
    """Write text at a point; formulas between dollar signs."""
    if label:
        style = {"ha": "center", "va": "center", "fontsize": 11} | style
        ax.text(*np.asarray(where, float), label, color=colour, **style)


def line(ax: Any, points: ArrayLike, colour: str = INK, **style: Any) -> None:
    """Draw a line through points, the rows of an array."""
    ax.plot(*np.asarray(points, float).T, color=colour, **style)


def frame(
    ax: Any, E: ArrayLike | None = None, r: ArrayLike = (0, 0, 0), name: str = "",
    size: float = 0.5, labels: Sequence[str] = ("x", "y", "z"),
) -> None:  # fmt: skip
    """Draw a frame at r whose axes are the rows of the coordinate rotation E, as in `plux`."""
    r, E = np.asarray(r, float), np.eye(len(np.asarray(r))) if E is None else np.asarray(E, float)
    for axis, colour, label in zip(E, COLOURS, labels, strict=False):
        arrow(ax, r, size * axis, colour, f"${label}$" if label else "", linewidth=1.4)
    text(ax, r - 0.22 * size * E.sum(axis=0), name and f"${name}$")


def box(
    ax: Any, lower: ArrayLike, upper: ArrayLike, E: ArrayLike | None = None,
    r: ArrayLike = (0, 0, 0), colour: str = BODY, alpha: float = 0.18,
) -> None:  # fmt: skip
    """Draw a box between two corners in the frame with origin r and coordinate rotation E."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    ends, E = (
        np.stack([np.asarray(lower, float), np.asarray(upper, float)]),
        (np.eye(3) if E is None else np.asarray(E, float)),
    )
    sides = []
    for axis, end in product(range(3), range(2)):
        corners = np.empty((4, 3))
        corners[:, axis] = ends[end, axis]
        others = [k for k in range(3) if k != axis]
        corners[:, others[0]] = ends[[0, 1, 1, 0], others[0]]
        corners[:, others[1]] = ends[[0, 0, 1, 1], others[1]]
        sides.append(corners @ E + np.asarray(r, float))
    ax.add_collection3d(Poly3DCollection(sides, facecolor=colour, edgecolor=colour, alpha=alpha))
