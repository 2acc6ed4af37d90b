"""A quadruped hops forward: it pushes off, flies, strikes the ground and comes to rest.

Constraints hold the feet on the ground; the landing is an impact, after which they stick. The
places where the feet land are equations. Contacts may not pull: the ground forces are bounded.
Needs the package example-robot-data. Run it:

    python examples/optimal_control/hop.py
"""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np

from spatial_v2 import Animation, showmotion
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
NV, NU, H, PUSH, FLY, LAND, FAR = MODEL.NV, E["NU"], 0.01, 20, 20, 25, 0.1
NAMES = [name for name in MODEL.frames if name.endswith("FOOT")]
GAINS, FIRST = (0.0, 50.0), PUSH + FLY
GOAL = START + np.r_[np.zeros(4), FAR, np.zeros(NU + 2)]
REST, WEIGHTS = np.zeros(NV), np.r_[np.ones(6), 0.1 * np.ones(NU)]


def down(name: str) -> Bounds:
    """Return the equation that a foot lands a distance `FAR` ahead of its place at the start."""
    foot = FramePosition(MODEL, name)
    place = foot.value(Instants(START, REST, REST)) + np.array([FAR, 0.0, 0.0])
    return Bounds(foot, place, place, slice(FIRST, FIRST + 1))


FORCES = ContactForce(MODEL, FEET, DRIVEN, np.eye(12)[2::3], GAINS)
PROBLEM = ShootingProblem(
    MODEL,
    START,
    REST,
    np.full(PUSH + FLY + LAND, H),
    running=[StateCost(MODEL, GOAL, WEIGHTS, 0.01), ControlCost(0.1, STAND)],
    terminal=[StateCost(MODEL, GOAL, 100.0 * WEIGHTS, 10.0)],
    actuation=DRIVEN,
    phases=[ContactPhase(PUSH, FEET), ContactPhase(FLY), ContactPhase(LAND, FEET, impact=True)],
    baumgarte=GAINS,
    running_bounds=[
        *map(down, NAMES),
        Bounds(FORCES, 0.5, np.inf, slice(PUSH)),
        Bounds(FORCES, 0.5, np.inf, slice(FIRST, None)),
    ],
)
GUESS = Trajectory(START, REST, STAND)
"""The first guess: the robot stands still, also during the flight."""


def hop(method: Any = "newton", **options: Any) -> Solution:
    """Return the hop of least cost, found by a method of `solve`."""
    return solve(PROBLEM, GUESS, method, max_iterations=300, **options)


def animation() -> Animation:
    """Animate the hop."""
    q = np.delete(hop().trajectory.q, FIRST, axis=0)
    return showmotion(MODEL, H * np.arange(len(q)), q, overlays=["com"])


if __name__ == "__main__":
    for method in ("newton", "ilqr"):
        found = hop(method)
        print(f"{method}: {found.status}, {found.iterations} iterations, cost {found.cost:.9f}")
    animation().save("hop.gif")
