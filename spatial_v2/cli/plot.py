"""Picture of the tree and of the sparsity of the second derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure

from spatial_v2.couplings.free import free_tree
from spatial_v2.model import Model
from spatial_v2.plots.branches import branches
from spatial_v2.plots.sparsity import COLORS, SHADES, draw_shades
from spatial_v2.plots.style import INK
from spatial_v2.plots.tree_map import PALE, draw_tree

__all__ = ["plot_writer"]

TENSORS = {
    "d2tau_dq": (r"\partial^2\tau_i", r"\partial q_j\,\partial q_k"),
    "d2tau_dqd": (r"\partial^2\tau_i", r"\partial \dot q_j\,\partial \dot q_k"),
    "d2tau_cross": (r"\partial^2\tau_i", r"\partial q_j\,\partial \dot q_k"),
    "dM_dq": (r"\partial M_{ij}", r"\partial q_k"),
}
"""Numerator and denominator of each tensor."""
PAGES = 8
"""Number of joint torques up to which each has its own panel; more torques are overlaid."""
TREE, LEFT, TOP, BOTTOM = 3.8, 1.15, 1.75, 0.95
"""Width of the tree and margins of the pages [inch]."""


def plot_writer(
    model: Model, largest: Mapping[str, np.ndarray], title: str, suffix: str
) -> Callable[[IO[bytes]], None]:
    """Return a function that writes the picture, for `AtomicFile.write`.

    Parameters
    ----------
    model : Model
        The robot.
    largest : dict
        Largest magnitude of each entry of the four tensors, each (NV, NV, NV); 0 for zero entries.
    title : str
        Title of the picture.
    suffix : {".png", ".svg", ".pdf"}
        Format.
    """
    figure = _draw(model, largest, title)
    return lambda file: figure.savefig(file, format=suffix[1:], dpi=150)


class _Sheet(NamedTuple):
    """A figure with positions in inches from its upper left corner."""

    figure: Figure
    width: float
    height: float

    def axes(self, x: float, y: float, w: float, h: float) -> Axes:
        W, H = self.width, self.height
        return self.figure.add_axes((x / W, 1 - (y + h) / H, w / W, h / H))

    def write(self, x: float, y: float, text: str, size: float = 10, **style: str) -> None:
        style = {"color": INK, "va": "center", **style}
        self.figure.text(x / self.width, 1 - y / self.height, text, size=size, **style)  # type: ignore[arg-type]


def _draw(model: Model, largest: Mapping[str, np.ndarray], title: str) -> Figure:
    n, paged, robot = model.NV, model.NV <= PAGES, free_tree(model)
    side = min(1.3, 8.4 / n) if paged else max(3.4, 0.075 * robot.NB)
    gap_x, gap_y = (0.12, 0.3) if paged else (0.75, 0.95)
    columns, rows = (n, 4) if paged else (2, 2)
    right = TREE + LEFT + columns * (side + gap_x) - gap_x
    height = TOP + rows * (side + gap_y) - gap_y + BOTTOM
    width = max(right + 0.45, 9.5)
    sheet = _Sheet(Figure(figsize=(width, height), facecolor="white"), width, height)

    sheet.write(0.35, 0.4, title, 15, weight="bold")
    what = "side by side" if paged else "laid over one another, the largest entry on top"
    subtitle = (
        f"Second derivatives of inverse dynamics, torque rows i {what}.\n"
        "Blank entries vanish at every state; the numbers count the others."
    )
    sheet.write(0.35, 0.82, subtitle, 9.5, color=PALE)
    row = min(0.5, (height - TOP) / (robot.NB + 1))
    tree = sheet.axes(0.35, TOP - 0.3, TREE - 0.35, row * (robot.NB + 1))
    draw_tree(tree, robot, TREE - 0.35, row)

    for t, (name, (above, below)) in enumerate(TENSORS.items()):
        share = largest[name] / (largest[name].max() or 1.0)
        count = f"{np.count_nonzero(share)} of {share.size}"
        for i, page in enumerate(share if paged else share.max(axis=0, keepdims=True)):
            r, c = (t, i) if paged else divmod(t, 2)
            x, y = TREE + LEFT + c * (side + gap_x), TOP + r * (side + gap_y)
            edges = {"left": i == 0, "top": not paged or t == 0, "bottom": not paged or t == 3}
            _page(sheet.axes(x, y, side, side), page, model, side, edges)
            if paged and t == 0:
                sheet.write(x + side / 2, y - 0.22, rf"$i = {i}$", ha="center")
        if paged:
            x, y = TREE + 0.35, y + side / 2
            sheet.write(
                x, y - 0.1, rf"$\dfrac{{{above}}}{{\overset{{}}{{{below}}}}}$", 13, ha="center"
            )
            sheet.write(x, y + 0.28, count, 7.5, ha="center", color=PALE)
        else:
            sheet.write(x, y - 0.28, rf"${above}\,/\,{below}$", 13)
            sheet.write(x + side, y - 0.28, count, 9, ha="right", color=PALE)

    scale = sheet.axes(right - 2.6, height - 0.42, 2.6, 0.09)
    bar = sheet.figure.colorbar(ScalarMappable(SHADES, COLORS), scale, orientation="horizontal")
    bar.outline.set_visible(False)
    scale.tick_params(which="both", length=0, labelsize=7, labelcolor=PALE)
    label = "magnitude, relative to the largest entry of the tensor"
    sheet.write(right - 2.7, height - 0.375, label, 8, ha="right", color=PALE)
    return sheet.figure


def _page(ax: Axes, page: np.ndarray, model: Model, side: float, edges: Mapping[str, bool]) -> None:
    """Draw one matrix of a tensor, with branches and indices along the sides in `edges`."""
    n, lines, place = model.NV, branches(free_tree(model)), _variables(model)
    draw_shades(ax, page)
    outside = [-0.5 - 0.05 * n / side] * 2
    for line in lines if len(lines) > 1 else []:
        for own in (place[body] for body in line.bodies if body in place):
            ends = [own.start - 0.5, own.stop - 0.5]
            if edges["left"]:
                ax.plot(outside, ends, line.color, lw=3, solid_capstyle="butt", clip_on=False)
            if edges["top"]:
                ax.plot(ends, outside, line.color, lw=3, solid_capstyle="butt", clip_on=False)
    ax.set(xlim=(-0.5, n - 0.5), ylim=(n - 0.5, -0.5))
    ticks = _ticks(model)
    ax.set_xticks(ticks if edges["bottom"] else [])
    ax.set_yticks(ticks if edges["left"] else [])
    ax.tick_params(length=0, labelsize=7, labelcolor=PALE)
    ax.tick_params(axis="y", pad=7)
    if edges["left"]:
        ax.set_ylabel("$j$", rotation=0, color=INK, labelpad=6, va="center")
    if edges["bottom"]:
        ax.set_xlabel("$k$", color=INK, labelpad=1)


def _variables(model: Model) -> dict[int, slice]:
    """Return the velocity variables of the bodies whose joints are independent."""
    own = dict(zip(model.joint_names, model.vinds, strict=True))
    names = free_tree(model).joint_names
    return {i: own[name] for i, name in enumerate(names) if name in own}


def _ticks(model: Model) -> list[int]:
    """Return the labelled indices: all for a small robot, those where branches begin otherwise."""
    if model.NV <= 2 * PAGES:
        return list(range(model.NV))
    place, lines = _variables(model), branches(free_tree(model))
    starts = [[place[body].start for body in line.bodies if body in place] for line in lines]
    ticks = sorted(x[0] for x in starts if x)
    return [t for n, t in enumerate(ticks) if n == 0 or t - ticks[n - 1] >= model.NV / 24]
