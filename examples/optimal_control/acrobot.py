"""Swing a double pendulum up by the motor of its elbow alone, with exact Hessians and with iLQR.

The motion is far from that of any linear model: no torque acts at the shoulder, so the arm has to
swing back and forth. Run it:

    python examples/optimal_control/acrobot.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import Animation, Model, mcI, showmotion, xlt
from spatial_v2.control import ControlCost, ShootingProblem, Solution, StateCost, solve

N, H = 100, 0.04
MODEL = Model(
    name="acrobot",
    parent=[-1, 0],
    jtype=["Ry", "Ry"],
    Xtree=[np.eye(6), xlt([0.0, 0.0, -1.0])],
    I=[mcI(1.0, [0, 0, -0.5], 0.08 * np.eye(3))] * 2,
)
PROBLEM = ShootingProblem(
    MODEL,
    [0.0, 0.0],
    [0.0, 0.0],
    np.full(N, H),
    [StateCost(MODEL, [np.pi, 0.0], 0.0, 0.1), ControlCost(0.1)],
    [StateCost(MODEL, [np.pi, 0.0], 100.0, 100.0)],
    actuation=[[0.0], [1.0]],
)


def swing(method: Any = "newton") -> Solution:
    """Return the motion that `solve` finds by a method, from the hanging arm as the first guess."""
    return solve(PROBLEM, method=method, max_iterations=300)


def animation() -> Animation:
    """Animate the swing."""
    return showmotion(MODEL, H * np.arange(N + 1), swing().trajectory.q)


if __name__ == "__main__":
    for method in ("newton", "ilqr"):
        found = swing(method)
        print(f"{method}: {found.status}, {found.iterations} iterations, cost {found.cost:.9f}")
        print(*(f"{max(x.stationarity, x.infeasibility):.0e}" for x in found.log[-8:]))
    animation().save("acrobot.gif")
