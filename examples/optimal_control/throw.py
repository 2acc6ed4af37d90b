"""Throw a ball from an arm on a cart that rolls freely, so that it lands in a given place.

The cart has no motor: it recoils. The place where the ball lands depends on position and velocity
of the hand at the end of the motion. This place is a function written with CasADi; an equation
prescribes its value. Torques are bounded. Run it:

    python examples/optimal_control/throw.py
"""

from __future__ import annotations

from typing import Any

import casadi
import numpy as np

from spatial_v2 import Animation, Model, mcI, plnr, showmotion
from spatial_v2.control import (
    Bounds,
    ControlCost,
    FunctionQuantity,
    ShootingProblem,
    Solution,
    StateCost,
    solve,
)

N, H, L, G, UP, TARGET, LIMIT = 120, 0.005, 0.5, 9.81, 1.2, 6.0, 12.0
MODEL = Model(
    name="throwing cart",
    parent=[-1, 0, 1],
    jtype=["px", "r", "r"],
    Xtree=[plnr(0.0, [0.0, 0.0]), plnr(0.0, [0.0, UP]), plnr(0.0, [L, 0.0])],
    I=[mcI(4.0, [0.0, 0.0], 1.0)] + [mcI(1.0, [L / 2, 0.0], L**2 / 12)] * 2,
    gravity=[0.0, -G],
)
START = np.array([0.0, -np.pi / 2, 0.0])


def landing(q: Any, qd: Any, lib: Any = np) -> Any:
    """Return the x coordinate where a ball lands that is released in the state q, qd."""
    angles, rates = (q[1], q[1] + q[2]), (qd[1], qd[1] + qd[2])
    x, y, vx, vy = q[0], UP, qd[0], 0.0
    for a, w in zip(angles, rates, strict=True):
        x, y = x + L * lib.cos(a), y + L * lib.sin(a)
        vx, vy = vx - L * lib.sin(a) * w, vy + L * lib.cos(a) * w
    return x + vx * (vy + lib.sqrt(vy**2 + 2 * G * y)) / G


q, qd = casadi.SX.sym("q", 3), casadi.SX.sym("qd", 3)
PLACE = FunctionQuantity(MODEL, casadi.Function("landing", [q, qd], [landing(q, qd, casadi)]))
PROBLEM = ShootingProblem(
    MODEL,
    START,
    np.zeros(3),
    np.full(N, H),
    [ControlCost(1.0), StateCost(MODEL, START, 0.0, 0.1)],
    actuation=np.eye(3)[:, 1:],
    lower=-LIMIT,
    upper=LIMIT,
    method="rk4",
    terminal_bounds=[Bounds(PLACE, TARGET, TARGET)],
)


def throw(method: Any = "newton") -> Solution:
    """Return the motion that `solve` finds by a method, from the arm at rest as the first guess."""
    return solve(PROBLEM, method=method, max_iterations=300)


def animation() -> Animation:
    """Animate the motion up to the release."""
    return showmotion(MODEL, H * np.arange(N + 1), throw().trajectory.q)


if __name__ == "__main__":
    for method in ("newton", "ilqr"):
        found = throw(method)
        print(f"{method}: {found.status}, {found.iterations} iterations, cost {found.cost:.9f}")
    q, qd = found.trajectory.q[-1], found.trajectory.qd[-1]
    print(f"the ball lands at {landing(q, qd):.6f} m")
    animation().save("throw.gif")
