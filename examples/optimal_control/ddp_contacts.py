"""Turn the trunk of a quadruped on its four feet, with exact Hessians and without.

Constraints hold the feet, and the trunk moves on its Lie group. Newton's method steps in all
instants at once: the derivatives of all intervals, `modKKT_second_derivatives` among them, are one
call each. DDP computes the same Hessians backwards, instant after instant, and follows the motion
with its feedback; without the Hessians of the dynamics that is iLQR, which converges linearly
instead of quadratically. Needs the package example-robot-data. Run it:

    python examples/optimal_control/ddp_contacts.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import (
    ID,
    Animation,
    ConstraintSet,
    configurationAddition,
    constraint_jacobian,
    load_model,
    neutral,
    point_contact,
    showmotion,
)
from spatial_v2.control import (
    ContactPhase,
    ControlCost,
    ShootingProblem,
    Solution,
    StateCost,
    Trajectory,
    solve,
)

MODEL = load_model("solo12", floating_base=True)
FEET = ConstraintSet(MODEL, [point_contact(f) for f in MODEL.frames if f.endswith("FOOT")])
NV, NU, N, H = MODEL.NV, MODEL.NV - 6, 40, 0.01
GAINS = (0.0, 50.0)
DRIVEN = np.eye(NV)[:, 6:]
START = neutral(MODEL)
START[7:] = np.concatenate([np.tile([0.0, 0.8, -1.6], 2), np.tile([0.0, -0.8, 1.6], 2)])
GOAL = configurationAddition(MODEL, START, [0.2, -0.1, 0.4, 0.04, -0.03, 0.03, *np.zeros(NU)])
HELD = np.hstack([DRIVEN, constraint_jacobian(MODEL, START, FEET).T])
STAND = np.linalg.lstsq(HELD, ID(MODEL, START, np.zeros(NV), np.zeros(NV)), rcond=None)[0][:NU]
LEGS, SPEED, EFFORT, TRUNK, LAST_SPEED = 0.01, 0.01, 1.0, 1e3, 10.0
"""Weights of the squared distances of legs and of the trunk from the goal, velocities, torques
relative to `STAND`, and final velocities.
"""

PROBLEM = ShootingProblem(
    MODEL,
    START,
    np.zeros(NV),
    np.full(N, H),
    running=[
        StateCost(MODEL, GOAL, np.repeat([0.0, LEGS], [6, NU]), SPEED),
        ControlCost(EFFORT, STAND),
    ],
    terminal=[StateCost(MODEL, GOAL, np.repeat([TRUNK, 0.0], [6, NU]), LAST_SPEED)],
    actuation=DRIVEN,
    phases=[ContactPhase(N, FEET)],
    baumgarte=GAINS,
)
GUESS = Trajectory(START, np.zeros(NV), STAND)
"""The first guess: the robot stands still."""


def turn(method: Any = "newton", **options: Any) -> Solution:
    """The turn of least cost, found by a method of `solve`."""
    return solve(PROBLEM, GUESS, method, **options)


def animation(found: Solution | None = None) -> Animation:
    """Animate a given motion, by default the optimal one."""
    q = (found or turn()).trajectory.q
    return showmotion(MODEL, H * np.arange(N + 1), q, overlays=["com"])


if __name__ == "__main__":
    turn(max_iterations=1)
    for method in ("newton", "ddp", "ilqr"):
        found = turn(method)
        print(f"{method}: {found.status}, {found.iterations} iterations, cost {found.cost:.12f},")
        print(f"  {found.log[-1].seconds:.2f} s, errors of the optimality conditions:")
        print(" ", *(f"{max(x.stationarity, x.infeasibility):.0e}" for x in found.log))
    animation().save("ddp_contacts.gif")
