"""Chapter 7: inverse dynamics."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import ID, BodyJacobian, forward_kinematics
from spatial_v2.model import Model
from spatial_v2.models import autoTree, puma560
from spatial_v2.spatial import Fpt

__all__ = ["EXERCISES"]

Q = np.array([0.2, 0.6, -0.9, 0.3, 0.5, -0.1])
QD = np.array([0.5, -0.3, 0.8, 0.1, -0.6, 0.4])
NONE = np.zeros(6)
PUSH = np.array([0.0, 0, -20])


def carried(sign: float = 1.0) -> Any:
    """Compute the additional torques if the hand carries 20 N."""
    poses = forward_kinematics(puma560(), Q)
    J = np.linalg.solve(poses.X0[5], BodyJacobian(puma560(), Q, 5))
    return -sign * J.T @ Fpt(PUSH, poses.p[5])


def own(gravity: bool = True, gyration: bool = True, inward: bool = True) -> Any:
    """Return inverse dynamics as a function; gravity, gyroscopic forces or forces of outer bodies
    may be left out.
    """

    def torque(model: Model, q: Any, qd: Any, qdd: Any) -> Any:
        if not gravity:
            model = model.replace(gravity=[0, 0, 0])
        if not gyration:
            return ID(model, q, 0 * qd, qdd)
        if not inward:
            info = ID(model, q, qd, qdd, return_info=True)[1]
            own = info.f.copy()
            for i, p in enumerate(model.parent):
                if p >= 0:
                    own[p] -= info.Xup[i].T @ info.f[i]
            return own[:, 2]
        return ID(model, q, qd, qdd)

    return torque


EXERCISES = (
    Exercise(
        "7.1",
        lambda: 3 * 9.81 * 0.7,
        hints=(
            "The arm is at rest, so the motor holds the moment of the weight.",
            "m g times the horizontal distance of the mass from the axis.",
        ),
        mistakes={
            "A weight is m g.": lambda: 3 * 0.7,
            "The moment, not the force: how far is the mass from the axis?": lambda: 3 * 9.81,
        },
    ),
    Exercise(
        "7.2",
        lambda: ID(puma560(), Q, NONE, NONE),
        hints=(
            "At rest nothing but gravity asks for torques, and gravity is in the model.",
            "tau = ID(model, q, qd, qdd) with qd = qdd = 0.",
        ),
        mistakes={
            "At rest: qd = 0, and not the velocity from above.": lambda: ID(puma560(), Q, QD, NONE)
        },
    ),
    Exercise(
        "7.3",
        lambda: 4.0,
        hints=(
            "Without gravity and accelerations, only the terms with velocities remain.",
            "a = v x S qd and f = I a + v x* I v: each term is a product of two velocities.",
        ),
        mistakes={"They are products of two velocities.": lambda: 2.0},
    ),
    Exercise(
        "7.4",
        lambda: float(ID(puma560(), Q, QD, NONE) @ QD),
        hints=(
            "Each motor has a power, that of its torque at its rate.",
            "P = tau . qd, the sum over the joints, with tau from ID.",
        ),
        mistakes={"One number: the sum over the joints.": lambda: ID(puma560(), Q, QD, NONE) * QD},
    ),
    Exercise(
        "7.5",
        carried,
        hints=(
            "The pull is an external force on body 5, in base coordinates.",
            "ID with {5: Fpt(force, point)}, less ID without it.",
        ),
        mistakes={
            "The load pulls downwards, and the motors must push against it: the other sign.": (
                lambda: carried(-1.0)
            )
        },
    ),
    Exercise(
        "7.6",
        own,
        to_write=("ID", "HandC"),
        hints=(
            "A loop outwards for motions and the forces that bodies need, then a loop inwards "
            "for joints.",
            "v = X v_p + S qd, a = X a_p + S qdd + v x S qd, f = I a + v x* I v; then tau = S "
            ". f, and X^T f is added to f of the parent. The base has a = -gravity.",
        ),
        mistakes={
            "Gravity is missing: a of the base is -gravity, [0, 0, 0, 0, 0, 9.81].": lambda: own(
                gravity=False
            ),
            "The velocity terms are missing: crm(v) vJ in a, crf(v) I v in f.": lambda: own(
                gyration=False
            ),
            "On the way inwards each body must hand its force to its parent.": lambda: own(
                inward=False
            ),
        },
        view=lambda f: [
            f(autoTree(4, 2, 0.4), *np.array([[1, 2, 3, 4], [0.5, -1, 2, 1], [1.0, 0, -1, 2]]) / 3)
        ],
    ),
)
