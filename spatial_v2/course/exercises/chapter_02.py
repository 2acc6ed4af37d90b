"""Chapter 2: Plücker transforms."""

from __future__ import annotations

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.spatial import crf, crm, plux, rotz, xlt
from spatial_v2.three_d import rz, skew

__all__ = ["EXERCISES"]


def own_plux(E: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Assemble the Plücker transform from its blocks, with the rotation E and the
    displacement r.
    """
    return np.block([[E, np.zeros((3, 3))], [-E @ skew(r), E]])


def turned_first(E: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Assemble the transform with the factors of its lower left block in the wrong order."""
    return np.block([[E, np.zeros((3, 3))], [-skew(r) @ E, E]])


def sign_lost(E: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Assemble the transform with the wrong sign of its lower left block."""
    return np.block([[E, np.zeros((3, 3))], [E @ skew(r), E]])


X_1, X_2 = rotz(0.3) @ xlt([0.5, 0, 0]), rotz(-0.7) @ xlt([0.4, 0, 0.1])
FORCE = np.array([0, 0, 1.0, 2, 0, 0])
SPIN = np.array([0, 0, 2.0, 0, 0, 0])
CARRIED = np.array([0, 0, 3.0, 1, 0, 0])

EXERCISES = (
    Exercise(
        "2.1",
        lambda: [0, 0, 2, 0, 6, 0],
        hints=(
            "The axes stay, and so does omega; but another point of the body is at the new origin.",
            "The linear part in B is v_O + omega x r.",
        ),
        mistakes={
            "The sign: the new origin is at r = (3, 0, 0), and it moves with omega x r.": lambda: [
                0,
                0,
                2,
                0,
                -6,
                0,
            ],
            "The axis no longer passes through the origin; what moves there?": lambda: SPIN,
        },
    ),
    Exercise(
        "2.2",
        lambda: own_plux,
        to_write=("plux",),
        hints=(
            "First the origin moves, then the axes turn: multiply the two matrices.",
            "The blocks are E, 0 above, and -E rx, E below, with rx = skew(r).",
        ),
        mistakes={
            "First the origin moves, then the axes turn: the corner is -E rx, not -rx E.": lambda: (
                turned_first
            ),
            "The sign of the corner.": lambda: sign_lost,
        },
        view=lambda f: [f(rz(0.4), np.array([1.0, 2, 3])), f(np.eye(3), np.array([0, 1.0, 0]))],
    ),
    Exercise(
        "2.3",
        lambda: X_2 @ X_1,
        hints=(
            "The vector goes from A to B first, then from B to C.",
            "v_B = X_1 v_A, and v_C = X_2 v_B.",
        ),
        mistakes={"What acts first stands on the right.": lambda: X_1 @ X_2},
    ),
    Exercise(
        "2.4",
        lambda: X_1.T @ FORCE,
        hints=(
            "Power is the same in both frames, and the force goes back from B to A.",
            "f_A = X^T f_B.",
        ),
        mistakes={
            "Forces go back with the transpose, motions with the inverse.": lambda: np.linalg.solve(
                X_1, FORCE
            ),
            "X transforms motions, and from A to B; here a force goes from B to A.": lambda: (
                X_1 @ FORCE
            ),
        },
    ),
    Exercise(
        "2.5",
        lambda: plux(X_2 @ X_1).r,
        hints=(
            "The transform from A to C knows where the origin of C is.",
            "X_CA has the blocks E and -E rx; plux(X) with one argument gives E and r back.",
        ),
        mistakes={
            "The second offset is in axes of B: turn it back before you add.": lambda: [0.9, 0, 0.1]
        },
    ),
    Exercise(
        "2.6",
        lambda: crm(CARRIED) @ [0, 1, 0, 2, 0, 0],
        hints=(
            "The axis is constant in a frame that moves with the link.",
            "dm/dt = v x m = crm(v) m, with v the velocity of the link.",
        ),
        mistakes={
            "The order: v x m, with v the motion of what carries m.": lambda: (
                -crm(CARRIED) @ [0, 1, 0, 2, 0, 0]
            ),
            "An axis is a motion: crm(v), not crf(v), which is for forces.": lambda: (
                crf(CARRIED) @ [0, 1, 0, 2, 0, 0]
            ),
        },
    ),
)
