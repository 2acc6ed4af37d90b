"""Draw docs/_static/constraints.svg: the two families of constraints.

python docs/figures/constraints.py
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Ellipse, Polygon

GREY = "#7f8ca0"
ONE, TWO, FORCE = "#2a9d8f", "#7b6fd0", "#e08a1e"
TEXT = {"color": GREY, "fontsize": 10, "ha": "center", "va": "center"}


def body(ax: Axes, x: float, y: float, w: float, h: float, turn: float, colour: str) -> None:
    """A link."""
    ax.add_patch(Ellipse((x, y), w, h, angle=turn, facecolor=colour, alpha=0.75, edgecolor="white"))


def arrow(ax: Axes, x: float, y: float, dx: float, dy: float, colour: str, lw: float = 1.4) -> None:
    shape = {"arrowstyle": "->", "color": colour, "lw": lw, "shrinkA": 0, "shrinkB": 0}
    ax.annotate("", (x + dx, y + dy), (x, y), arrowprops=shape)


def axes_at(
    ax: Axes, x: float, y: float, turn: float, names: str = "xy", colour: str = GREY
) -> None:
    """Two axes of a frame."""
    for k, name in enumerate(names):
        a = np.radians(turn + 90 * k)
        d = 0.62 * np.array([np.cos(a), np.sin(a)])
        arrow(ax, x, y, *d, colour)
        ax.text(x + 1.3 * d[0], y + 1.3 * d[1], name, **(TEXT | {"color": colour}))


def ground(ax: Axes, left: float, right: float, y: float) -> None:
    ax.plot([left, right], [y, y], color=GREY, lw=1.4)
    for x in np.arange(left + 0.15, right, 0.3):
        ax.plot([x, x - 0.15], [y, y - 0.18], color=GREY, lw=0.8)


def points(ax: Axes) -> None:
    """Two points meet; the force along the axes of the base."""
    ax.set_title("points: PointConstraint", color=GREY, fontsize=11)
    body(ax, 1.35, 1.25, 2.5, 0.8, 20, ONE)
    body(ax, 3.75, 1.25, 2.5, 0.8, -20, TWO)
    ax.text(1.1, 1.15, "body 1", color="white", ha="center", va="center", fontsize=9)
    ax.text(4.0, 1.15, "body 2", color="white", ha="center", va="center", fontsize=9)
    ax.plot([2.46, 2.66], [1.62, 1.62], "o", color="white", markeredgecolor=GREY, markersize=5)
    ax.text(2.3, 1.98, "$p_1$", **TEXT)
    ax.text(2.84, 1.98, "$p_2$", **TEXT)
    arrow(ax, 2.66, 1.62, 0.75, 0.9, FORCE, 2)
    ax.text(3.65, 2.5, r"$\lambda$", **(TEXT | {"color": FORCE, "fontsize": 13}))
    arrow(ax, 2.46, 1.62, -0.75, -0.9, FORCE, 1)
    ax.text(1.45, 0.62, r"$-\lambda$", **(TEXT | {"color": FORCE}))
    axes_at(ax, 0.1, -0.35, 0)
    ax.text(2.9, -0.1, r"rows: $\dot p_2 - \dot p_1$, axes of the base", **TEXT)


def frames(ax: Axes) -> None:
    """A flat foot; the wrench in the axes of the foot."""
    ax.set_title("frames: FrameConstraint", color=GREY, fontsize=11)
    slope = np.radians(12)
    ax.plot([0.4, 4.6], [0.32, 0.32 + 4.2 * np.tan(slope)], color=GREY, lw=1.4)
    ax.text(0.6, 0.0, "body 1: the base", **(TEXT | {"ha": "left"}))
    R = np.array([[np.cos(slope), -np.sin(slope)], [np.sin(slope), np.cos(slope)]])
    foot = np.array([[1.3, 0.04], [3.5, 0.04], [3.3, 0.42], [2.1, 0.55], [1.9, 0.9], [1.4, 0.8]])
    ax.add_patch(Polygon([0.3, 0.2] + foot @ R.T, facecolor=TWO, alpha=0.75, edgecolor="white"))
    body(ax, 1.62, 2.05, 0.55, 1.6, -6, TWO)
    ax.text(1.62, 2.1, "body 2", color="white", ha="center", va="center", fontsize=8, rotation=84)
    x, y = np.array([0.3, 0.2]) + R @ [2.3, 0.04]
    arrow(ax, x, y, 0.55, 1.65, FORCE, 2)
    ax.text(x + 0.7, y + 1.8, "force", **(TEXT | {"color": FORCE}))
    shape = {"arrowstyle": "->", "color": FORCE, "lw": 2, "connectionstyle": "arc3,rad=0.7"}
    ax.annotate("", (x - 0.2, y + 1.1), (x + 0.75, y + 0.85), arrowprops=shape)
    ax.text(x + 1.25, y + 0.95, "couple", **(TEXT | {"color": FORCE}))
    axes_at(ax, x, y, np.degrees(slope), "xz", "#3d4757")
    ax.text(2.6, -0.4, r"rows: $T^T X\,(v_2 - v_1)$, axes of the frame", **TEXT)


def main() -> None:
    plt.rcParams.update({"svg.hashsalt": "constraints", "svg.fonttype": "none"})
    mpl.use("svg")
    figure, axes = plt.subplots(1, 2, figsize=(9.2, 3.5))
    for ax, draw in zip(axes, (points, frames), strict=True):
        draw(ax)
        ax.set(xlim=(-0.3, 5.3), ylim=(-0.6, 3.0), aspect="equal")
        ax.axis("off")
    figure.tight_layout()
    path = Path(__file__).parent.parent / "_static" / "constraints.svg"
    figure.savefig(path, transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
