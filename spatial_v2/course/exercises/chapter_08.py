"""Chapter 8: forward dynamics."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import HD, ID, FDab
from spatial_v2.model import Model
from spatial_v2.models import autoTree
from spatial_v2.spatial import mcI

__all__ = ["EXERCISES"]

I = mcI(2, [0.3, 0.1, 0], 0.05 * np.eye(3))
S = np.eye(6)[2]
STATE = np.array([[0.3, -0.6, 0.9, 0.2], [1, -2, 0.5, 1], [0.4, 0.1, -0.3, 0.2]])
NAN = float("nan")


def handle(I: Any, S: Any) -> Any:
    """Compute the articulated-body inertia of a body on a free hinge, felt through the hinge."""
    U = I @ S
    return I - np.outer(U, U) / (S @ U)


def by_ID(weight: bool = True, bias: bool = True) -> Any:
    """Return forward dynamics computed from inverse dynamics, possibly with a mistake."""

    def forward(model: Model, q: Any, qd: Any, tau: Any) -> Any:
        n = model.NV
        zero = np.zeros(n)
        C = ID(model, q, qd if bias else zero, zero)
        base = ID(model, q, zero, zero) if weight else zero
        H = np.stack([ID(model, q, zero, e) - base for e in np.eye(n)], axis=-1)
        return np.linalg.solve(H, tau - C)

    return forward


EXERCISES = (
    Exercise(
        "8.1",
        lambda: 9.81 / 0.8,
        hints=(
            "At that instant the velocity is zero, and the weight acts across the rod.",
            "m l^2 qdd = m g l.",
        ),
        mistakes={
            "Rad/s^2, not m/s^2: the bob moves on a circle of 0.8 m.": lambda: 9.81,
            "Divide by the length, do not multiply.": lambda: 9.81 * 0.8,
        },
    ),
    Exercise(
        "8.2",
        lambda: [2, 5],
        hints=(
            "Which of the two pushes does the rail pass on to the load?",
            "I_0 + I_1 - I_1 S S^T I_1 / (S^T I_1 S), with S along the rail; its entries of x "
            "and y.",
        ),
        mistakes={
            "Along the rail nothing pulls at the load.": lambda: [5, 5],
            "Across the rail the load must come along.": lambda: [2, 2],
        },
    ),
    Exercise(
        "8.3",
        lambda: handle,
        hints=(
            "The joint gives way along S, so nothing may remain there.",
            "I - U D^-1 U^T with U = I S, D = S . U; np.outer(U, U) is U U^T.",
        ),
        mistakes={
            "Divide by D.": lambda: lambda I, S: I - np.outer(I @ S, I @ S),
            "Nothing must be left along S: what sign has the second term?": lambda: (
                lambda I, S: 2 * I - handle(I, S)
            ),
        },
        view=lambda f: [f(I, S), f(I, np.array([0, 0, 1, 0, 0, 0.2]))],
    ),
    Exercise(
        "8.4",
        by_ID,
        to_write=("FDab",),
        hints=(
            "Torques are linear in the accelerations: a matrix times qdd, and a rest.",
            "C = ID at qdd = 0; column j of H is ID at rest with qdd = e_j, less ID at rest; H "
            "qdd = tau - C.",
        ),
        mistakes={
            "Gravity is in each column of H: subtract ID at rest.": lambda: by_ID(weight=False),
            "C needs the velocity.": lambda: by_ID(bias=False),
        },
        view=lambda f: [f(autoTree(4, 2, 0.4), *STATE), f(autoTree(4), *STATE)],
    ),
    Exercise(
        "8.5",
        lambda: HD(autoTree(2), [False, True], [0, 0.5], [0, 0], [1.0, NAN], [NAN, 0.0]).qdd[1],
        hints=(
            "The torque of the second joint is known, that of the first is not.",
            "H_10 qdd_0 + H_11 qdd_1 + C_1 = 0; HD solves it, with nan for what is asked.",
        ),
        mistakes={
            "Joint 0 is accelerated by 1 rad/s^2; its torque is whatever that takes.": lambda: FDab(
                autoTree(2), [0, 0.5], [0, 0], [1.0, 0.0]
            )[1],
        },
    ),
)
