"""Swing a pole up with a cart of limited force: exact Hessians, and iLQR.

All instants of the motion are unknowns, and the derivatives at all of them are one call. The bounds
on the force are met in the Riccati recursion. Run it:

    python examples/optimal_control/cart_pole.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import Animation, Model, mcI, showmotion, xlt
from spatial_v2.control import ControlCost, ShootingProblem, Solution, StateCost, solve

N, H, LIMIT = 100, 0.03, 10.0
MODEL = Model(
    name="cart-pole",
    parent=[-1, 0],
    jtype=["Py", "Rx"],
    Xtree=[np.eye(6), xlt([0.0, 0.0, 0.0])],
    I=[mcI(1.0, [0, 0, 0], 0.01 * np.eye(3)), mcI(0.2, [0, 0, 0.5], 0.01 * np.eye(3))],
    gravity=[0, 0, -9.81],
)
PROBLEM = ShootingProblem(
    MODEL,
    [0.0, np.pi],
    [0.0, 0.0],
    np.full(N, H),
    [StateCost(MODEL, [0.0, 0.0], [0.1, 0.1], 0.01), ControlCost(0.02)],
    [StateCost(MODEL, [0.0, 0.0], 500.0, 50.0)],
    actuation=[[1.0], [0.0]],
    lower=-LIMIT,
    upper=LIMIT,
)


def swing(method: Any = "newton") -> Solution:
    """The motion that `solve` finds by a method, from a hanging pole at rest as the first guess."""
    return solve(PROBLEM, method=method, max_iterations=100)


def main(quick: bool = False) -> dict[str, float]:
    """Iterations and cost of each method."""
    report = {}
    for method in ("newton",) if quick else ("newton", "ddp", "ilqr"):
        found = swing(method)
        report[f"iterations, {method}"] = float(found.iterations)
        report[f"cost, {method}"] = float(found.cost)
        errors = [max(x.stationarity, x.infeasibility) for x in found.log]
        print(
            f"{method}: {found.status} after {found.iterations} iterations, cost {found.cost:.9f}"
        )
        print("  last errors:", *(f"{x:.0e}" for x in errors[-6:]))
    return report


def animation() -> Animation:
    """Animate the swing."""
    return showmotion(MODEL, H * np.arange(N + 1), swing().trajectory.q)


if __name__ == "__main__":
    main()
    animation().save("cart_pole.gif")
