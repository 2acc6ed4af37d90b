"""One problem by `solve`, IPOPT and acados: iterations, times and convergence.

``python -m benchmarks solvers`` runs ``examples/optimal_control/solvers.py``: the reach of an arm
with limited torques. IPOPT takes the forward dynamics in C, with exact derivatives, or as an
expression of CasADi; acados, if ``comma-deps-acados`` is installed, is an SQP method with exact
Hessians or with those of Gauss and Newton. Times are processor times of
one thread.
"""

from __future__ import annotations

import argparse
import runpy
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from benchmarks import study
from benchmarks.results_file import Row

SCRIPT = study.ROOT / "examples" / "optimal_control" / "solvers.py"
PANELS = "solve", "IPOPT", "acados"
"""Beginnings of the names of solvers that share a panel of the figure."""
SHOWN = 100
"""Number of iterations that are drawn."""


def rounds(count: int) -> list[Any]:
    """Return the rows of the script with the shortest time of each solver in some rounds."""
    main = runpy.run_path(str(SCRIPT), run_name="study")["main"]
    best: dict[tuple[str, str], Any] = {}
    for _ in range(count):
        for row in main():
            old = best.setdefault((row.solver, row.hessian), row)
            best[row.solver, row.hessian] = min(old, row, key=lambda x: x.seconds)
    return list(best.values())


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each solver with each Hessian, and one for each of its iterations."""
    try:
        acados = {"acados": version("comma-deps-acados")}
    except PackageNotFoundError:
        acados = {}
    for row in rounds(1 if args.fast else 3):
        key = {"solver": row.solver, "Hessian": row.hessian}
        yield key | {
            "iterations": row.iterations, "seconds": row.seconds, "cost": row.cost,
            "status": row.status,
        } | (acados if row.solver.startswith("acados") else {})  # fmt: skip
        for k, error in enumerate(row.errors):
            yield key | {"iteration": k, "error": float(error)}


def draw(rows: list[Row], args: argparse.Namespace) -> None:
    """Draw the errors of each solver over its iterations."""
    fig, panels = study.figure(len(PANELS))
    for axes, name in zip(panels, PANELS, strict=True):
        own = [r for r in rows if r["solver"].startswith(name) and r.get("error", 0.0) > 0]
        lines = list(dict.fromkeys((r["solver"], r["Hessian"]) for r in own))
        for colour, line in zip(study.COLOURS, lines, strict=False):
            points = [
                (r["iteration"], r["error"])
                for r in own
                if (r["solver"], r["Hessian"]) == line and r["iteration"] <= SHOWN
            ]
            axes.semilogy(*zip(*points, strict=True), "o-", ms=2.5, color=colour)
        study.panel_legend(axes, [", ".join(line) for line in lines])
        axes.set_title(name)
        axes.set_xlabel("iteration")
    panels[0].set_ylabel("error of the optimality conditions")
    study.save(fig, args, "solvers")


def main() -> None:
    args = study.options(__doc__)
    draw(study.table("solvers", args, measure), args)


if __name__ == "__main__":
    main()
