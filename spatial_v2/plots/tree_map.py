"""Drawing of a kinematic tree as a transit map: a station per body, a colour per branch."""

from __future__ import annotations

from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from spatial_v2.model import Model
from spatial_v2.plots.branches import branches
from spatial_v2.plots.style import INK

__all__ = ["PALE", "draw_tree"]

PALE = "#5d6b77"
NAME = 32
"""Largest number of characters of a name; longer names are cut."""


def draw_tree(ax: Axes, model: Model, width: float, row: float) -> None:
    """Draw the tree: a row for each body, with its velocity indices, joint name and joint code.

    Parameters
    ----------
    ax : Axes
        Axes to draw in; their height is divided into NB + 1 rows.
    model : Model
        The robot.
    width, row : float
        Width of the axes and height of a row [inch].
    """
    lines = branches(model)
    rails = 1 + max(line.rail for line in lines)
    gap = min(0.22, 1.2 / rails)
    size = min(10.0, 0.66 * 72 * row)
    rail = {-1: 0.0}
    for line in lines:
        x, x0, y0 = gap * line.rail, rail[line.start], line.start
        rail.update(dict.fromkeys(line.bodies, x))
        bend = [(x0, y0), (x0, y0 + 0.7), (x, y0 + 0.3), (x, y0 + 1), (x, line.bodies[-1])]
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
        lw = 0.26 * size
        ax.add_patch(
            PathPatch(Path(bend, codes), fc="none", ec=line.color, lw=lw, capstyle="round")
        )
        for i in line.bodies:
            marker = "D" if model.nv[i] > 1 else "s" if "P" in _code(model, i).upper() else "o"
            ax.plot(x, i, marker, ms=0.66 * size, mfc="white", mec=line.color, mew=0.7 * lw)
    ax.plot(0, -1, "s", ms=0.9 * size, color=INK)

    indices = [_index(k.start, k.stop - 1) for k in model.vinds]
    numbers = gap * (rails - 1) + (0.016 + 0.008 * max(map(len, indices))) * size
    names = numbers + 0.012 * size
    ax.text(names, -1, "base", color=INK, weight="bold", va="center", size=size)
    for i in range(model.NB):
        ax.text(numbers, i, indices[i], color=PALE, ha="right", va="center", size=0.9 * size)
        name = model.joint_names[i]
        name = name if len(name) <= NAME else name[: NAME - 1] + "…"
        label = ax.text(names, i, name, color=INK, va="center", size=size)
        ax.annotate(
            f"  {_code(model, i)}", (1, 0.5), xycoords=label, va="center", size=0.75 * size,
            color=PALE,
        )  # fmt: skip
    ax.set(xlim=(-0.15, width - 0.15), ylim=(model.NB - 0.5, -1.5))
    ax.set_axis_off()


def _index(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _code(model: Model, i: int) -> str:
    return model.layout.joints[i].code
