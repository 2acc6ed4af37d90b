"""Optimal control by `solve`, and by Crocoddyl and IPOPT on the same problems.

A quadruped turns on its feet (``examples/optimal_control/ddp_contacts.py``), an arm reaches for a
pose, and a humanoid on two feet reaches with its arm. A controller does one iteration at each call.
Crocoddyl's wheel needs its own version of Pinocchio (4.0). It therefore runs in another
environment (``pip install crocoddyl pin==4.0.0 libpinocchio==4.0.0``), whose interpreter the
environment variable ``CROCODDYL_PYTHON`` names; the two libraries are measured alternately. IPOPT,
which CasADi installs, solves the programs that `transcribe` makes, with their exact derivatives.
Times are processor times of one thread.
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
from spatial_v2 import (
    ID,
    ConstraintSet,
    configurationAddition,
    constraint_jacobian,
    forward_kinematics,
    load_model,
    neutral,
    surface_contact,
    xlt,
)
from spatial_v2.control import (
    ContactPhase,
    ControlCost,
    FramePlacementCost,
    ModelPredictiveControl,
    ShootingProblem,
    StateCost,
    Trajectory,
    solve,
    transcribe,
)
from spatial_v2.interop.ipopt import solve_ipopt
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


def balance() -> Case:
    """Return the problem of Talos, which stands on two feet and reaches with an arm, 40 intervals.

    Both feet hold the ground; the robot ends near the posture from which it starts.
    """
    model, n, h, frame = load_model("talos_reduced", floating_base=True), 40, 0.02, HAND
    nu, names = model.NV - 6, [f"{side}_sole_link" for side in ("left", "right")]
    w = {"base": 0.1, "legs": 0.1, "v": 0.1, "u": 1e-4, "trunk": 1.0, "v_end": 10.0, "pose": 1e4}
    q, rest = neutral(model), np.zeros(model.NV)
    for name, angle in BENT.items():
        for k, joint in enumerate(model.joint_names):
            if joint in (f"leg_left_{name}_joint", f"leg_right_{name}_joint"):
                q[model.qinds[k]] = angle
    for side, sign in (("left", 1.0), ("right", -1.0)):
        at = model.joint_names.index(f"arm_{side}_4_joint")
        q[model.qinds[at]], q[model.qinds[at - 2]] = -1.0, 0.3 * sign
    feet = ConstraintSet(model, [surface_contact(name) for name in names])
    drive, gains = np.eye(model.NV)[:, 6:], (0.0, 50.0)
    held = np.hstack([drive, constraint_jacobian(model, q, feet).T])
    stand = np.linalg.lstsq(held, ID(model, q, rest, rest), rcond=None)[0][:nu]
    now = forward_kinematics(model, q, frame=frame).X0
    X = now @ xlt([0.15, -0.1, 0.15])
    R = X[:3, :3].T
    r = -R @ X[3:, :3]
    kept = np.repeat([w["base"], w["legs"]], [6, nu])
    problem = ShootingProblem(
        model, q, rest, np.full(n, h),
        [StateCost(model, q, kept, w["v"]), ControlCost(w["u"], stand)],
        [StateCost(model, q, np.repeat([w["trunk"], 0.0], [6, nu]), w["v_end"]),
         FramePlacementCost(model, frame, X, w["pose"])],
        actuation=drive, phases=[ContactPhase(n, feet)], baumgarte=gains,
    )  # fmt: skip
    given = {
        "urdf": str(example_robots()["talos_reduced"]), "joints": list(model.joint_names[1:]),
        "feet": names, "gains": gains, "h": h, "n": n, "start": q.tolist(), "goal": q.tolist(),
        "stand": stand.tolist(), "frame": frame, "R": R.tolist(),
        "p": [r[2, 1], r[0, 2], r[1, 0]], "weights": w,
    }  # fmt: skip
    return problem, Trajectory(q, rest, stand), given


HAND = "gripper_left_base_link"
BENT = {"3": -0.4, "4": 0.8, "5": -0.4}
CASES: dict[str, Callable[[], Case]] = {"quadruped": quadruped, "UR5": reach, "Talos": balance}
DRAWN = ("newton", "ddp", "ilqr", "IPOPT", "Crocoddyl SolverFDDP")
"""Methods whose convergence is drawn."""
SHOWN = 60
"""Number of iterations that are drawn."""
CALLS, HORIZON, PUSH = 200, 20, 1e-3
"""Calls of the controller, intervals of its horizon, and disturbance of the velocities."""
SEVERAL, LARGE = 64, 30
"""Number of problems solved at once, and number of velocity variables from which this is not
measured.
"""


def crocoddyl(given: dict[str, Any]) -> list[Row]:
    """Return the results of Crocoddyl's solvers; an empty list if its environment is
    not installed.
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
    """Return the results of a method of `solve`, and the shortest time that it took."""
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


def ipopt(problem: ShootingProblem, guess: Trajectory, repeats: int) -> Row:
    """Return the results of IPOPT from the same guess, and the shortest time that it took."""
    seconds = []
    for _ in range(repeats):
        program = transcribe(problem, guess)
        x = program.unknowns(guess)
        begin = process_time()
        found = solve_ipopt(program, x, program.bounds, program.limits, tol=TOLERANCE, max_iter=200)
        seconds.append(process_time() - begin)
    both = zip(found.history["inf_pr"], found.history["inf_du"], strict=True)
    return {
        "method": "IPOPT",
        "iterations": found.iterations,
        "cost": found.objective,
        "seconds": min(seconds),
        "errors": [max(x) for x in both],
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


def called(control: ModelPredictiveControl, q: np.ndarray, method: str) -> Row:
    """Return the shortest time of a call of a controller, which does one iteration."""
    seconds, rng = [], np.random.default_rng(0)
    for _ in range(CALLS):
        qd, begin = PUSH * rng.normal(size=control.trajectory.qd.shape[-1]), process_time()
        command = control.step(q, qd)
        seconds.append(process_time() - begin)
    return {"method": method, "iterations": 1, "cost": command.cost, "seconds": min(seconds)}


def predictive(rounds: int) -> Iterator[Row]:
    """Yield the shortest times of calls of model predictive controllers, with and without line
    search and second derivatives of the dynamics.
    """
    problem, guess, given = quadruped()
    names = ("running", "terminal", "actuation", "baumgarte")
    phases = [ContactPhase(HORIZON, problem.phases[0].constraints)]
    short = ShootingProblem(
        problem.model, problem.q, problem.qd, np.full(HORIZON, problem.h[0]), phases=phases,
        **{name: getattr(problem, name) for name in names},
    )  # fmt: skip
    motion = solve(short, guess)
    kinds = {
        "newton": (True, True),
        "newton without line search": (False, True),
        "Gauss-Newton without line search": (False, False),
    }
    controls = {name: ModelPredictiveControl(short, motion, *kind) for name, kind in kinds.items()}
    best: dict[str, Row] = {}
    for _ in range(rounds):
        rows = [called(control, problem.q, name) for name, control in controls.items()]
        for new in (*rows, *crocoddyl(given | {"n": HORIZON, "calls": CALLS, "push": PUSH})):
            old = best.setdefault(new["method"], new)
            old["seconds"] = min(old["seconds"], new["seconds"])
    for row in best.values():
        row.pop("promised", None)
        time = {"ms an iteration": 1e3 * row["seconds"]}
        yield {"problem": f"quadruped, a call, {HORIZON} intervals"} | row | time


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each problem and method, and one for each iteration."""
    rounds, repeats = (1, 2) if args.fast else (4, 8)
    yield from predictive(rounds)
    for name, make in CASES.items():
        problem, guess, given = make()
        best: dict[str, Row] = {}
        for _ in range(rounds):
            rows = [timed(problem, guess, "newton", repeats)]
            rows += crocoddyl(given | {"enough": ENOUGH, "repeats": repeats})
            rows += [timed(problem, guess, m, 1) for m in ("ddp", "ilqr")]
            rows.append(ipopt(problem, guess, 1))
            if problem.model.NV < LARGE:
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
    """Draw the error of each method over its iterations; of Crocoddyl, which tells none, the root
    of the decrease that a step promises.
    """
    fig, panels = study.figure(len(CASES))
    for axes, name in zip(panels, CASES, strict=True):
        for colour, method in zip(study.COLOURS, DRAWN, strict=False):
            own = [r for r in rows if (r["problem"], r["method"]) == (name, method)]
            points = [(r["iteration"], r["error"]) for r in own if r.get("error", 0.0) > 0]
            points += [
                (r["iteration"], r["promised"] ** 0.5) for r in own if r.get("promised", 0.0) > 0
            ]
            if points:
                points = points[: SHOWN + 1]
                axes.semilogy(*zip(*points, strict=True), "o-", ms=3, color=colour)
        axes.set_title(name)
        axes.set_xlabel("iteration")
    study.legend(fig, DRAWN, families=())
    panels[0].set_ylabel("error of the optimality conditions")
    study.save(fig, args, "control")


def main() -> None:
    args = study.options(__doc__)
    draw(study.table("control", args, measure), args)


if __name__ == "__main__":
    main()
