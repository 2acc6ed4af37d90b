"""Chapter 1: vectors of motion and force."""

from __future__ import annotations

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.spatial import Fpt

__all__ = ["EXERCISES"]

BOLT = np.array([0, 0, 4 * np.pi, 0, 0, 0.01])
TWIST = np.array([0, 0, 2.0, 1.0, 0, 0])

POINTS = (([0.3, -1, 2, 0.5, 0, 1], [1, 2, -1]), ([0, 0, 2, 1, 0, 0], [1, 1, 1]))


def door() -> np.ndarray:
    """Return the spatial velocity of a door that rotates about a vertical line.

    It rotates at 0.5 rad/s about the line through (2, 1, 0).
    """
    omega, P = np.array([0, 0, 0.5]), np.array([2.0, 1, 0])
    return np.concatenate([omega, np.cross(P, omega)])


EXERCISES = (
    Exercise(
        "1.1",
        lambda: BOLT,
        hints=(
            "The axis passes through O: how far does the bolt turn, and how far does it move, "
            "in a second?",
            "omega = 2 pi times the turns a second, v_O = the advance a turn times the turns a "
            "second, both along z.",
        ),
        mistakes={
            "The angular part comes first: [omega; v].": lambda: np.roll(BOLT, 3),
            "Angles are in radians: a turn is 2 pi.": lambda: [0, 0, 2, 0, 0, 0.01],
            "5 mm a turn, and two turns a second.": lambda: [0, 0, 4 * np.pi, 0, 0, 0.005],
            "Metres, not millimetres.": lambda: [0, 0, 4 * np.pi, 0, 0, 10],
        },
    ),
    Exercise(
        "1.2",
        door,
        hints=(
            "Which velocity has the point of the door that is at O now?",
            "v_O = omega x (O - P).",
        ),
        mistakes={
            "The hinge does not pass through O, so the body point at O does move.": lambda: [
                0,
                0,
                0.5,
                0,
                0,
                0,
            ],
            "The sign of v_O: from the hinge P to O the way is -P.": lambda: (
                door() * [1, 1, 1, -1, -1, -1]
            ),
        },
    ),
    Exercise(
        "1.3",
        lambda: [0, 0.5, 0],
        hints=(
            "A point of the axis moves along omega only, and here it stands still.",
            "v_O + omega x p = 0 with p = (0, y, 0).",
        ),
        mistakes={"There v_O is doubled, not cancelled: mind the sign.": lambda: [0, -0.5, 0]},
    ),
    Exercise(
        "1.4",
        lambda: Fpt([0, -30, 0], [0.25, 0, 0.1]),
        hints=(
            "The force does not act at O, so it has a moment about O.",
            "n_O = p x F comes first, then F itself.",
        ),
        mistakes={
            "The couple is p x f, not f x p.": lambda: (
                Fpt([0, -30, 0], [0.25, 0, 0.1]) * [-1, -1, -1, 1, 1, 1]
            ),
            "The couple comes first: [n; f].": lambda: np.roll(Fpt([0, -30, 0], [0.25, 0, 0.1]), 3),
        },
    ),
    Exercise(
        "1.5",
        lambda: float(Fpt([1, 2, 3], [0.5, 0, 0]) @ TWIST),
        hints=(
            "Power is a product of the two kinds of vectors, and the force does not act at O.",
            "f . v = n_O . omega + F . v_O with n_O = p x F; the same number is F . v_p.",
        ),
        mistakes={
            "The force does not act at O. Its couple works, too.": lambda: 1.0,
        },
    ),
    Exercise(
        "1.6",
        lambda: lambda v, p: np.asarray(v)[3:] + np.cross(np.asarray(v)[:3], p),
        hints=(
            "A point moves with O, and turns about O.",
            "v_p = v_O + omega x p; np.cross makes the product.",
        ),
        mistakes={
            "The order of the cross product: omega x p.": lambda: (
                lambda v, p: np.asarray(v)[3:] + np.cross(p, np.asarray(v)[:3])
            ),
        },
        view=lambda f: [f(np.array(v), np.array(p)) for v, p in POINTS],
    ),
)
