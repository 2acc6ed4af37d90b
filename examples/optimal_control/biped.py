"""A biped makes a step: rods drive its ankles, so that each leg is a closed loop.

The motor of an ankle turns a crank at the knee, from which a rod leads to the foot; the hinge there
is a constraint. The left foot stands; the right one swings over a given height, strikes the ground
with the whole sole and stays. No sole pulls, slides or tips: its wrench is bounded. Run it:

    python examples/optimal_control/biped.py
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2 import (
    ID,
    Animation,
    ConstraintSet,
    Frame,
    Model,
    ball_loop,
    constraint_jacobian,
    mcI,
    plnr,
    showmotion,
    surface_contact,
)
from spatial_v2.control import (
    Bounds,
    ContactForce,
    ContactPhase,
    ControlCost,
    FramePosition,
    Instants,
    ShootingProblem,
    Solution,
    StateCost,
    Trajectory,
    solve,
)

L, CRANK, SOLE, H, SWING, STAND, STRIDE, HEIGHT = 0.4, 0.08, 0.1, 0.02, 25, 20, 0.3, 0.05
"""Length of thigh, shank and rod, of the crank, and of half a sole [m]; time step [s]; numbers of
intervals of the swing and of the stance; length and height of the step [m].
"""


def biped() -> Model:
    """Return the planar robot: a trunk, and two legs of thigh, shank, foot, crank and rod."""
    parent, jtype, X, I = [-1, 0, 1], ["px", "py", "r"], [np.eye(3)] * 3, [np.zeros((3, 3))] * 2
    I.append(mcI(20.0, [0.0, 0.25], 0.6))
    for _ in range(2):
        thigh = len(parent)
        parent += [2, thigh, thigh + 1, thigh + 1, thigh + 3]
        jtype += ["r"] * 5
        X += [plnr(0.0, r) for r in ([0, 0], [0, -L], [0, -L], [0, 0], [-CRANK, 0])]
        leg = mcI(3.0, [0.0, -L / 2], 0.04)
        I += [leg, leg, mcI(0.8, [0.03, -0.03], 0.003), mcI(0.3, [0.0, 0.0], 0.001)]
        I.append(mcI(0.2, [0.0, -L / 2], 0.003))
    return Model(parent=parent, jtype=jtype, Xtree=X, I=I, gravity=[0.0, -9.81])


MODEL = biped()
FEET, RODS, SOLE_FRAME = (5, 10), (7, 12), plnr(0.0, [0.03, -0.05])
LOOPS = [
    ball_loop(foot, [-CRANK, 0.0], rod, [0.0, -L]) for foot, rod in zip(FEET, RODS, strict=True)
]
LEFT, RIGHT = (surface_contact(foot, SOLE_FRAME) for foot in FEET)
ONE, BOTH = ConstraintSet(MODEL, [*LOOPS, LEFT]), ConstraintSet(MODEL, [*LOOPS, LEFT, RIGHT])
BENT = np.array([0.4, -0.8, 0.4, 0.4, -0.4])
START = np.concatenate([np.zeros(3), BENT, BENT])
REST, GAINS = np.zeros(MODEL.NV), (0.0, 40.0)
DRIVEN = np.eye(MODEL.NV)[:, [3, 4, 6, 8, 9, 11]]
HELD = np.hstack([DRIVEN, constraint_jacobian(MODEL, START, BOTH).T])
TORQUES = np.linalg.lstsq(HELD, ID(MODEL, START, REST, REST), rcond=None)[0][:6]
GOAL = START + np.array([STRIDE / 2, *np.zeros(12)])
UNTIPPED = np.array([[0, 0, 1], [1, 0, SOLE], [-1, 0, SOLE], [0, 1, 0.6], [0, -1, 0.6]])
"""Rows of the inequalities that a sole neither pulls, tips nor slides: row . [n, fx, fy] >= 0."""


def sole(x: float) -> tuple[FramePosition, np.ndarray]:
    """Return the position of the point x on the right sole as a function, and its value at the
    start.
    """
    point = FramePosition(MODEL, Frame(FEET[1], plnr(0.0, [x, 0.0]) @ SOLE_FRAME))
    return point, point.value(Instants(START, REST, REST))


def lands() -> list[Bounds]:
    """Return the bounds of a foot that passes at a height and lands flat, one step ahead."""
    (heel, back), (toe, front) = sole(-SOLE), sole(SOLE)
    middle, last = slice(SWING // 2, SWING // 2 + 1), slice(SWING, SWING + 1)
    up = [[-np.inf, y[1] + HEIGHT] for y in (back, front)]
    there, flat = back + np.array([STRIDE, 0.0]), ([-np.inf, front[1]], [np.inf, front[1]])
    return [
        *(Bounds(x, y, np.inf, middle) for x, y in zip((heel, toe), up, strict=True)),
        Bounds(heel, there, there, last),
        Bounds(toe, *flat, last),
    ]


def wrench(held: ConstraintSet, soles: int, when: slice) -> Bounds:
    """Return the bounds of the wrenches on the first `soles` soles during a phase."""
    rows = np.hstack([np.zeros((5 * soles, 4)), np.kron(np.eye(soles), UNTIPPED)])
    return Bounds(ContactForce(MODEL, held, DRIVEN, rows, GAINS), 0.0, np.inf, when)


PROBLEM = ShootingProblem(
    MODEL,
    START,
    REST,
    np.full(SWING + STAND, H),
    running=[StateCost(MODEL, GOAL, 1.0, 0.1), ControlCost(1e-3, TORQUES)],
    terminal=[StateCost(MODEL, GOAL, np.r_[100.0, 100.0, 100.0, np.zeros(10)], 10.0)],
    actuation=DRIVEN,
    phases=[ContactPhase(SWING, ONE), ContactPhase(STAND, BOTH, impact=True)],
    baumgarte=GAINS,
    running_bounds=[
        *lands(), wrench(ONE, 1, slice(SWING)), wrench(BOTH, 2, slice(SWING, None)),
    ],
)  # fmt: skip
GUESS = Trajectory(START, REST, TORQUES)
"""The first guess: the robot stands still."""


def walk(method: Any = "newton", **options: Any) -> Solution:
    """Return the step of least cost, by a method of `solve`."""
    return solve(PROBLEM, GUESS, method, max_iterations=300, **options)


def animation() -> Animation:
    """Animate the step."""
    q = np.delete(walk().trajectory.q, SWING, axis=0)
    return showmotion(MODEL, H * np.arange(len(q)), q)


if __name__ == "__main__":
    for method in ("newton", "ilqr"):
        found = walk(method)
        print(f"{method}: {found.status}, {found.iterations} iterations, cost {found.cost:.9f}")
    animation().save("biped.gif")
