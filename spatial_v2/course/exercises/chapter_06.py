"""Chapter 6: Jacobians, inverse kinematics and singularities."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import forward_kinematics
from spatial_v2.frames import FrameJacobian, inverse_kinematics
from spatial_v2.model.frame import Frame
from spatial_v2.models import autoTree, puma560
from spatial_v2.spatial import xlt

__all__ = ["EXERCISES"]

BENT = np.array([np.pi / 2, -np.pi / 4])
PLACE = xlt([0.4, 0.2, 0.1])
"""Transform from the base to the pose that the flange is to reach."""


def tool(axes: Any = "mixed", reach: float = 0.5) -> np.ndarray:
    """Compute the Jacobian of the position of a tool in the plane, as observed in `axes`."""
    J = FrameJacobian(autoTree(2), BENT, Frame(1, xlt([reach, 0, 0])), axes)
    return np.asarray(J)[3:5]


def damped_step(J: Any, e: Any, mu: float) -> Any:
    """Compute the damped step for the error e."""
    return J.T @ np.linalg.solve(J @ J.T + mu**2 * np.eye(len(e)), e)


def still(J: Any, z: Any) -> Any:
    """Compute the joint velocity nearest to z that does not move the hand."""
    return z - np.linalg.pinv(J) @ J @ z


def angles(target: Any = PLACE, **options: Any) -> np.ndarray:
    """Compute joint angles that bring the flange to a pose, or to a part of it."""
    rng = np.random.default_rng(1)
    found = inverse_kinematics(
        puma560(), 5, target, np.full(6, 0.5), restarts=50, rng=rng, **options
    )
    return found.q


def sample(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw a Jacobian with six rows and n columns, an error and a joint velocity."""
    rng = np.random.default_rng(n)
    return rng.normal(size=(6, n)), rng.normal(size=6), rng.normal(size=n)


EXERCISES = (
    Exercise(
        "6.1",
        tool,
        hints=(
            "Column j is the velocity of the tool if only joint j turns with 1 rad/s.",
            "It is at right angles to the line from the hinge to the tool, and as long as that.",
        ),
        mistakes={
            "These are the axes of the second link. The position is in axes of the base.": lambda: (
                tool("body")
            ),
            "That is the point at the origin of the base. Move the observer to the tool.": lambda: (
                tool("base")
            ),
            "The tool is 0.5 m from the second hinge.": lambda: tool(reach=1.0),
            "Rows are x and y, columns are joints: transpose.": lambda: tool().T,
        },
    ),
    Exercise(
        "6.2",
        lambda: tool().T @ [20, 0],
        hints=(
            "The motors supply the power that the wall receives, for every qd.",
            "tau . qd = f . (J qd), with J and f both in axes of the base.",
        ),
        mistakes={
            "J maps joint velocities to velocities. Forces take its transpose.": lambda: (
                tool() @ [20, 0]
            ),
            "The sign: f is the force of the tool on the wall, not of the wall on it.": lambda: (
                tool().T @ [-20, 0]
            ),
            "The force is along x of the base, J has the axes of the second link.": lambda: (
                tool("body").T @ [20, 0]
            ),
        },
    ),
    Exercise(
        "6.3",
        lambda: damped_step,
        hints=(
            "At the minimum the derivative with respect to x is zero.",
            "|J x - e|^2 + mu^2 |x|^2 has half the derivative J^T (J x - e) + mu^2 x.",
        ),
        mistakes={
            "The damping is squared: it weighs a square.": lambda: (
                lambda J, e, mu: damped_step(J, e, mu**0.5)
            ),
            "The sign: the step shall reduce e, the displacement that is missing.": lambda: (
                lambda J, e, mu: -damped_step(J, e, mu)
            ),
            "That is the step without damping.": lambda: lambda J, e, mu: np.linalg.pinv(J) @ e,
        },
        view=lambda f: f(*sample(7)[:2], 0.3),
    ),
    Exercise(
        "6.4",
        angles,
        hints=(
            "The pose that is wanted is a transform from the base to the flange, without rotation.",
            "inverse_kinematics(model, body, target, start) takes that transform, xlt(position).",
        ),
        mistakes={
            "The position is right, the axes are not those of the base.": lambda: angles(
                rows="position"
            ),
            "X_target leads from the base to the flange, not back.": lambda: angles(
                xlt([-0.4, -0.2, -0.1])
            ),
        },
        view=lambda q: forward_kinematics(puma560(), np.asarray(q, dtype=float), frame=5).X0,
    ),
    Exercise(
        "6.5",
        lambda: still,
        hints=(
            "Motions in the null space are what remains of z without its part in the row space.",
            "J^+ J z is the part in the row space, with the pseudo-inverse J^+.",
        ),
        mistakes={
            "This is the part that moves the hand. The other part is wanted.": lambda: (
                lambda J, z: np.linalg.pinv(J) @ J @ z
            ),
            "The transpose is no inverse: take the pseudo-inverse.": lambda: (
                lambda J, z: z - J.T @ J @ z
            ),
        },
        view=lambda f: f(*sample(7)[::2]),
    ),
)
