"""Move the arm UR5 from rest to rest in the best time, with bounded torques.

The cost is the time T and a small part of it the effort. For each T, `solve` finds the motion, and
`parameter_derivatives` the derivative of its cost with respect to T, which vanishes at the best
time: the secant method finds the zero. Each motion is the guess of the next. Needs the package
example-robot-data. Run it:

    python examples/optimal_control/minimum_time.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import ID, Animation, load_model, showmotion
from spatial_v2.control import (
    Bounds,
    ControlCost,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    Solution,
    StateCost,
    Trajectory,
    parameter_derivatives,
    solve,
)

N, EFFORT = 60, 0.2
MODEL = load_model("ur5")
LIMITS = np.array([70.0, 70.0, 70.0, 10.0, 10.0, 10.0])
START = np.array([0.0, -1.2, 1.4, -1.0, -1.5, 0.3])
GOAL = np.array([1.2, -0.6, 0.8, -0.5, -1.2, 1.0])
REST = np.zeros(MODEL.NV)
GUESS = Trajectory(
    START + np.linspace(0, 1, N + 1)[:, None] * (GOAL - START), REST, ID(MODEL, START, REST, REST)
)
"""The first guess: a straight line, which does not satisfy the dynamics."""
ENDS = [
    Bounds(JointPositions(MODEL), GOAL, GOAL),
    Bounds(JointVelocities(MODEL), 0.0, 0.0),
]


def problem(time: Any) -> ShootingProblem:
    """Return the problem of a motion that takes the given time, shape (1,)."""
    return ShootingProblem(
        MODEL, START, REST, np.full(N, time[0] / N), [ControlCost(EFFORT / LIMITS**2)],
        [StateCost(MODEL, GOAL, 1.0, 0.1)], lower=-LIMITS, upper=LIMITS, terminal_bounds=ENDS,
    )  # fmt: skip


def best(time: float = 0.6) -> list[tuple[float, float, Solution]]:
    """Return the iterates of the secant method: time, derivative of the whole cost with respect to
    it, and motion.

    The effort saved by another second is 1 at the best time; its logarithm is almost a linear
    function of the logarithm of the time.
    """
    steps: list[tuple[float, float, Solution]] = []
    guess: Any = GUESS
    power = -4.0
    while not steps or abs(steps[-1][1]) > 1e-8:
        guess = solve(problem([time]), guess, tolerance=1e-9)
        rate = 1 + float(parameter_derivatives(problem, [time], guess).cost[0])
        steps.append((time, rate, guess))
        if len(steps) > 1:
            (t0, r0, _), (t1, r1, _) = steps[-2:]
            power = np.log((1 - r1) / (1 - r0)) / np.log(t1 / t0)
        time *= max(0.85, (1 - rate) ** (-1 / power))
    return steps


def animation() -> Animation:
    """Animate the best motion."""
    time, _, found = best()[-1]
    return showmotion(MODEL, np.linspace(0, time, N + 1), found.trajectory.q)


if __name__ == "__main__":
    for time, rate, found in best():
        full = (np.abs(found.trajectory.u) == LIMITS).any(axis=1).mean()
        print(f"{time:.9f} s: derivative {rate:9.1e}, {found.iterations:2d} iterations,", end=" ")
        print(f"a torque is at its bound in {full:.0%} of the time")
    animation().save("minimum_time.gif")
