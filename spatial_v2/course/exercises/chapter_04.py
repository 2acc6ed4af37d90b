"""Chapter 4: joints."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.spatial import rotz, xlt

__all__ = ["EXERCISES"]

X = rotz(0.4) @ xlt([0.8, 0, 0])
V_P, S, QD = np.array([0, 0, 1.0, 0, 0.5, 0]), np.eye(6)[2], 2.0
LEAD = 0.01 / (2 * np.pi)


def flat(answer: Any) -> Any:
    """Flatten an answer, so that a column counts as a row."""
    return np.ravel(np.asarray(answer, dtype=float))


EXERCISES = (
    Exercise(
        "4.1",
        lambda: [1, 0, 0, 0, 0, 0],
        hints=(
            "The joint turns and does not slide, and its axis passes through the origin.",
            "S = [u; 0], with the unit vector u along the axis.",
        ),
        mistakes={"That is a prismatic joint: turning comes first.": lambda: [0, 0, 0, 1, 0, 0]},
        view=flat,
    ),
    Exercise(
        "4.2",
        lambda: [0, 0, 1, 0, 0, LEAD],
        hints=(
            "The joint variable is the angle, so S is the velocity at one radian a second.",
            "S = [u; h u], with u along the axis and the pitch h = advance a turn / (2 pi).",
        ),
        mistakes={
            "The pitch is the advance a radian, not a turn.": lambda: [0, 0, 1, 0, 0, 0.01],
            "A turn is 2 pi radians: divide.": lambda: [0, 0, 1, 0, 0, 0.02 * np.pi],
        },
        view=flat,
        tolerance=1e-7,
    ),
    Exercise(
        "4.3",
        lambda: [0, 0, 1, 0, -0.3, 0],
        hints=(
            "The axis does not pass through the origin, so the body point there moves.",
            "S = [u; P x u], with the unit vector u along the axis and a point P on it.",
        ),
        mistakes={
            "The sign: P x omega, not omega x P.": lambda: [0, 0, 1, 0, 0.3, 0],
            "The axis does not pass through the origin.": lambda: [0, 0, 1, 0, 0, 0],
        },
        view=flat,
    ),
    Exercise(
        "4.4",
        lambda: 3 + 6 * 0.02,
        hints=(
            "The motor feels the couple about the axis, and some of the force along it.",
            "tau = S . f, with S = [0, 0, 1, 0, 0, h].",
        ),
        mistakes={
            "The force along the axis helps to turn the nut: the pitch times 6 N.": lambda: 3.0
        },
    ),
    Exercise(
        "4.5",
        lambda: X @ V_P + S * QD,
        hints=(
            "The child moves with its parent, and the joint moves, too.",
            "v = X v_p + S qd.",
        ),
        mistakes={
            "The joint moves, too.": lambda: X @ V_P,
            "The velocity of the parent is in coordinates of the parent.": lambda: V_P + S * QD,
            "Motions go outwards with X, not with its transpose.": lambda: X.T @ V_P + S * QD,
        },
    ),
    Exercise(
        "4.6",
        lambda: [13, 11],
        hints=(
            "Some positions are quaternions, which have more numbers than degrees of freedom.",
            "A floating joint has 4 + 3 positions and 6 velocities, a ball joint 4 and 3, a "
            "hinge 1 and 1; add up.",
        ),
        mistakes={
            "A quaternion has four numbers for three degrees of freedom.": lambda: [11, 11],
            "Velocities have no redundant numbers.": lambda: [13, 13],
        },
    ),
)
