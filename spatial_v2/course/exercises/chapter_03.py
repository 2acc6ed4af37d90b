"""Chapter 3: inertia."""

from __future__ import annotations

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.spatial import crf, crm, mcI, rotz, xlt

__all__ = ["EXERCISES"]

POINT = mcI(2, [0, 0.5, 0], np.zeros((3, 3)))
BOX = mcI(3, [0.1, 0, 0], np.diag([0.02, 0.03, 0.04]))
MOTION = np.array([1.0, 2, 0, 0, 0, 0.5])
X = rotz(0.6) @ xlt([0.5, 0.2, 0])


def bias_acceleration(I: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Compute the acceleration of a free body with inertia I and velocity v, without forces."""
    return -np.linalg.solve(I, crf(v) @ I @ v)


EXERCISES = (
    Exercise(
        "3.1",
        lambda: POINT,
        hints=(
            "A point mass has no rotational inertia about itself, but it is not at the origin.",
            "The blocks are m cx cx^T, m cx above, and m cx^T, m 1 below, with cx = skew(c); "
            "or mcI(m, c, zeros).",
        ),
        mistakes={
            "The mass is not at the origin: where is m skew(c)?": lambda: np.diag(
                [0, 0, 0, 2, 2, 2]
            ),
            "The upper right corner is m skew(c), the lower left one its transpose.": lambda: mcI(
                2, [0, -0.5, 0], np.zeros((3, 3))
            ),
        },
    ),
    Exercise(
        "3.2",
        lambda: float(MOTION @ BOX @ MOTION) / 2,
        hints=(
            "Turning and moving are coupled, so the energy needs the whole matrix.",
            "T = v . I v / 2.",
        ),
        mistakes={
            "Half of it.": lambda: float(MOTION @ BOX @ MOTION),
            "Turning and moving are coupled where the centre of mass is not at the origin.": (
                lambda: float(MOTION**2 @ BOX.diagonal()) / 2
            ),
        },
    ),
    Exercise(
        "3.3",
        lambda: 2 * 5 * 0.4**2 + 2 * 0.02,
        hints=(
            "Each ball turns about itself, and its centre moves about the axis.",
            "I_C + m d^2 for each ball, with the distance d of its centre from the axis.",
        ),
        mistakes={
            "Each ball is 0.4 m from the axis, not 0.8 m.": lambda: 2 * 5 * 0.8**2 + 2 * 0.02,
            "The balls turn about themselves, too.": lambda: 2 * 5 * 0.4**2,
            "There are two balls.": lambda: 5 * 0.4**2 + 0.02,
        },
    ),
    Exercise(
        "3.4",
        lambda: X.T @ BOX @ X,
        hints=(
            "The kinetic energy is the same number in both frames.",
            "v_A . I_A v_A = v_B . I_B v_B with v_B = X v_A.",
        ),
        mistakes={
            "X takes motions from A to B; on which side must it stand?": lambda: X @ BOX @ X.T
        },
    ),
    Exercise(
        "3.5",
        lambda: bias_acceleration,
        hints=(
            "In the equation of motion the force is zero.",
            "0 = I a + v x* I v. np.linalg.solve(I, b) is inverse(I) b.",
        ),
        mistakes={
            "The sign: what moves to the other side changes it.": lambda: (
                lambda I, v: -bias_acceleration(I, v)
            ),
            "I v is a force vector: crf(v), not crm(v).": lambda: (
                lambda I, v: -np.linalg.solve(I, crm(v) @ I @ v)
            ),
        },
        view=lambda f: [f(BOX, MOTION), f(POINT + BOX, MOTION)],
    ),
    Exercise(
        "3.6",
        lambda: "y",
        hints=(
            "Compare the rotational inertias about the three axes.",
            "I = m (b^2 + c^2) / 12 about an axis, with the sides b and c across it; the "
            "middle one is unstable.",
        ),
        mistakes={
            "About the longest side the inertia is the smallest; that is stable.": lambda: "x",
            "About the shortest side the inertia is the largest; that is stable.": lambda: "z",
        },
    ),
)
