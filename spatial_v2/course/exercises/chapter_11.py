"""Chapter 11: contacts, loops and impacts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from spatial_v2.constraints import (
    KKT_FD,
    actuation_forces,
    ball_loop,
    constraint_jacobian,
    point_contact,
    project_configuration,
)
from spatial_v2.course.exercise import Exercise
from spatial_v2.dynamics import CRBA, ID, FDab
from spatial_v2.model import Model
from spatial_v2.spatial import Fpt, mcI, plnr

__all__ = ["EXERCISES"]

LINKAGE = Model(
    parent=[-1, 0, -1],
    jtype=["r", "r", "r"],
    gravity=[0, -9.81],
    Xtree=[plnr(0.0, [x, 0.0]) for x in (0.0, 0.3, 0.7)],
    I=[mcI(x, [x / 2, 0.0], x**3 / 12) for x in (0.3, 0.8, 0.6)],
)
LOOP = [ball_loop(2, [0.6, 0.0], 1, [0.8, 0.0])]
REST = np.zeros(3)


@cache
def closed() -> np.ndarray:
    """Compute joint angles at which the loop is closed."""
    return np.asarray(project_configuration(LINKAGE, [1.2, -0.6, 1.6], LOOP).q)


def torque() -> Any:
    """Compute the torque of a motor at the crank."""
    found = actuation_forces(LINKAGE, closed(), REST, REST, LOOP, np.eye(3)[:, :1])
    return np.asarray(found.u)[0]


def mass(rows: dict[str, Any]) -> float:
    """Compute the effective mass of the rod's left end along y.

    `rows` are options of the contact, with or without constraint rows along x.
    """
    rod = Model(
        parent=[-1, 0, 1],
        jtype=["px", "py", "r"],
        Xtree=[np.eye(3)] * 3,
        I=[np.zeros((3, 3)), np.zeros((3, 3)), mcI(1.0, [0, 0], 1 / 12)],
    )
    q = np.array([0, 0.24, 0.5])
    G = np.asarray(constraint_jacobian(rod, q, [point_contact(2, [-0.5, 0.0], **rows)]))
    return float(np.linalg.inv(G @ np.linalg.solve(CRBA(rod, q), G.T))[-1, -1])


def carried(*, loaded: bool = True, pushed_at: tuple[float, ...] = (0.05, 0.1, 0.0)) -> Any:
    """Compute the vertical forces on three legs."""
    stool = Model(
        parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[mcI(5.0, [0, 0, 0], 0.1 * np.eye(3))]
    )
    feet = ((-0.2, -0.2), (-0.2, 0.2), (0.2, -0.2))
    legs = [point_contact(0, [x, y, -0.4], normal=[0, 0, 1]) for x, y in feet]
    load = {0: Fpt([0, 0, -20.0 * loaded], pushed_at)}
    still = np.zeros(6)
    return KKT_FD(stool, np.eye(7)[0], still, still, legs, load).lambda_


def contact(W: float, b: float) -> tuple[float, float]:
    """Compute force and acceleration of a contact that can only push."""
    force = max(-b / W, 0.0)
    return force, W * force + b


def rest_after(e: float = 0.8, ways: int = 2) -> float:
    """Compute how long a ball bounces that is dropped from 1 m."""
    fall = float(np.sqrt(2 / 9.81))
    return fall + ways * fall * e / (1 - e)


EXERCISES = (
    Exercise(
        "11.1",
        torque,
        hints=(
            "At rest the motor and the loop together hold the weight.",
            "C = motor u + G^T lambda, three equations for u and the two numbers of lambda.",
        ),
        mistakes={
            "So much the crank of the open tree takes. The rocker carries its share.": lambda: (
                np.asarray(ID(LINKAGE, closed(), REST, REST))[0]
            ),
            "The motor pushes against gravity, not with it: the sign.": lambda: -torque(),
        },
    ),
    Exercise(
        "11.2",
        lambda: KKT_FD(LINKAGE, closed(), REST, REST, LOOP).qdd,
        hints=(
            "The allowed accelerations are multiples of one vector, so there is one unknown.",
            "The derivative with respect to z is freedom^T H (freedom z - a) = 0.",
        ),
        mistakes={
            "Nearest in the ordinary sense. Distances are measured by H.": lambda: (
                np.linalg.pinv(constraint_jacobian(LINKAGE, closed(), LOOP))
                @ constraint_jacobian(LINKAGE, closed(), LOOP)
                @ -FDab(LINKAGE, closed(), REST, REST)
                + FDab(LINKAGE, closed(), REST, REST)
            ),
            "This is the free tree, which does not keep the loop closed.": lambda: FDab(
                LINKAGE, closed(), REST, REST
            ),
        },
    ),
    Exercise(
        "11.3",
        carried,
        hints=(
            "There are three rows, one for each leg, and an external force on the seat.",
            "H qdd + C = G^T lambda + load; KKT_FD takes the load as {0: Fpt(force, point)}.",
        ),
        mistakes={
            "That is without the load.": lambda: carried(loaded=False),
            "The load has a couple about the origin: it acts at (0.05, 0.1, 0).": lambda: carried(
                pushed_at=(0.0, 0.0, 0.0)
            ),
        },
    ),
    Exercise(
        "11.4",
        lambda: mass({"normal": [0, 1]}),
        hints=(
            "The end is held along y alone, so there is one constraint row.",
            "m = 1 / W with W = G H^-1 G^T, and G of point_contact(2, [-0.5, 0], normal=[0, 1]).",
        ),
        mistakes={
            "With both rows x is held as well. Take the row along y alone.": lambda: mass({}),
            "That is W, the velocity that an impulse of 1 N s gives.": lambda: (
                1 / mass({"normal": [0, 1]})
            ),
        },
    ),
    Exercise(
        "11.5",
        lambda: contact,
        hints=(
            "The sign of b, the acceleration without a force, tells whether the contact pushes.",
            "W force + b = 0 with force >= 0 if it pushes; force = 0 and a = b if it opens.",
        ),
        mistakes={
            "If b is positive, this force pulls. The contact opens instead.": lambda: (
                lambda W, b: (-b / W, 0.0)
            ),
            "A negative b is an acceleration into the ground: the force has to stop it.": lambda: (
                lambda W, b: (0.0, b)
            ),
            "W turns forces into accelerations: divide by it.": lambda: (
                lambda W, b: (max(-b * W, 0.0), max(b, 0.0))
            ),
        },
        view=lambda f: [f(2.0, -3.0), f(2.0, 3.0), f(0.5, -1.0)],
    ),
    Exercise(
        "11.6",
        rest_after,
        hints=(
            "First it falls; then bounces follow, each of them shorter by the same factor.",
            "A fall takes sqrt(2 h / g); a bounce after an impact with speed v takes 2 e v / g.",
        ),
        mistakes={
            "A bounce goes up and down again: it takes twice the time of a fall.": lambda: (
                rest_after(ways=1)
            ),
            "That is the time of the bounces. Before them it falls.": lambda: (
                rest_after() - rest_after(0.0)
            ),
            "Heights have the factor e^2. Velocities and times have e.": lambda: rest_after(0.64),
        },
    ),
)
