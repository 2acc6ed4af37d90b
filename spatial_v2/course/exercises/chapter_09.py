"""Chapter 9: the mass matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import CRBA, ID, BodyJacobian
from spatial_v2.model import Model
from spatial_v2.models import autoTree, puma560

__all__ = ["EXERCISES"]

Q = np.array([0.2, 0.6, -0.9, 0.3, 0.5, -0.1])
QD = np.array([0.5, -0.3, 0.8, 0.1, -0.6, 0.4])
SPOT = np.array([0.4, -0.7, 1.1, 0.3])


def of_jacobians(model: Model, q: Any) -> Any:
    """Compute the mass matrix as a sum over the bodies."""
    J = [BodyJacobian(model, q, i) for i in range(model.NB)]
    return sum(J[i].T @ model.I[i] @ J[i] for i in range(model.NB))


def with_weight(model: Model, q: Any) -> Any:
    """Compute the mass matrix by inverse dynamics, mistakenly without removing gravity."""
    zero = np.zeros(model.NV)
    return np.stack([ID(model, q, zero, e) for e in np.eye(model.NV)], axis=-1)


EXERCISES = (
    Exercise(
        "9.1",
        lambda: [[1.28]],
        hints=(
            "There is one joint, so H is the inertia about its axis, as a matrix.",
            "H = [[m l^2]].",
        ),
        mistakes={"Square the length.": lambda: [[1.6]]},
        view=lambda H: np.reshape(H, (1, 1)),
    ),
    Exercise(
        "9.2",
        lambda: float(QD @ CRBA(puma560(), Q) @ QD) / 2,
        hints=(
            "The joints are coupled, so the energy needs the whole matrix.",
            "T = qd . H qd / 2.",
        ),
        mistakes={
            "Half of it.": lambda: float(QD @ CRBA(puma560(), Q) @ QD),
            "The joints are coupled: not the diagonal alone.": lambda: (
                float(QD**2 @ CRBA(puma560(), Q).diagonal()) / 2
            ),
        },
    ),
    Exercise(
        "9.3",
        lambda: 8,
        hints=(
            "Which pairs of joints have no force in common?",
            "H[i, j] = H[j, i] = 0 if neither i carries j nor j carries i; count both.",
        ),
        mistakes={"H is symmetric: above the diagonal and below it.": lambda: 4},
    ),
    Exercise(
        "9.4",
        lambda: np.linalg.solve(CRBA(puma560(), Q), np.eye(6)[2]),
        hints=(
            "The other joints are free, so all of them move.",
            "H qdd = tau, with tau = [0, 0, 1, 0, 0, 0].",
        ),
        mistakes={
            "The other joints are free and give way.": lambda: (
                np.eye(6)[2] / CRBA(puma560(), Q)[2, 2]
            )
        },
    ),
    Exercise(
        "9.5",
        lambda: of_jacobians,
        to_write=("CRBA", "HandC"),
        hints=(
            "The kinetic energy is a sum over the bodies, and each has a Jacobian.",
            "H = sum over i of J_i^T I_i J_i; or its columns, ID with qdd = e_j less gravity.",
        ),
        mistakes={
            "Gravity is in each column: subtract ID at rest.": lambda: with_weight,
            "Every body, the last one too, and no other factor.": lambda: (
                lambda model, q: of_jacobians(model, q) / 2
            ),
        },
        view=lambda f: [f(autoTree(4, 2, 0.4), SPOT), f(autoTree(4, 1, 0.4), SPOT)],
    ),
)
