"""A quadruped turns on its feet: DDP with exact Hessians, iLQR, and Crocoddyl on the same problem.

``python -m benchmarks ddp_contacts`` runs ``examples/optimal_control/ddp_contacts.py``. Crocoddyl's
wheel wants a Pinocchio of its own (4.0): it runs in the environment whose interpreter the variable
``CROCODDYL_PYTHON`` names (``pip install crocoddyl pin==4.0.0 libpinocchio==4.0.0``).
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import subprocess
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import study
from benchmarks.results_file import Row
from spatial_v2.io import example_robots

SCRIPT = study.ROOT / "examples" / "optimal_control" / "ddp_contacts.py"
PEER = Path(__file__).parent / "peers" / "crocoddyl_ddp.py"
METHODS = {"DDP, exact Hessian": True, "iLQR": False}


def problem(e: dict[str, Any], enough: float, repeats: int) -> dict[str, Any]:
    """Data of the problem for Crocoddyl."""
    (W_Q, W_V), n = (e[key] for key in ("W_Q", "W_V")), e["N"]
    return {
        "urdf": str(example_robots()["solo12"]),
        "joints": list(e["MODEL"].joint_names[1:]),
        "feet": [name for name in e["MODEL"].frames if name.endswith("FOOT")],
        "gains": e["GAINS"],
        "h": e["H"],
        "n": n,
        **{key.lower(): e[key].tolist() for key in ("START", "GOAL", "STAND")},
        "weights": {
            "legs": W_Q[0, -1],
            "v": W_V[0, 0],
            "u": e["W_U"],
            "trunk": W_Q[n, 0],
            "v_end": W_V[n, 0],
        },
        "enough": enough,
        "repeats": repeats,
    }


def crocoddyl(given: dict[str, Any]) -> list[Row]:
    """Results of Crocoddyl's solvers; None without its environment."""
    python = os.environ.get("CROCODDYL_PYTHON")
    if not python:
        print("  Crocoddyl is left out: CROCODDYL_PYTHON names no interpreter")
        return []
    environment = {key: x for key, x in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [python, str(PEER)], input=json.dumps(given), capture_output=True, text=True,
        check=True, env=environment,
    )  # fmt: skip
    rows: list[Row] = json.loads(done.stdout)
    return rows


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """A row for each method, and one for each of its iterations."""
    e, enough, repeats = runpy.run_path(str(SCRIPT)), 1e-14, 1 if args.fast else 3
    found: list[Row] = []
    for method, exact in METHODS.items():
        seconds = []
        for _ in range(repeats + 1):
            begin = perf_counter()
            promised, m = e["solve"](exact, enough=enough)
            seconds.append(perf_counter() - begin)
        found.append(
            {"method": method, "promised": promised, "cost": m.cost, "seconds": min(seconds[1:])}
        )
    found += crocoddyl(problem(e, enough, repeats))
    best = min(row["cost"] for row in found)
    for row in found:
        promised = row.pop("promised")
        yield {"iterations": len(promised), **row, "above the best": row["cost"] - best}
        for k, x in enumerate(promised):
            yield {"method": row["method"], "iteration": k, "promised": x}


def draw(rows: list[Row], args: argparse.Namespace) -> None:
    """Draw the convergence of each method."""
    fig, (axes,) = study.figure(1)
    methods = [row["method"] for row in rows if "cost" in row]
    for colour, method in zip(study.COLOURS, methods, strict=False):
        points = [
            (r["iteration"], r["promised"])
            for r in rows
            if r["method"] == method and r.get("promised", 0.0) > 0
        ]
        axes.semilogy(*zip(*points, strict=True), "o-", ms=3, color=colour, label=method)
    axes.set_title("Decrease of the cost that an iteration promises")
    axes.set_xlabel("iteration")
    axes.legend(frameon=False, fontsize=8)
    study.save(fig, args, "ddp_contacts")


def main() -> None:
    args = study.options(__doc__)
    draw(study.table("ddp_contacts", args, measure), args)


if __name__ == "__main__":
    main()
