"""A strandbeest walks: six legs of Theo Jansen, all turned by one crank.

A leg has six moving bars, hinged in three loops; his eleven lengths, and two for the place of the
crank, make its foot run nearly straight while it stands. All 36 bars follow the crank, so that the
model has three variables: place of the trunk, and crank. The lowest foot stands, the trunk moves
so that it keeps its place. By virtual work, the torque that holds the crank is the slope of the
potential energy. Run it:

    python examples/strandbeest.py
"""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np

from spatial_v2 import (
    ID,
    EnerMo,
    Model,
    PointConstraint,
    ball_loop,
    constraint_jacobian,
    couple,
    mcI,
    plnr,
    position_error,
)

A, B, C, D, E, F, G, H, I, J, K, L, M = 0.01 * np.array(
    [38, 41.5, 39.3, 40.1, 55.8, 39.4, 36.7, 65.7, 49, 50, 61.9, 7.8, 15]
)
"""Jansen's lengths, at a scale of a metre for his hundred."""
REST = np.radians([138, 89, -131, -93, -88, 175])
"""Directions of the bars j, b, k, c, f and g where the crank is short, for the legs at the left."""


def corner(near: float, far: float, opposite: float, side: int) -> np.ndarray:
    """Return the third corner of a triangle whose first side lies on the x axis."""
    x = (near**2 + far**2 - opposite**2) / (2 * near)
    return np.array([x, side * np.sqrt(far**2 - x**2)])


def bar(*ends: np.ndarray, z: float = 0.0) -> tuple[np.ndarray, list[Any]]:
    """Return inertia, 1 kg for a metre, and drawing of the tubes between the origin and points."""
    mass, drawing = np.zeros((3, 3)), []
    for start, end in combinations([np.zeros(2), *ends], 2):
        n = float(np.linalg.norm(end - start))
        mass = mass + mcI(n, (start + end) / 2, n**3 / 12)
        drawing += ["cyl", [[*start, z], [*end, z]], 0.012]
    return mass, drawing


def beast() -> tuple[Model, list[PointConstraint], list[PointConstraint]]:
    """Return the tree and a guess, the loops that its bars form, and its feet."""
    phases = np.radians([0, 120, 240])
    pins = M * np.c_[np.cos(phases), np.sin(phases)]
    parent, at, loops, feet = [-1, 0, 1], [np.zeros(2)] * 3, [], []
    bars = [bar(), bar(np.array([-A, -L]), np.array([A, -L])), bar(*pins)]
    for side, (leg, pin) in product((1, -1), enumerate(pins)):
        n, place, x = len(parent), np.array([-side * A, -L]), np.array([1.0, 0.0])
        upper, lower = corner(B, D, E, side), corner(G, I, H, side)
        parent += [2, 1, 2, 1, n + 1, n + 3]
        at += [pin, place, pin, place, upper, C * x]
        for ends in ((J * x,), (B * x, upper), (K * x,), (C * x,), (F * x,), (G * x, lower)):
            bars.append(bar(*ends, z=0.2 * (leg - 1)))
        for k, long, wide in ((0, J, B), (2, K, C), (4, F, G)):
            loops.append(ball_loop(n + k, long * x, n + k + 1, wide * x))
        feet.append(PointConstraint(n + 5, lower, point1=np.zeros(2)))
    tree = Model(
        parent=parent,
        jtype=["px", "py"] + ["r"] * (len(parent) - 2),
        Xtree=[plnr(0.0, x) for x in at],
        I=[mass for mass, _ in bars],
        gravity=[0.0, -9.81],
        joint_names=["x", "y", "crank", *(f"{x}{n}" for n in range(6) for x in "jbkcfg")],
        appearance={
            "base": ["box", [[-1.2, -0.03, -0.4], [2.6, 0.0, 0.4]]],
            "body": [["colour", [0.85, 0.6, 0.25], *drawing] for _, drawing in bars],
        },
        camera={"direction": [0.3, 0.25, 1.0], "up": [0.0, 1.0, 0.0], "zoom": 1.5},
    )
    return tree, loops, feet


def guess() -> np.ndarray:
    """Return the joints near a closed configuration, in which all pins are at the axis."""
    legs = []
    for rest in (REST, np.pi - REST):
        j, b, k, c, f, g = rest
        legs += [j, b, k, c, f - b, g - c] * 3
    return np.array([0.0, 0.0, 0.0, *legs])


TREE, LOOPS, FEET = beast()
BEAST = couple(TREE, constraints=LOOPS, independent=["crank"], guess=guess())


def standing(crank: np.ndarray, foot: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Return the variables where a foot, by default the lowest, is at the origin; and which one."""
    y = np.c_[np.zeros((len(crank), 2)), crank]
    places = position_error(TREE, BEAST.position(y), FEET).reshape(len(y), 6, 2)
    foot = places[..., 1].argmin(axis=1) if foot is None else foot
    y[:, :2] = -places[np.arange(len(y)), foot]
    return y, foot


def walk(n: int = 241) -> tuple[np.ndarray, np.ndarray]:
    """Return variables and standing foot for one turn of the crank: the foot keeps its place."""
    crank = np.linspace(0, -2 * np.pi, n)
    y, foot = standing(crank)
    steps = standing(crank[1:], foot[:-1])[0][:, 0] - y[:-1, 0]
    y[:, 0] = np.r_[0.0, np.cumsum(steps)]
    return y, foot


def torque(y: np.ndarray, foot: np.ndarray) -> np.ndarray:
    """Return the torques that hold the crank [N m], the trunk moving as the foot commands."""
    rows = constraint_jacobian(BEAST, y, FEET).reshape(len(y), 6, 2, 3)[np.arange(len(y)), foot]
    motion = np.c_[-rows[..., 2], np.ones(len(y))]
    return np.asarray(np.sum(motion * ID(BEAST, y, 0 * y, 0 * y), axis=1))


def main(quick: bool = False) -> dict[str, float]:
    y, foot = walk(61 if quick else 241)
    opened = np.abs(position_error(TREE, BEAST.position(y), LOOPS)).max()
    found, h = torque(y, foot), 1e-4
    energy = [EnerMo(BEAST, z, 0 * z).PE for z in
              (standing(y[:, 2] + step, foot)[0] for step in (h, -h))]  # fmt: skip
    slope = (energy[0] - energy[1]) / (2 * h)
    mass = EnerMo(BEAST, y[0], 0 * y[0]).mass
    print(f"{TREE.NV} joints follow {BEAST.NV} variables; the bars have {mass:.1f} kg")
    print(f"a turn of the crank moves the trunk by {y[-1, 0]:.3f} m, in six steps")
    print(f"its height, {y[:, 1].mean():.3f} m, changes by {1e3 * np.ptp(y[:, 1]):.1f} mm")
    print(f"torque of the crank: between {found.min():.2f} and {found.max():.2f} N m")
    return {
        "loops open [m]": float(opened),
        "height of the trunk changes [m]": float(np.ptp(y[:, 1])),
        "torque less slope of energy [N m]": float(np.abs(found - slope).max()),
    }


if __name__ == "__main__":
    print("\n".join(f"{name}: {value:.1e}" for name, value in main().items()))
