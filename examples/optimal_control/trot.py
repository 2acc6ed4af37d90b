"""A quadruped trots: diagonal pairs of feet take turns, and each touchdown is an impact.

While one pair holds, the other swings over a given height to places one step ahead. Contacts may
not pull. Needs the package example-robot-data. Run it:

    python examples/optimal_control/trot.py
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2 import Animation, ConstraintSet, point_contact, showmotion
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

E = runpy.run_path(str(Path(__file__).parent / "ddp_contacts.py"))
MODEL, FEET, START, STAND, DRIVEN = (E[x] for x in ("MODEL", "FEET", "START", "STAND", "DRIVEN"))
NV, NU, H, SWING, STRIDE, HEIGHT = MODEL.NV, E["NU"], 0.01, 20, 0.05, 0.03
PAIRS, STEPS = (("FL_FOOT", "HR_FOOT"), ("FR_FOOT", "HL_FOOT")), 4
GAINS, REST = (0.0, 50.0), np.zeros(NV)
SETS = [ConstraintSet(MODEL, [point_contact(name) for name in pair]) for pair in PAIRS]
AHEAD = STRIDE * (STEPS - 1)
GOAL = START + np.r_[np.zeros(4), AHEAD, np.zeros(NU + 2)]
WEIGHTS = np.r_[10 * np.ones(3), 1.0, 10.0, 10.0, 0.1 * np.ones(NU)]


def swing(name: str, step: int, way: float) -> list[Bounds]:
    """Return the bounds of a foot that swings in the given step and lands `way` ahead of its first
    place.
    """
    foot, last = FramePosition(MODEL, name), SWING * (step + 1)
    place = foot.value(Instants(START, REST, REST))
    up = place[2] + HEIGHT
    middle = slice(last - SWING // 2, last - SWING // 2 + 1)
    ahead = place + np.array([way, 0.0, 0.0])
    return [
        Bounds(foot, [-np.inf, -np.inf, up], np.inf, middle),
        Bounds(foot, ahead, ahead, slice(last, last + 1)),
    ]


BOUNDS, PHASES = [], []
for step in range(STEPS):
    PHASES.append(ContactPhase(SWING, SETS[step % 2], impact=step > 0))
    force = ContactForce(MODEL, SETS[step % 2], DRIVEN, np.eye(6)[2::3], GAINS)
    BOUNDS.append(Bounds(force, 0.5, np.inf, slice(SWING * step, SWING * (step + 1))))
    way = min(step + 0.5, STEPS - 1) * STRIDE
    for name in PAIRS[(step + 1) % 2]:
        BOUNDS += swing(name, step, way)
PHASES.append(ContactPhase(SWING, FEET, impact=True))
FORCE = ContactForce(MODEL, FEET, DRIVEN, np.eye(12)[2::3], GAINS)
BOUNDS.append(Bounds(FORCE, 0.5, np.inf, slice(SWING * STEPS, None)))
PROBLEM = ShootingProblem(
    MODEL,
    START,
    REST,
    np.full(SWING * (STEPS + 1), H),
    running=[StateCost(MODEL, GOAL, WEIGHTS, 0.01), ControlCost(0.1, STAND)],
    terminal=[StateCost(MODEL, GOAL, 100.0 * WEIGHTS, 10.0)],
    actuation=DRIVEN,
    phases=PHASES,
    baumgarte=GAINS,
    running_bounds=BOUNDS,
)
GUESS = Trajectory(START, REST, STAND)
"""The first guess: the robot stands still."""


def trot(method: Any = "newton", **options: Any) -> Solution:
    """Return the trot of least cost, found by a method of `solve`."""
    return solve(PROBLEM, GUESS, method, max_iterations=300, **options)


def animation() -> Animation:
    """Animate the trot."""
    struck = SWING * np.arange(1, STEPS + 1) + np.arange(STEPS)
    q = np.delete(trot().trajectory.q, struck, axis=0)
    return showmotion(MODEL, H * np.arange(len(q)), q, overlays=["com"])


if __name__ == "__main__":
    for method in ("newton", "ilqr"):
        found = trot(method)
        print(f"{method}: {found.status}, {found.iterations} iterations, cost {found.cost:.9f}")
    animation().save("trot.gif")
