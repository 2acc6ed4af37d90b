"""Functions that the studies share: command line, models and states, tables of results, figures."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from benchmarks import results_file
from benchmarks.machine import pin_to_one_core
from benchmarks.results_file import Row
from spatial_v2 import Model
from spatial_v2.models import autoTree

__all__ = [
    "Row",
    "curves",
    "figure",
    "legend",
    "models",
    "options",
    "panel_legend",
    "save",
    "states",
    "table",
]

ROOT = Path(__file__).parents[1]
FAMILIES = {"serial chain": 1.0, "binary tree": 2.0}
"""Branching factor by name of the family."""
DASHES: dict[str, Any] = {
    "serial chain": "-",
    "binary tree": (0, (1.2, 1.2)),
    "tree of five": (0, (4, 1.5)),
}
COLOURS = ["#0b5fa5", "#d1495b", "#3a923a", "#8d5bb5", "#e08a00", "#4d4d4d"]
"""Colours of the lines of a figure, in the order of their names."""

FULL = {"repeats": 60, "budget": 0.002, "limit": 2.0}
FAST = {"repeats": 20, "budget": 0.001, "limit": 0.2}
"""Arguments of `benchmarks.timing.least`, by default and with ``--fast``."""


def options(
    doc: str | None,
    *,
    sizes: Sequence[int] = (),
    states: int = 1,
    robots: Sequence[str] = (),
    arguments: Sequence[str] | None = None,
) -> argparse.Namespace:
    """Parse the command line of a study: the cases to run, and the folders for results."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    if sizes:
        parser.add_argument("--sizes", type=int, nargs="+", default=sizes, help="number of bodies")
        parser.add_argument("--states", type=int, default=states, help="random states per model")
        angle = "angle between joint axes [rad]"
        parser.add_argument("--skew", type=float, default=np.pi / 2, help=angle)
        parser.add_argument("--seed", type=int, default=0)
    if robots:
        parser.add_argument("--robots", nargs="+", default=robots, help="see benchmarks/robots.py")
    parser.add_argument("--fast", action="store_true", help="fewer and shorter rounds")
    parser.add_argument("--name", help="name of the file of results; default: that of the study")
    parser.add_argument("--results", type=Path, default=results_file.FOLDER)
    parser.add_argument("--figures", type=Path, default=ROOT / "docs" / "_static" / "studies")
    parser.add_argument("--redraw", action="store_true", help="draw the figures only")
    parser.add_argument("--dry", action="store_true", help="print only, write no files")
    args = parser.parse_args(arguments)
    args.effort = FAST if args.fast else FULL
    return args


def models(args: argparse.Namespace) -> Iterator[tuple[str, Model]]:
    """Yield trees of revolute joints of every family and size, ``--skew`` between their axes."""
    for n in args.sizes:
        for family, bf in FAMILIES.items():
            yield family, autoTree(n, bf, args.skew)


def states(args: argparse.Namespace, model: Model) -> np.ndarray:
    """Return random q in [-pi, pi] and two vectors in [-1, 1] as an array (states, 3, NV)."""
    rng = np.random.default_rng([args.seed, model.NV])
    return rng.uniform(-1, 1, (args.states, 3, model.NV)) * [[np.pi], [1], [1]]


def table(
    name: str,
    args: argparse.Namespace,
    measure: Callable[..., Iterable[Row]],
    show: Callable[[Row], str] = lambda row: "  ".join(map(str, row.values())),
) -> list[Row]:
    """Print the rows that ``measure(args)`` yields, and write them to ``name.json``.

    With ``--redraw`` the rows are read from that file instead.
    """
    name = args.name or name
    if args.redraw:
        return results_file.rows(name, args.results)
    pin_to_one_core()
    rows = []
    for row in measure(args):
        rows.append(results_file.rounded(row))
        print(show(rows[-1]), flush=True)
    if not args.dry:
        kept = ("name", "results", "figures", "redraw", "dry")
        used = {key: value for key, value in vars(args).items() if key not in kept}
        results_file.write(name, rows, used, args.results)
    return rows


def figure(columns: int, *, height: float = 3.3, rows: int = 1) -> tuple[Figure, list[Axes]]:
    """Create panels side by side, in rows of the width of a page."""
    plt.rcParams.update(
        {
            "font.size": 9,
            "axes.titlesize": 9.5,
            "axes.titleweight": "bold",
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.grid": True,
            "grid.color": "#e4e4e4",
            "grid.linewidth": 0.6,
            "lines.linewidth": 1.5,
            "lines.markersize": 3.5,
            "svg.fonttype": "path",
            "svg.hashsalt": "spatial_v2",
        }
    )
    size = (8.4, height)
    fig, axes = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False)
    return fig, list(axes.ravel())


def curves(
    axes: Axes, rows: list[Row], y: str, names: Iterable[str], *, key: str = "method"
) -> None:
    """Plot y against N: a colour for each of `names` (values of `key`), dotted for binary trees."""
    for colour, name in zip(COLOURS, names, strict=False):
        for family, dashes in DASHES.items():
            chosen = [r for r in rows if r[key] == name and r["family"] == family]
            points = [[r["n"] for r in chosen], [r[y] for r in chosen]]
            axes.loglog(*points, color=colour, linestyle=dashes, marker="o")
    sizes = [row["n"] for row in rows]
    ticks = [n for n in (2, 5, 10, 20, 50, 100, 200, 500, 1000) if min(sizes) <= n <= max(sizes)]
    axes.set_xticks(ticks, [str(n) for n in ticks])
    axes.minorticks_off()
    axes.set_xlabel("number of bodies N")


def legend(fig: Figure, names: Iterable[str], families: Iterable[str] = tuple(FAMILIES)) -> None:
    """Draw the legend of colours and dashes, in one line above the panels."""
    lines = [Line2D([], [], color=c, label=n) for c, n in zip(COLOURS, names, strict=False)]
    for family in families:
        lines.append(Line2D([], [], color="0.45", linestyle=DASHES[family], label=family))
    fig.legend(
        handles=lines,
        loc="outside upper center",
        ncols=len(lines),
        frameon=False,
        fontsize=8.5,
        handlelength=1.6,
        columnspacing=1.1,
    )


def panel_legend(axes: Axes, names: Iterable[str]) -> None:
    """Draw a legend of colours inside one panel, whose names differ from those of the others."""
    lines = [Line2D([], [], color=c, label=n) for c, n in zip(COLOURS, names, strict=False)]
    axes.legend(handles=lines, frameon=False, fontsize=7.5, handlelength=1.4)


def save(fig: Figure, args: argparse.Namespace, name: str) -> None:
    """Write a figure to ``name.svg``."""
    if args.dry:
        return
    args.figures.mkdir(parents=True, exist_ok=True)
    fig.savefig(args.figures / f"{name}.svg", metadata={"Date": None})
    plt.close(fig)
