"""Chapter 5: trees and models."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import CRBA, ID, forward_kinematics
from spatial_v2.joints import jcalc
from spatial_v2.model import Model
from spatial_v2.models import autoTree, puma560
from spatial_v2.spatial import mcI, rotx, xlt

__all__ = ["EXERCISES"]

TURN, SHIFT = rotx(np.pi / 2), xlt([0, 0, 0.5])


def last_transform(model: Model, q: Any) -> Any:
    """Compute the transform X0 from the base to the last body by a loop over the tree."""
    X0: dict[int, Any] = {-1: np.eye(6)}
    for i, p in enumerate(model.parent):
        X_J, _ = jcalc(model.jtype[i], q[i])
        X0[i] = X_J @ model.Xtree[i] @ X0[p]
    return X0[model.NB - 1]


def along_a_chain(model: Model, q: Any) -> Any:
    """Compute the transform to the last body, mistakenly as if the tree had no branches."""
    X0 = np.eye(6)
    for i in range(model.NB):
        X0 = jcalc(model.jtype[i], q[i])[0] @ model.Xtree[i] @ X0
    return X0


def pendulum(height: float = -0.8, mass: float = 2.0, axis: str = "Ry") -> Model:
    """Make a model of a point mass on a rod."""
    I = mcI(mass, [0, 0, height], np.zeros((3, 3)))
    return Model(parent=[-1], jtype=[axis], Xtree=[np.eye(6)], I=[I])


def tip(q: Any, reach: float = 0.5) -> Any:
    """Compute the position of the tip of an arm with two links, 1 m and 0.5 m long."""
    pose = forward_kinematics(autoTree(2), q)
    return pose.p[-1] + pose.R[-1] @ [reach, 0, 0]


EXERCISES = (
    Exercise(
        "5.1",
        lambda: [-1, 0, 0, 2, 0, 4],
        hints=(
            "For each body in turn, look for the one it hangs on.",
            "parent[i] is the number of that body, and -1 if it is the base.",
        ),
        mistakes={
            "Bodies count from 0, and the base is -1.": lambda: [0, 1, 1, 3, 1, 5],
            "The second arm is on the trunk again.": lambda: [-1, 0, 0, 2, 3, 4],
        },
    ),
    Exercise(
        "5.2",
        lambda: [0, 1, 2, 4, 7],
        hints=(
            "Only the joints on the path from the base to body 7 move it.",
            "Begin with i = 7, and replace i by parent[i] until it is -1.",
        ),
        mistakes={"The joint of body 7 moves it, too.": lambda: [0, 1, 2, 4]},
        view=sorted,
    ),
    Exercise(
        "5.3",
        lambda: TURN @ SHIFT,
        hints=(
            "First the origin moves to the elbow, then the axes turn.",
            "Xtree = rot(E) xlt(r): what is done first stands on the right.",
        ),
        mistakes={
            "The offset is in axes of the parent: move first, then turn.": lambda: SHIFT @ TURN,
            "Turned the other way: rotx(theta) has the axes of the child as its rows.": lambda: (
                rotx(-np.pi / 2) @ SHIFT
            ),
        },
    ),
    Exercise(
        "5.4",
        lambda: tip([np.pi / 2, -np.pi / 4]),
        hints=(
            "The hand is fixed to the second link: where are its frame and its axes?",
            "p + R (0.5, 0, 0), with p and R of body 1 from forward_kinematics.",
        ),
        mistakes={
            "That is the elbow.": lambda: tip([np.pi / 2, -np.pi / 4], 0.0),
            "The second link is half a metre long.": lambda: tip([np.pi / 2, -np.pi / 4], 1.0),
        },
    ),
    Exercise(
        "5.5",
        lambda: last_transform,
        hints=(
            "Go outwards from the base; the parent of a body comes before it.",
            "X0[i] = X_J(q_i) Xtree[i] X0[parent[i]], and X0 of the base is the identity.",
        ),
        mistakes={
            "Branches: the parent of body i is not always body i - 1.": lambda: along_a_chain
        },
        view=lambda f: [
            f(autoTree(5, 2, 0.4), np.array([0.1, -0.2, 0.3, 0.4, 0.5])),
            f(puma560(), np.array([0.1, -0.2, 0.3, 0.4, 0.5, 0.6])),
        ],
    ),
    Exercise(
        "5.6",
        pendulum,
        hints=(
            "One body on one hinge, with all its mass below the hinge.",
            "parent = [-1], Xtree is the identity, and I = mcI(m, c, zeros) with c = (0, 0, -l).",
        ),
        mistakes={
            "It stands upright: the mass is below the joint.": lambda: pendulum(0.8),
            "The bob has 2 kg.": lambda: pendulum(mass=1.0),
        },
        view=lambda model: [CRBA(model, [0.3]).item(), ID(model, [0.3], [0.0], [0.0]).item()],
    ),
)
