"""Convergence of SQP for bending down and lifting three weights (paper 001, Sec. 4.3 and Fig. 3).

Run from the root of the repository: ``python -m benchmarks.paper_001.lift``. The problem is that of
``examples/optimal_control/lift.py``. Differences cannot meet the tolerance of the script, so steps
are counted to tolerances that they meet as well: until the largest entry of a step is below it.
Seconds are of processor time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from benchmarks import study
from benchmarks.optimal_control import example
from benchmarks.results_file import Row

TOLERANCES = (1e-2, 1e-3, 1e-4)
"""Tolerances for the largest entry of the last step, in radians, metres and units of torque."""


def steps_to(history: Sequence[np.ndarray], tolerance: float) -> int | None:
    """Return the number of steps until one is shorter than the tolerance; None if none is."""
    lengths = [np.abs(b - a).max() for a, b in pairwise(history)]
    return next((k for k, x in enumerate(lengths, 1) if x < tolerance), None)


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each weight and method, and one for each iterate."""
    e = example("lift")
    for weight in e["WEIGHTS"]:
        problem = e["Lift"](weight, args.knots)
        best, _, _ = e["solve"](problem, problem.guess(), newton=True, steps=25, tolerance=0.0)
        for method, options in e["METHODS"].items():
            begin = time.process_time()
            w, _, history = e["solve"](problem, problem.guess(), **options)
            key = {"weight": f"{weight:g} kg", "method": method}
            yield (
                key
                | {
                    "iterations": len(history) - 1,
                    "seconds": time.process_time() - begin,
                    "hip": e["hip"](problem, w),
                    "error": float(np.abs(w - best).max()),
                }
                | {f"steps to {x:g}": steps_to(history, x) for x in TOLERANCES}
            )
            for k, x in enumerate(history):
                distance = {"distance": float(np.linalg.norm(x - w))}
                yield (
                    key | {"iteration": k} | distance | {"to best": float(np.linalg.norm(x - best))}
                )


def main() -> None:
    args = study.options(__doc__)
    args.knots = 10 if args.fast else 40
    rows = study.table("lift", args, measure)

    weights = list(dict.fromkeys(row["weight"] for row in rows))
    methods = list(dict.fromkeys(row["method"] for row in rows))
    fig, panels = study.figure(len(weights), height=2.9)
    for axes, weight in zip(panels, weights, strict=True):
        for colour, method in zip(study.COLOURS, methods, strict=False):
            mine = [r for r in rows if (r["weight"], r["method"]) == (weight, method)]
            points = [(r["iteration"], r["distance"]) for r in mine if r.get("distance")]
            axes.semilogy(*zip(*points, strict=True), "o-", color=colour)
        axes.set(title=weight, xlabel="iteration")
        axes.minorticks_off()
    panels[0].set(ylabel="distance to the final iterate")
    study.legend(fig, methods, families=())
    study.save(fig, args, "lift")


if __name__ == "__main__":
    main()
