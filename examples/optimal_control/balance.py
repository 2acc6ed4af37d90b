"""Linear-quadratic balance: an inverted pendulum on a flying base.

A body flies by a thrust along its own axis and three couples. A pole stands on it, connected by a
universal joint without actuator. `linearize` gives the linear system of the errors along the
degrees of freedom. It uses no angles of the base and has no singularity: `configurationDifference`
measures the error in any orientation of the robot. Run it:

    python examples/optimal_control/balance.py
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solve_continuous_are

from spatial_v2 import (
    Animation,
    EnerMo,
    FDab,
    Model,
    configurationAddition,
    configurationDifference,
    linearize,
    mcI,
    neutral,
    showmotion,
    xlt,
)

POLE = mcI(0.3, [0, 0, 0.5], np.diag([0.3, 0.3, 0.0]) / 12)
MODEL = Model(
    parent=[-1, 0, 1],
    jtype=["Fb", "Rx", "Ry"],
    Xtree=[np.eye(6), xlt([0, 0, 0.05]), np.eye(6)],
    I=[mcI(1.0, [0, 0, 0], np.diag([0.01, 0.01, 0.02])), np.zeros((6, 6)), POLE],
)
DRIVEN = np.eye(MODEL.NV)[:, [0, 1, 2, 5]]
"""Three couples and the thrust, in axes of the base."""
REST = neutral(MODEL)
HOVER = np.array([0, 0, 0, -EnerMo(MODEL, REST, np.zeros(8)).mass * MODEL.gravity[2]])
Q = np.diag([1.0, 1, 1, 10, 10, 10, 1, 1] + [0.1] * 8)
R = np.diag([10.0, 10, 10, 1])


def regulator() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return A and B of the linearised system, the gains K of ``u = HOVER - K error``, and P.

    The predicted cost from an error e is e.Pe / 2.
    """
    A, B = linearize(MODEL, REST, np.zeros(8), DRIVEN @ HOVER, DRIVEN)
    P = solve_continuous_are(A, B, Q, R)
    return A, B, np.linalg.solve(R, B.T @ P), P


def error(q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    """Error of a state with respect to hovering, along the velocity variables."""
    return np.concatenate([configurationDifference(MODEL, REST, q), qd], axis=-1)


def fly(
    K: np.ndarray, start: np.ndarray, seconds: float, h: float = 0.01
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positions from errors (..., 16) at the start, by the midpoint rule, their costs, and the
    final errors.
    """
    q, qd = configurationAddition(MODEL, REST, start[..., :8]), start[..., 8:]
    motion, cost = [q], np.zeros(start.shape[:-1])

    def rate(q: np.ndarray, qd: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        e = error(q, qd)
        u = -e @ K.T
        paid = np.sum(e * (e @ Q), axis=-1) + np.sum(u * (u @ R), axis=-1)
        return FDab(MODEL, q, qd, (HOVER + u) @ DRIVEN.T), paid / 2

    for _ in range(round(seconds / h)):
        a, _ = rate(q, qd)
        v = qd + h / 2 * a
        a, paid = rate(configurationAddition(MODEL, q, h / 2 * qd), v)
        q, qd, cost = configurationAddition(MODEL, q, h * v), qd + h * a, cost + h * paid
        motion.append(q)
    return np.array(motion), cost, np.linalg.norm(error(q, qd), axis=-1)


START = np.array([0.4, -0.3, 0.2, 1, -0.5, 0.3, 0.1, 0.1] + [0] * 8)
"""An error at the start: base rotated and displaced, pole tilted [rad, m]."""


def main(quick: bool = False) -> dict[str, float]:
    """Growth rates without and with feedback, and costs divided by those that the linear theory
    predicts.
    """
    A, B, K, P = regulator()
    report = {
        "fastest growth, free": float(np.linalg.eigvals(A).real.max()),
        "fastest growth, held": float(np.linalg.eigvals(A - B @ K).real.max()),
    }
    sizes = np.array([0.01, 0.1, 0.5])
    starts = sizes[:, None] * START
    _, costs, left = fly(K, starts, *((4, 0.02) if quick else (8, 0.01)))
    theory = np.sum(starts * (starts @ P), axis=-1) / 2
    for size, ratio, rest in zip(sizes, costs / theory, left, strict=True):
        report[f"cost over theory, from {size} of the start"] = float(ratio)
        report[f"error left, from {size} of the start"] = float(rest)
    for name, value in report.items():
        print(f"{name:44s} {value:12.6f}")
    return report


def animation() -> Animation:
    """Animate the flight back to hovering."""
    q, _, _ = fly(regulator()[2], START / 2, 5, 0.02)
    return showmotion(MODEL, np.linspace(0, 5, len(q)), q)


if __name__ == "__main__":
    main()
    animation().save("balance.gif")
