"""Best steps of finite differences of ID, and errors around them (paper 000, Figs. 21 to 23).

Run from the root of the repository: ``python -m benchmarks.paper_000.step_sizes``. Errors are
relative to IDSVA-SO, which `accuracy_id_so` shows to be more than four digits better than any
difference.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Callable, Iterator, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.contour import QuadContourSet

from benchmarks import study
from derivatives import ID_SO_derivatives
from derivatives.reference import finite_diff_1, finite_diff_2, optimal_step

STEPS_1 = np.logspace(-5, -2, 10).tolist()
STEPS_2 = np.logspace(-7, -3, 17).tolist()
CONTOUR_SIZE = 50


def search(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for every model, method and step; errors are over all states together."""
    for family, model in study.models(args):
        state = np.moveaxis(study.states(args, model), 1, 0)
        truth = ID_SO_derivatives(model, *state)

        def first(h: float, k: float) -> Sequence[np.ndarray]:
            return finite_diff_1(model, *state, h=h, k=k)  # noqa: B023

        def second(h: float) -> Sequence[np.ndarray]:
            return finite_diff_2(model, *state, h=h)  # noqa: B023

        steps: dict[Callable[..., Sequence[np.ndarray]], Iterator[tuple[float, ...]]]
        steps = {first: itertools.product(STEPS_1, STEPS_1), second: ((h,) for h in STEPS_2)}
        for method, name in ((first, "Finite-Diff-1"), (second, "Finite-Diff-2")):
            found = optimal_step(method, truth, steps[method])
            for tried, error in found.tried.items():
                row = {"family": family, "n": model.NB, "method": name, "h": tried[0]}
                yield row | {"k": tried[-1], "rmsre": error, "best": int(tried == found.steps)}


def grid(rows: list[study.Row], x: str, y: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values of x and y, and log10 of the error as a function of both."""
    xs, ys = (sorted({row[name] for row in rows}) for name in (x, y))
    error = {(row[x], row[y]): np.log10(row["rmsre"]) for row in rows}
    return np.array(xs), np.array(ys), np.array([[error[a, b] for a in xs] for b in ys])


def contours(
    axes: Axes, rows: list[study.Row], x: str, y: str, levels: np.ndarray
) -> QuadContourSet:
    """Draw filled contours of log10 RMSRE, and the best steps."""
    X, Y, Z = grid(rows, x, y)
    filled = axes.contourf(X, Y, Z, levels=levels, cmap="Blues", extend="both")
    axes.contour(X, Y, Z, levels=levels[::2], colors="white", linestyles="-", linewidths=0.7)
    best = [row for row in rows if row["best"]]
    points = [row[x] for row in best], [row[y] for row in best]
    axes.plot(*points, "o", color="#d1495b", markersize=4.5, clip_on=False)
    axes.set(xscale="log", yscale="log", xlabel=x, ylabel=y)
    axes.minorticks_off()
    axes.grid(False)
    return filled


def main() -> None:
    args = study.options(__doc__, sizes=[2, 5, 10, 20, 30, CONTOUR_SIZE], states=1)
    rows = study.table("step_sizes", args, search)
    by_method = {m: [r for r in rows if r["method"] == f"Finite-Diff-{m}"] for m in (1, 2)}

    fig, (steps, around) = study.figure(2)
    best = [row for row in by_method[1] if row["best"]]
    names = ["h", "k"]
    both = [row | {"step": row[name], "which": name} for row in best for name in names]
    steps.axhspan(1e-4, 1e-3, color="0.93")
    study.curves(steps, both, "step", names, key="which")
    steps.set(title="Finite-Diff-1: best steps", ylabel="step", ylim=(1e-5, 1e-2))
    chain = [r for r in by_method[1] if r["family"] == "serial chain" and r["n"] == max(args.sizes)]
    filled = contours(around, chain, "h", "k", np.arange(-7, -2.9, 0.5))
    around.set(title=f"Finite-Diff-1: error, chain of {max(args.sizes)}")
    fig.colorbar(filled, ax=around, label="log₁₀ RMSRE")
    study.legend(fig, names)
    study.save(fig, args, "step_sizes_1")

    fig, panels = study.figure(2)
    for axes, family in zip(panels, ("serial chain", "binary tree"), strict=True):
        chosen = [row for row in by_method[2] if row["family"] == family]
        filled = contours(axes, chosen, "n", "h", np.arange(-11, -5.9, 0.5))
        axes.set_xticks(args.sizes, [str(n) for n in args.sizes])
        axes.set(xlabel="number of bodies N", title=f"Finite-Diff-2: error, {family}")
    fig.colorbar(filled, ax=panels, label="log₁₀ RMSRE")
    study.save(fig, args, "step_sizes_2")


if __name__ == "__main__":
    main()
