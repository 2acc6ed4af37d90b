"""Keep a pole up on a cart that is pushed: model predictive control, an iteration a step.

At each step the controller computes the force from the measured state and moves its horizon on by
one step. The motion found in one call is the first guess of the next. Run it:

    python examples/optimal_control/cart_pole_mpc.py
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2 import Animation, Model, showmotion
from spatial_v2.control import (
    ControlCost,
    ModelPredictiveControl,
    ShootingProblem,
    StateCost,
    solve,
    time_step,
)

MODEL: Model = runpy.run_path(str(Path(__file__).parent / "cart_pole.py"))["MODEL"]
N, H, LIMIT = 40, 0.02, 10.0
UP = StateCost(MODEL, [0.0, 0.0], [1.0, 10.0], [0.1, 0.1])
LAST = StateCost(MODEL, [0.0, 0.0], [10.0, 100.0], [1.0, 10.0])
PROBLEM = ShootingProblem(
    MODEL,
    [0.0, 0.3],
    [0.0, 0.0],
    np.full(N, H),
    [UP, ControlCost(0.01)],
    [LAST],
    actuation=[[1.0], [0.0]],
    lower=-LIMIT,
    upper=LIMIT,
)
PUSH, WHEN = 15.0, range(60, 65)
"""Force on the cart [N], and the steps during which it acts."""


def balance(steps: int = 200) -> dict[str, Any]:
    """States (steps + 1, 2), forces (steps, 1) and times of the calls (steps,) [s]."""
    control, states, forces, seconds = ModelPredictiveControl(PROBLEM, solve(PROBLEM)), [], [], []
    q, qd = PROBLEM.q, PROBLEM.qd
    for k in range(steps):
        states.append(q)
        command = control.step(q, qd)
        push = np.array([PUSH * (k in WHEN), 0.0])
        q, qd = time_step(MODEL, q, qd, PROBLEM.actuation @ command.u + push, H)
        control.shift()
        forces.append(command.u)
        seconds.append(command.seconds)
    return {"q": np.array([*states, q]), "u": np.array(forces), "seconds": np.array(seconds)}


def main(quick: bool = False) -> dict[str, float]:
    """Largest angle and force, the angle at the end, and the median time of a call."""
    done = balance(60 if quick else 200)
    report = {
        "largest angle [rad]": float(np.abs(done["q"][:, 1]).max()),
        "angle at the end [rad]": float(np.abs(done["q"][-1, 1])),
        "largest force [N]": float(np.abs(done["u"]).max()),
        "milliseconds a call, median": float(1e3 * np.median(done["seconds"][1:])),
    }
    for name, x in report.items():
        print(f"{name}: {x:.3g}")
    return report


def animation() -> Animation:
    """Animate the pole under the push."""
    q = balance()["q"]
    return showmotion(MODEL, H * np.arange(len(q)), q)


if __name__ == "__main__":
    main()
    animation().save("cart_pole_mpc.gif")
