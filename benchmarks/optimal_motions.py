"""Motions of ``examples/optimal_control``: convergence with exact Hessians and with Gauss-Newton's.

``python -m benchmarks optimal_motions`` solves each problem by `solve`, from the same guess.
"""

from __future__ import annotations

import argparse
import runpy
from collections.abc import Iterator

import numpy as np

from benchmarks import study
from benchmarks.results_file import Row
from spatial_v2.control import solve

FOLDER = study.ROOT / "examples" / "optimal_control"
NAMES = ("cart_pole", "acrobot", "five_bar", "hop", "trot", "biped", "throw")
METHODS = {"newton": "exact Hessian", "ilqr": "Gauss-Newton"}
MOST = 80


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each method, and one for each of its iterations."""
    for name in NAMES[:2] if args.fast else NAMES:
        e = runpy.run_path(str(FOLDER / f"{name}.py"), run_name="study")
        for method in ("newton", "ilqr"):
            found = solve(e["PROBLEM"], e.get("GUESS"), method, max_iterations=MOST)
            errors = [max(x.stationarity, x.infeasibility, x.violation) for x in found.log]
            key = {"motion": name, "method": METHODS[method]}
            yield key | {
                "iterations": found.iterations,
                "status": str(found.status),
                "cost": float(found.cost),
                "last": float(errors[-1]),
            }
            for k, x in enumerate(errors):
                yield key | {"iteration": k, "error": float(x)}


def draw(rows: list[Row], args: argparse.Namespace) -> None:
    """Draw the errors of the optimality conditions."""
    names = list(dict.fromkeys(r["motion"] for r in rows))
    fig, panels = study.figure(4, height=2 * 3.0, rows=2)
    for axes, name in zip(panels, names, strict=False):
        for colour, method in zip(study.COLOURS, METHODS.values(), strict=False):
            points = [
                (r["iteration"], r["error"])
                for r in rows
                if (r["motion"], r["method"]) == (name, method) and r.get("error", 0.0) > 0
            ]
            axes.semilogy(*np.transpose(points), "o-", ms=2.5, color=colour, label=method)
        axes.set_title(name.replace("_", " "))
    for axes in panels[len(names) :]:
        axes.set_visible(False)
    panels[0].legend(frameon=False, fontsize=8)
    study.save(fig, args, "optimal_motions")


def main() -> None:
    args = study.options(__doc__)
    draw(study.table("optimal_motions", args, measure), args)


if __name__ == "__main__":
    main()
