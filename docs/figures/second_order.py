"""Draw three figures of Singh, Russell, Wensing (2023): Figs. 1, 6 and 13, in our numbering.

python docs/figures/second_order.py      writes bodies.svg, sweep.svg and flow.svg of docs/_static
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

STATIC = Path(__file__).parents[1] / "_static"
GREY, ORANGE, GREEN, VIOLET = "#7f8ca0", "#e08a1e", "#2a9d8f", "#7b6fd0"
PARENT = [-1, 0, 1, 0, 3, 3, 5]
PLACE = {-1: (0, 0), 0: (0, 1), 1: (-1.2, 2), 2: (-1.5, 3), 3: (1, 2), 4: (0.3, 3), 5: (1.7, 3),
         6: (2, 4)}  # fmt: skip


def tree(ax: Axes, title: str, colours: dict[int, str], names: dict[int, str]) -> None:
    """A tree of seven bodies, some of them coloured, with texts beside them."""
    ax.set_title(title, color=GREY, fontsize=10)
    for i, p in enumerate(PARENT):
        (x, y), (u, v) = PLACE[i], PLACE[p]
        ax.plot([x, u], [y, v], color=GREY, lw=1.5, zorder=1)
    for i, (x, y) in PLACE.items():
        ax.plot(x, y, "s" if i < 0 else "o", color=colours.get(i, GREY), ms=17, zorder=2)
        ax.text(x, y, f"{i}", color="white", ha="center", va="center", fontsize=9, zorder=3)
        ax.text(x + 0.4, y, names.get(i, ""), color=colours.get(i, GREY), va="center", fontsize=9)
    ax.set(xlim=(-2.2, 3.6), ylim=(-0.5, 4.5))
    ax.axis("off")


def bodies() -> None:
    """Fig. 1: the base, parents and ancestors of a body, and its subtree."""
    fig, (left, right) = plt.subplots(1, 2, figsize=(8.4, 3.3), layout="constrained")
    names = {-1: "fixed base", 0: r"$\lambda(3)$", 3: "i", 4: "child", 5: "child"}
    above, below = dict.fromkeys((0,), ORANGE), dict.fromkeys((3, 4, 5, 6), GREEN)
    tree(left, "fixed base: ancestors and subtree of body 3", above | below, names)
    names = {-1: "fixed base", 0: "floating base,\n6 variables"}
    tree(right, "floating base: body 0 has the joint Fb", {0: VIOLET}, names)
    save(fig, "bodies")


def sweep() -> None:
    """Fig. 6: i from the leaves to the root, j from i to the root, k from j to the root."""
    fig, panels = plt.subplots(1, 3, figsize=(8.4, 3.0), layout="constrained")
    paths = (6, 5, 4, 3, 2, 1, 0), (5, 3, 0), (3, 0)
    for ax, path, letter in zip(panels, paths, "ijk", strict=True):
        fixed = {"j": {5: "i"}, "k": {5: "i", 3: "j"}}.get(letter, {})
        colours = dict.fromkeys(path, GREEN) | dict.fromkeys(fixed, ORANGE)
        order = {n: f"{k}." for k, n in enumerate(path, 1)}
        names = {n: f"{fixed.get(n, '')} {order.get(n, '')}".strip() for n in {*fixed, *order}}
        start = {"i": "all bodies", "j": "i to the root", "k": "j to the root"}[letter]
        tree(ax, f"{letter}: {start}", colours, names)
    save(fig, "sweep")


BOXES = {
    "ID_derivatives\n(IDSVA)": (0, 1.6, GREEN),
    "ID_SO_derivatives\n(IDSVA-SO)": (4.4, 1.6, GREEN),
    "Hinverse": (0, 0.2, ORANGE),
    "FD_derivatives\n(FDSVA)": (2.2, 0.2, VIOLET),
    "FD_SO_derivatives\n(FDSVA-SO)": (6.6, 0.2, VIOLET),
}
LINKS = (
    (0, 3, ""),
    (2, 3, ""),
    (3, 4, "P, Q, $H^{-1}$"),
    (1, 4, r"$\partial^2\tau$, $\partial H$"),
)


def flow() -> None:
    """Fig. 13: which derivatives follow from which."""
    fig, ax = plt.subplots(figsize=(8.4, 2.6), layout="constrained")
    centres = []
    for text, (x, y, colour) in BOXES.items():
        ax.add_patch(FancyBboxPatch((x, y), 1.8, 0.8, "round,pad=0.05", fc=colour, ec="white"))
        ax.text(x + 0.9, y + 0.4, text, color="white", ha="center", va="center", fontsize=8.5)
        centres.append((x + 0.9, y + 0.4))
    for a, b, text in LINKS:
        (x, y), (u, v) = centres[a], centres[b]
        start = (x + 0.97, y) if y == v else (x + 0.5, y - 0.47)
        end = (u - 0.97, v) if y == v else (u - 0.5, v + 0.47)
        ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": GREY, "lw": 1.3})
        middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2 + 0.15
        ax.text(*middle, text, color=GREY, ha="left" if y != v else "center", fontsize=9)
    ax.set(xlim=(-0.2, 8.7), ylim=(0, 2.7))
    ax.axis("off")
    save(fig, "flow")


def save(fig: Figure, name: str) -> None:
    """Write a figure to a file of ``docs/_static``."""
    fig.savefig(STATIC / f"{name}.svg", metadata={"Date": None})
    plt.close(fig)


if __name__ == "__main__":
    mpl.rcParams.update({"svg.fonttype": "path", "svg.hashsalt": "spatial_v2"})
    bodies()
    sweep()
    flow()
