"""Optimal control by the scripts in ``examples/optimal_control``: iterations, times, convergence.

``python -m benchmarks optimal_control`` runs them in full and draws how they converge.
"""

from __future__ import annotations

import argparse
import runpy
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.results_file import Row

FOLDER = study.ROOT / "examples" / "optimal_control"
NAMES = {True: "exact Hessian", False: "limited-memory BFGS"}


def example(name: str) -> dict[str, Any]:
    """What a script defines."""
    return runpy.run_path(str(FOLDER / f"{name}.py"), run_name="study")


def transcription(quick: bool) -> Iterator[Row]:
    """The swing of an arm, by IPOPT."""
    e = example("transcription")
    for knots in (10,) if quick else (25, 100):
        for exact, method in NAMES.items():
            for _ in range(2):
                programme, s = e["solve"](
                    e["START"], e["GOAL"], e["LIMIT"], knots=knots, exact=exact
                )
            key = {"example": "transcription", "method": method, "knots": knots}
            yield key | {
                "iterations": s.iterations,
                "seconds": s.seconds,
                "objective": s.objective,
                "missing": float(np.abs(programme.constraints(s.x)).max()),
                "status": s.status,
            }
            for k, x in enumerate(s.history["inf_du"]):
                yield key | {"iteration": k, "infeasibility": x}


def lift(quick: bool) -> Iterator[Row]:
    """Bend and lift, by SQP."""
    e = example("lift")
    for weight in e["WEIGHTS"][-1:] if quick else e["WEIGHTS"]:
        problem = e["Lift"](weight, 10 if quick else 40)
        best, _, _ = e["solve"](problem, problem.guess(), newton=True, steps=25, tolerance=0.0)
        for method, options in e["METHODS"].items():
            begin = time.perf_counter()
            w, _, history = e["solve"](problem, problem.guess(), **options)
            key = {"example": "lift", "method": method, "weight": f"{weight:g} kg"}
            yield key | {
                "iterations": len(history) - 1,
                "seconds": time.perf_counter() - begin,
                "hip": e["hip"](problem, w),
                "error": float(np.abs(w - best).max()),
            }
            for k, x in enumerate(history):
                yield key | {"iteration": k, "distance": float(np.linalg.norm(x - best))}


def reports(quick: bool) -> Iterator[Row]:
    """What the other scripts say."""
    for name in ("balance", "whole_body"):
        begin = time.perf_counter()
        for quantity, value in example(name)["main"](quick).items():
            yield {"example": name, "quantity": quantity, "value": value}
        yield {"example": name, "quantity": "seconds", "value": time.perf_counter() - begin}


def measure(args: argparse.Namespace) -> Iterator[Row]:
    for part in (transcription, lift, reports):
        yield from part(args.fast)


def draw(rows: list[Row], args: argparse.Namespace) -> None:
    """How each method converges."""
    fig, (left, right) = study.figure(2)
    knots = max(row["knots"] for row in rows if row["example"] == "transcription")
    weight = [row["weight"] for row in rows if row["example"] == "lift"][-1]
    panels = (
        (left, "infeasibility", {"knots": knots}, "Swing of an arm: dual infeasibility"),
        (right, "distance", {"weight": weight}, f"Lift of {weight}: distance to the solution"),
    )
    for axes, column, chosen, title in panels:
        kept = [r for r in rows if r.get(column) and chosen.items() <= r.items()]
        methods = dict.fromkeys(r["method"] for r in kept)
        for colour, method in zip(study.COLOURS, methods, strict=False):
            points = [(r["iteration"], r[column]) for r in kept if r["method"] == method]
            axes.semilogy(*zip(*points, strict=True), "o-", color=colour, label=method)
        axes.set_title(title)
        axes.set_xlabel("iteration")
        axes.legend(frameon=False, fontsize=8)
    study.save(fig, args, "optimal_control")


def main() -> None:
    args = study.options(__doc__)
    draw(study.table("optimal_control", args, measure), args)


if __name__ == "__main__":
    main()
