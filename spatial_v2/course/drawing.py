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
"""Of the axes x, y, z."""


@dataclass(frozen=True)
class Picture:
    """A drawing that notebooks show as SVG.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> from spatial_v2.course import Picture
    >>> Picture(Figure())
    Picture
    """

    figure: Figure
    """Of matplotlib."""

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
    """A drawing of matplotlib that notebooks show, sharp in any size; slides can use it.

    Parameters
    ----------
    drawing : matplotlib.axes.Axes or matplotlib.figure.Figure
        Axes, of which the figure is shown, or a figure.

    Returns
    -------
    Picture
        Shown by notebooks as SVG.

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
    """Axes in space side by side, from -size to size, seen from a height and a side [degrees]."""
    figure = Figure(figsize=(4.2 * count, 3.3), layout="constrained")
    found = []
    for k in range(count):
        ax: Any = figure.add_subplot(1, count, k + 1, projection="3d")
        ax.set(xlim=(-size, size), ylim=(-size, size), zlim=(-size, size))
        ax.set_box_aspect((1, 1, 1), zoom=1.5)
        ax.view_init(*view)
        ax.set_axis_off()
        found.append(ax)
    return found


def space(size: float = 1.0, view: tuple[float, float] = (22, -55)) -> Any:
    """Axes in space without clutter, from -size to size."""
    return spaces(1, size, view)[0]


def planes(count: int, width: float = 3.6, height: float = 3.2) -> list[Axes]:
    """Axes in the plane side by side, equal scales, without clutter."""
    figure = Figure(figsize=(width * count, height), layout="constrained")
    found = list(np.ravel(np.asarray(figure.subplots(1, count))))
    for ax in found:
        ax.set_aspect("equal")
        ax.set_axis_off()
    return found


def plane(width: float = 5.0, height: float = 3.4) -> Axes:
    """Axes in the plane, equal scales, without clutter."""
    return planes(1, width, height)[0]


def arrow(
    ax: Any, start: ArrayLike, vector: ArrayLike, colour: str = INK, label: str = "", **style: Any
) -> None:
    """An arrow from a point, with a label at its tip; in the plane or in space."""
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
    """Text at a point; formulas between dollars."""
    if label:
        style = {"ha": "center", "va": "center", "fontsize": 11} | style
        ax.text(*np.asarray(where, float), label, color=colour, **style)


def line(ax: Any, points: ArrayLike, colour: str = INK, **style: Any) -> None:
    """A line through points, a row each."""
    ax.plot(*np.asarray(points, float).T, color=colour, **style)


def frame(
    ax: Any, E: ArrayLike | None = None, r: ArrayLike = (0, 0, 0), name: str = "",
    size: float = 0.5, labels: Sequence[str] = ("x", "y", "z"),
) -> None:  # fmt: skip
    """A frame at r, its axes the rows of the coordinate rotation E, as `plux` gives them."""
    r, E = np.asarray(r, float), np.eye(len(np.asarray(r))) if E is None else np.asarray(E, float)
    for axis, colour, label in zip(E, COLOURS, labels, strict=False):
        arrow(ax, r, size * axis, colour, f"${label}$" if label else "", linewidth=1.4)
    text(ax, r - 0.22 * size * E.sum(axis=0), name and f"${name}$")


def box(
    ax: Any, lower: ArrayLike, upper: ArrayLike, E: ArrayLike | None = None,
    r: ArrayLike = (0, 0, 0), colour: str = BODY, alpha: float = 0.18,
) -> None:  # fmt: skip
    """A box between two corners in a frame at r that is turned by E."""
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
