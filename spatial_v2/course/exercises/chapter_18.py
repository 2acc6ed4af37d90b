"""Chapter 18: optimal control."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.models import planar

__all__ = ["EXERCISES"]

ARM = planar(2).replace(gravity=[0, -9.81])
N, H = 36, 0.03
DRIFT = np.block([[np.eye(2), H * np.eye(2)], [np.zeros((2, 2)), np.eye(2)]])
PUSH = H * np.vstack([H * np.eye(2), np.eye(2)])


def matrices(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """Compute the matrices A and B of a time step linearised about rest: ``dx' = A dx + B du``."""
    from derivatives import FD_derivatives

    d = FD_derivatives(ARM, [angle, 0.0], [0.0, 0.0], [0.0, 0.0])
    return DRIFT + PUSH @ np.hstack([d.dqdd_dq, d.dqdd_dqd]), PUSH @ np.asarray(d.dqdd_dtau)


def riccati(P: Any, A: Any, B: Any, Q: Any, R: Any) -> Any:
    """Compute the matrix P of the cost to go at the previous instant by a step of the Riccati
    recursion.
    """
    Qux = B.T @ P @ A
    return Q + A.T @ P @ A - Qux.T @ np.linalg.solve(R + B.T @ P @ B, Qux)


def without_control(P: Any, A: Any, B: Any, Q: Any, R: Any) -> Any:
    """Compute the matrix P of the cost at the previous instant, mistakenly without control."""
    return Q + A.T @ P @ A


def sample() -> tuple[np.ndarray, ...]:
    """Draw example matrices for the Riccati recursion: P of the cost to go, A, B of the step,
    weights Q, R.
    """
    rng = np.random.default_rng(17)
    A, B = rng.normal(size=(4, 4)), rng.normal(size=(4, 2))
    return np.diag([1.0, 2, 3, 4]), A, B, np.eye(4), np.diag([0.5, 2.0])


def gradient(sign: float = 1.0) -> np.ndarray:
    """Compute the gradient of the cost with respect to the first torques, for a hanging robot."""
    A, B = matrices(-np.pi / 2)
    p = 30 * np.array([-sign * np.pi, 0, 0, 0])
    return np.asarray(B.T @ np.linalg.matrix_power(A.T, N - 1) @ p)


@cache
def feedback(angle: float = np.pi / 2) -> np.ndarray:
    """Compute the feedback matrix that stabilises the robot at an angle."""
    from scipy.linalg import solve_discrete_are

    A, B = matrices(angle)
    P = solve_discrete_are(A, B, np.eye(4), np.eye(2))
    return np.asarray(-np.linalg.solve(np.eye(2) + B.T @ P @ B, B.T @ P @ A))


EXERCISES = (
    Exercise(
        "18.1",
        lambda: riccati,
        hints=(
            "Which part of the cost to go depends on x, when the best u is inserted?",
            "P <- Qxx - Qux^T Quu^-1 Qux, with Qxx = Q + A^T P A, Qux = B^T P A, Quu = R + B^T "
            "P B.",
        ),
        mistakes={
            "The gain of the control is missing: this is for a robot left alone.": lambda: (
                without_control
            ),
            "The control makes the cost smaller: the sign of the last term.": lambda: (
                lambda *x: 2 * without_control(*x) - riccati(*x)
            ),
        },
        view=lambda f: f(*sample()),
    ),
    Exercise(
        "18.2",
        gradient,
        hints=(
            "The gradient of the last cost goes backwards to the first torque, through steps "
            "that are all alike.",
            "p = F (hanging - upright), then N - 1 times p <- A^T p, then B^T p.",
        ),
        mistakes={
            "The error at the end is the state less the goal.": lambda: gradient(-1.0),
            "That is the last instant, whose torque has no time to act.": lambda: (
                matrices(-np.pi / 2)[1].T @ (30 * np.array([-np.pi, 0, 0, 0]))
            ),
        },
    ),
    Exercise(
        "18.3",
        lambda: False,
        hints=(
            "Which terms does the iterative LQR leave out, and what are they here?",
            "p . f_xx, p . f_ux, p . f_uu, the second derivatives of f(x, u) = A x + B u.",
        ),
    ),
    Exercise(
        "18.4",
        feedback,
        hints=(
            "Iterate until P does not change any more.",
            "P <- riccati(P, A, B, Q, R), with A = D + E [dqdd_dq, dqdd_dqd] and B = E dqdd_dtau.",
        ),
        mistakes={
            "With u = K x the feedback has a minus in it.": lambda: -feedback(),
            "That is the feedback for the robot that hangs.": lambda: feedback(-np.pi / 2),
        },
        tolerance=1e-5,
    ),
)
