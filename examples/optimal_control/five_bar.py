"""Move a parallel mechanism: five bars, two motors, and a loop that a constraint closes.

Two arms with motors at their bases meet at a hinge, which is a constraint of the tree. The hinge
goes from one place to another in half a second and comes to rest there, with the least effort.
Rates of the motors are bounded, so that the motion has a phase of constant speed. Run it:

    python examples/optimal_control/five_bar.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import (
    Animation,
    ConstraintSet,
    Frame,
    Model,
    ball_loop,
    mcI,
    plnr,
    project_configuration,
    showmotion,
)
from spatial_v2.control import (
    Bounds,
    ContactPhase,
    ControlCost,
    FramePosition,
    JointVelocities,
    ShootingProblem,
    Solution,
    StateCost,
    solve,
)

N, H, L, GROUND, FASTEST = 50, 0.01, 0.4, 0.3, 1.6
MODEL = Model(
    name="five-bar",
    parent=[-1, 0, -1, 2],
    jtype=["r"] * 4,
    Xtree=[plnr(0.0, [x, 0.0]) for x in (0.0, L, GROUND, L)],
    I=[mcI(0.5, [L / 2, 0.0], 0.5 * L**2 / 12)] * 4,
    gravity=[0.0, -9.81],
)
LOOP = ConstraintSet(MODEL, [ball_loop(3, [L, 0.0], 1, [L, 0.0])])
START = project_configuration(MODEL, [2.4, -1.2, 0.8, 1.2], LOOP).q
PLACE = [0.4, 0.5]
TIP = FramePosition(MODEL, Frame(1, plnr(0.0, [L, 0.0])))
PROBLEM = ShootingProblem(
    MODEL,
    START,
    np.zeros(4),
    np.full(N, H),
    [ControlCost(1.0), StateCost(MODEL, START, 0.0, 0.1)],
    actuation=np.eye(4)[:, [0, 2]],
    phases=[ContactPhase(N, LOOP)],
    baumgarte=(100.0, 20.0),
    running_bounds=[Bounds(JointVelocities(MODEL), -FASTEST, FASTEST)],
    terminal_bounds=[Bounds(TIP, PLACE, PLACE)],
    terminal=[StateCost(MODEL, START, 0.0, 100.0)],
)


def reach(method: Any = "newton") -> Solution:
    """Return the motion that `solve` finds by a method, from the mechanism at rest as the first
    guess.
    """
    return solve(PROBLEM, method=method, max_iterations=300)


def animation() -> Animation:
    """Animate the motion."""
    return showmotion(MODEL, H * np.arange(N + 1), reach().trajectory.q)


if __name__ == "__main__":
    for method in ("newton", "ilqr"):
        found = reach(method)
        print(f"{method}: {found.status}, {found.iterations} iterations, cost {found.cost:.9f}")
    print("the hinge at the end:", TIP.value(found.trajectory).round(6)[-1])
    animation().save("five_bar.gif")
