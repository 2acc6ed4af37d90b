"""Chapter 10: floating bases."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import CMM, EnerMo
from spatial_v2.io import load_model
from spatial_v2.model import Model
from spatial_v2.spatial import Fpt

__all__ = ["EXERCISES"]

NAME = "autoTree:4,2"
TILT = np.array([np.cos(0.4), np.sin(0.4), 0, 0, 0.5, 0.2, 1.0, 0.3, -0.5, 0.8])
RATES = np.array([0.7, -0.2, 1.1])


def floating() -> Model:
    """Load the tree with a floating base."""
    return load_model(NAME, floating_base=True)


def base_velocity(model: Model, q: Any, qd_joints: Any) -> Any:
    """Compute the velocity of the base for which the momentum is zero."""
    A = CMM(model, q)
    return -np.linalg.solve(A[:, :6], A[:, 6:] @ qd_joints)


def weight_at(point: Any, sign: float = 1.0) -> Any:
    """Return the robot's weight as a spatial force at a point, by default the centre of mass."""
    e = EnerMo(floating(), TILT, np.zeros(9))
    return Fpt([0, 0, sign * 9.81 * e.mass], e.cm if point is None else point)


EXERCISES = (
    Exercise(
        "10.1",
        lambda: [12, 11],
        hints=(
            "The first hinge gives way to a joint whose position has a quaternion.",
            "Five hinges, and a joint with 4 + 3 positions and 6 velocities.",
        ),
        mistakes={
            "The hinge between base and body 0 is gone.": lambda: [13, 12],
            "A quaternion has four numbers.": lambda: [11, 11],
        },
    ),
    Exercise(
        "10.2",
        lambda: [0, 0, 0, 0, -9.81, 0],
        hints=(
            "The body falls without turning, and its velocity is in its own coordinates.",
            "a = [0; E g], with E = rx(pi/2) and the gravity g of the base coordinates.",
        ),
        mistakes={
            "In coordinates of the body, which lies on its side.": lambda: [0, 0, 0, 0, 0, -9.81],
            "rx(theta) has the axes of the body as its rows; the other way.": lambda: [
                0,
                0,
                0,
                0,
                9.81,
                0,
            ],
            "Angular part first.": lambda: [0, -9.81, 0, 0, 0, 0],
        },
    ),
    Exercise(
        "10.3",
        lambda: float(EnerMo(floating(), TILT, np.zeros(9)).mass),
        hints=(
            "Let the base move along one axis: what is the momentum?",
            "p = m v: the diagonal entry of a linear component of the base is m.",
        ),
        mistakes={
            "Look at a linear row: the first three are angular.": lambda: float(
                CMM(floating(), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0])[0, 0]
            )
        },
    ),
    Exercise(
        "10.4",
        lambda: base_velocity,
        hints=(
            "The momentum of the base and that of the joints cancel.",
            "A[:, :6] v_0 + A[:, 6:] qd = 0, with A = CMM(model, q).",
        ),
        mistakes={
            "The sign: both together make zero.": lambda: (
                lambda model, q, qd: -base_velocity(model, q, qd)
            )
        },
        view=lambda f: [f(floating(), TILT, RATES), f(floating(), TILT, 2 * RATES)],
    ),
    Exercise(
        "10.5",
        lambda: weight_at(None),
        hints=(
            "The ground holds the weight, and the robot does not fall over.",
            "f = [c x F; F] with F = (0, 0, m g) at the centre of mass c; EnerMo gives m and c.",
        ),
        mistakes={
            "The ground pushes up.": lambda: weight_at(None, -1.0),
            "The force must pass through the centre of mass, or the robot falls over.": lambda: (
                weight_at([0, 0, 0])
            ),
        },
    ),
)
