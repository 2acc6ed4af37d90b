"""Optimal control by `solve`, and by Crocoddyl on the same problems.

A quadruped turns on its feet (``examples/optimal_control/ddp_contacts.py``), and an arm reaches for
a pose. Crocoddyl's wheel needs its own version of Pinocchio (4.0). It therefore runs in another
environment (``pip install crocoddyl pin==4.0.0 libpinocchio==4.0.0``), whose interpreter the
environment variable ``CROCODDYL_PYTHON`` names; the two libraries are measured alternately. Times
are processor times of one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.results_file import Row
from spatial_v2 import ID, configurationAddition, forward_kinematics, load_model
from spatial_v2.control import (
    ControlCost,
    FramePlacementCost,
    ShootingProblem,
    StateCost,
    Trajectory,
    solve,
)
from spatial_v2.io import example_robots

SCRIPT = study.ROOT / "examples" / "optimal_control" / "ddp_contacts.py"
PEER = Path(__file__).parent / "peers" / "crocoddyl_solvers.py"
ENOUGH, TOLERANCE = 1e-14, 1e-8
"""Stopping thresholds of Crocoddyl and of `solve`; below them no digit of the cost changes."""

Case = tuple[ShootingProblem, Trajectory, dict[str, Any]]


def quadruped() -> Case:
    """Return the problem of a quadruped's turn on four feet, with 40 intervals."""
    e = runpy.run_path(str(SCRIPT))
    given = {
        "urdf": str(example_robots()["solo12"]),
        "joints": list(e["MODEL"].joint_names[1:]),
        "feet": [name for name in e["MODEL"].frames if name.endswith("FOOT")],
        "gains": e["GAINS"],
        "h": e["H"],
        "n": e["N"],
        **{key.lower(): e[key].tolist() for key in ("START", "GOAL", "STAND")},
        "weights": {
            "legs": e["LEGS"],
            "v": e["SPEED"],
            "u": e["EFFORT"],
            "trunk": e["TRUNK"],
            "v_end": e["LAST_SPEED"],
        },
    }
    return e["PROBLEM"], e["GUESS"], given


def reach() -> Case:
    """Return the problem of a reach of the arm UR5, with 100 intervals."""
    model, n, h, frame = load_model("ur5"), 100, 0.01, "tool0"
    w = {"q": 0.01, "v": 0.01, "u": 1e-4, "v_end": 10.0, "pose": 1e4}
    start = np.array([0.0, -1.2, 1.4, -1.0, -1.5, 0.3])
    X = forward_kinematics(model, [1.2, -0.6, 0.8, -0.5, -1.2, 1.0], frame=frame).X0
    R, rest = X[:3, :3].T, np.zeros(6)
    r = -R @ X[3:, :3]
    u = ID(model, start, rest, rest)
    problem = ShootingProblem(
        model, start, rest, np.full(n, h),
        [StateCost(model, start, w["q"], w["v"]), ControlCost(w["u"])],
        [FramePlacementCost(model, frame, X, w["pose"]), StateCost(model, start, 0.0, w["v_end"])],
    )  # fmt: skip
    given = {
        "urdf": str(example_robots()["ur5"]),
        "start": start.tolist(),
        "frame": frame,
        "R": R.tolist(),
        "p": [r[2, 1], r[0, 2], r[1, 0]],
        "u": u.tolist(),
        "h": h,
        "n": n,
        "weights": w,
    }
    return problem, Trajectory(start, rest, u), given


CASES: dict[str, Callable[[], Case]] = {"quadruped": quadruped, "UR5": reach}
SEVERAL = 64


def crocoddyl(given: dict[str, Any]) -> list[Row]:
    """Return the results of Crocoddyl's solvers; an empty result if its environment is not
    installed.
    """
    python = os.environ.get("CROCODDYL_PYTHON")
    if not python:
        print("  Crocoddyl is left out: CROCODDYL_PYTHON names no interpreter")
        return []
    environment = {key: x for key, x in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(
        [python, str(PEER)], input=json.dumps(given), capture_output=True, text=True,
        check=True, env=environment | {"OMP_NUM_THREADS": "1"},
    )  # fmt: skip
    rows: list[Row] = json.loads(done.stdout)
    return rows


def timed(problem: ShootingProblem, guess: Trajectory, method: Any, repeats: int) -> Row:
    """Return the results of a method of `solve`, and the least time it took."""
    seconds = []
    for _ in range(repeats):
        begin = process_time()
        found = solve(problem, guess, method, tolerance=TOLERANCE, max_iterations=200)
        seconds.append(process_time() - begin)
    errors = [float(np.nanmax([x.stationarity, x.infeasibility])) for x in found.log]
    return {
        "method": method,
        "iterations": found.iterations,
        "cost": float(np.mean(found.cost)),
        "seconds": min(seconds),
        "errors": errors,
    }


def several(problem: ShootingProblem, guess: Trajectory, repeats: int) -> Row:
    """Return the results of Newton's method for many initial states at once."""
    model, rng = problem.model, np.random.default_rng(0)
    off = 0.02 * rng.normal(size=(SEVERAL, model.NV))
    q = configurationAddition(model, problem.q, off * (np.arange(model.NV) >= model.NV - 3))
    names = ("h", "running", "terminal", "actuation", "phases", "method", "baumgarte")
    same = {name: getattr(problem, name) for name in names}
    many = ShootingProblem(model, q, problem.qd, **same)
    row = timed(many, guess, "newton", repeats)
    return row | {"method": f"newton, {SEVERAL} at once", "seconds": row["seconds"] / SEVERAL}


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each method, and one for each of its iterations."""
    rounds, repeats = (1, 2) if args.fast else (4, 8)
    for name, make in CASES.items():
        problem, guess, given = make()
        best: dict[str, Row] = {}
        for _ in range(rounds):
            rows = [timed(problem, guess, "newton", repeats)]
            rows += crocoddyl(given | {"enough": ENOUGH, "repeats": repeats})
            rows += [timed(problem, guess, m, 1) for m in ("ddp", "ilqr")]
            rows.append(several(problem, guess, 1))
            for row in rows:
                old = best.setdefault(row["method"], row)
                old["seconds"] = min(old["seconds"], row["seconds"])
        for row in best.values():
            steps = row.pop("errors", []), row.pop("promised", [])
            yield (
                {"problem": name}
                | row
                | {"ms an iteration": 1e3 * row["seconds"] / row["iterations"]}
            )
            for kind, values in zip(("error", "promised"), steps, strict=True):
                for k, x in enumerate(values):
                    yield {"problem": name, "method": row["method"], "iteration": k, kind: x}


def draw(rows: list[Row], args: argparse.Namespace) -> None:
    """Draw the convergence of each method."""
    fig, panels = study.figure(len(CASES))
    for axes, name in zip(panels, CASES, strict=True):
        for colour, method in zip(study.COLOURS, ("newton", "ddp", "ilqr"), strict=False):
            points = [
                (r["iteration"], r["error"])
                for r in rows
                if (r["problem"], r["method"]) == (name, method) and r.get("error", 0.0) > 0
            ]
            axes.semilogy(*zip(*points, strict=True), "o-", ms=3, color=colour, label=method)
        axes.set_title(f"{name}: error of the optimality conditions")
        axes.set_xlabel("iteration")
        axes.legend(frameon=False, fontsize=8)
    study.save(fig, args, "control")


def main() -> None:
    args = study.options(__doc__)
    draw(study.table("control", args, measure), args)


if __name__ == "__main__":
    main()
