"""Draw docs/_static/tensor_storage.svg: how tensors are stored, and what moves their axes.

python docs/figures/tensor_storage.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.patches import Polygon, Rectangle

GREY = "#7f8ca0"
COLOURS = ["#e08a1e", "#2a9d8f", "#7b6fd0"]
STEP = (0.42, 0.34)


def sheet(ax: Axes, x: float, y: float, w: float, h: float, colour: str, text: str = "") -> None:
    """A page: w wide and h high, its upper left corner at x, y."""
    ax.add_patch(Rectangle((x, y - h), w, h, facecolor=colour, edgecolor="white", lw=1.2))
    ax.text(x + 0.08, y - 0.05, text, color="white", fontsize=8, va="top")


def stack(ax: Axes, x: float, y: float, w: float, h: float, pages: list[tuple[str, str]]) -> None:
    """Pages behind each other, the first in front."""
    for k, (colour, text) in reversed(list(enumerate(pages))):
        sheet(ax, x + k * STEP[0], y + k * STEP[1], w, h, colour, text)


def arrow(ax: Axes, start: tuple[float, float], end: tuple[float, float], text: str) -> None:
    ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": GREY, "lw": 1.3})
    middle = [(a + b) / 2 for a, b in zip(start, end, strict=True)]
    dx, dy = end[0] - start[0], end[1] - start[1]
    side = {True: (-0.12, 0.0, "right", "center"), False: (0.0, 0.12, "center", "bottom")}
    ox, oy, ha, va = side[abs(dx) < 0.1] if dx * dy == 0 else (-0.1, 0.05, "right", "bottom")
    ax.text(middle[0] + ox, middle[1] + oy, text, color=GREY, fontsize=10, ha=ha, va=va)


def storage(ax: Axes) -> None:
    """Rows, columns, pages."""
    ax.set_title("rows i, columns j, pages k", color=GREY, fontsize=11)
    stack(ax, 0, 0, 1.8, 2.4, [(c, f"A[:, :, {k}]") for k, c in enumerate(COLOURS)])
    arrow(ax, (-0.2, 0), (-0.2, -2.4), "i")
    arrow(ax, (0, -2.6), (1.8, -2.6), "")
    ax.text(0.9, -2.95, "j", color=GREY, fontsize=10, ha="center")
    arrow(ax, (-0.1, 0.2), (-0.1 + 2 * STEP[0], 0.2 + 2 * STEP[1]), "k")


def operator(ax: Axes) -> None:
    """Columns become pages."""
    ax.set_title("crm_t(U): column k becomes page k", color=GREY, fontsize=11)
    for k, colour in enumerate(COLOURS):
        ax.add_patch(Rectangle((0.4 * k, -2.4), 0.4, 2.4, facecolor=colour, edgecolor="white"))
        ax.text(0.4 * k + 0.2, -1.2, f"$u_{k}$", color="white", ha="center", fontsize=10)
    ax.text(0.6, -2.8, "6 x n", color=GREY, fontsize=10, ha="center")
    arrow(ax, (1.35, -1.2), (2.05, -1.2), "")
    pages = [(colour, rf"$u_{k}\times$") for k, colour in enumerate(COLOURS)]
    stack(ax, 2.2, -0.3, 2.1, 2.1, pages)
    ax.text(3.25, -2.8, "6 x 6 x n", color=GREY, fontsize=10, ha="center")


def box(ax: Axes, x: float, y: float, w: float, h: float, d: float, edges: str) -> None:
    """A box with the names of its rows, columns and pages."""
    s, c = (d * STEP[0], d * STEP[1]), COLOURS[1]
    style = {"edgecolor": "white", "lw": 1.2}
    top = [(x, y), (x + w, y), (x + w + s[0], y + s[1]), (x + s[0], y + s[1])]
    right = [(x + w, y), (x + w + s[0], y + s[1]), (x + w + s[0], y + s[1] - h), (x + w, y - h)]
    ax.add_patch(Polygon(top, facecolor=c, alpha=0.55, **style))
    ax.add_patch(Polygon(right, facecolor=c, alpha=0.75, **style))
    ax.add_patch(Rectangle((x, y - h), w, h, facecolor=c, **style))
    text = {"color": GREY, "fontsize": 10}
    ax.text(x - 0.1, y - h / 2, edges[0], ha="right", va="center", **text)
    ax.text(x + w / 2, y - h - 0.1, edges[1], ha="center", va="top", **text)
    ax.text(x + s[0] / 2 - 0.08, y + s[1] / 2 + 0.02, edges[2], ha="right", va="bottom", **text)


def transposes(ax: Axes) -> None:
    """rotT, rotR and rotRT move the edges a, b, c of a box."""
    ax.set_title("transposes of an a x b x c tensor", color=GREY, fontsize=11)
    size = {"a": 1.5, "b": 0.9, "c": 0.45}
    x = 0.0
    for name, edges in [("A", "abc"), ("rotT", "bac"), ("rotR", "acb"), ("rotRT", "cab")]:
        h, w, d = (size[e] for e in edges)
        box(ax, x, -0.4, w, h, 1.6 * d, edges)
        ax.text(x + w / 2, -2.8, name, color=GREY, fontsize=10, ha="center")
        x += w + 1.15


def main() -> None:
    plt.rcParams.update({"svg.hashsalt": "tensor_storage", "svg.fonttype": "none"})
    mpl.use("svg")
    widths = [3.6, 5.8, 9.4]
    figure, axes = plt.subplots(1, 3, figsize=(12, 2.75), width_ratios=widths)
    for ax, width, draw in zip(axes, widths, (storage, operator, transposes), strict=True):
        draw(ax)
        ax.set(xlim=(-0.6, width - 0.6), ylim=(-3.2, 1.1), aspect="equal")
        ax.axis("off")
    figure.tight_layout()
    path = Path(__file__).parent.parent / "_static" / "tensor_storage.svg"
    figure.savefig(path, transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
