"""Foucault's pendulum on a turntable: the plane of swing rotates and shows that the floor rotates.

A mass moves between springs, on two prismatic joints, on a floor that rotates about a tilted axis
at a given rate: `HD` takes the acceleration of the first joint and the forces of the others. Seen
from the floor, the plane of swing rotates at ``-Omega sin(latitude)``, where latitude is the angle
between axis and floor, up to terms of higher order in Omega over the frequency of the swing.
Run it:

    python examples/foucault.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import HD, Model, mcI, plux, rx, simulate
from spatial_v2.simulation import Simulation

STIFFNESS, MASS, TURN = 400.0, 1.0, 0.1
"""Stiffness of the springs [N/m], mass [kg], angular velocity Omega of the floor [rad/s]."""
LATITUDES = {"pole": 90.0, "Paris": 48.85, "Nairobi": 0.0}


def floor(latitude: float) -> Model:
    """Model of a floor that rotates about a tilted axis, and of a mass that slides on it east and
    north.
    """
    tilt = plux(rx(np.pi / 2 - np.radians(latitude)), np.zeros(3))
    light, heavy = 1e-9 * np.eye(6), mcI(MASS, [0, 0, 0], 1e-9 * np.eye(3))
    return Model(
        name="Foucault's pendulum",
        parent=[-1, 0, 1],
        jtype=["Rz", "Px", "Py"],
        Xtree=[np.eye(6), tilt, np.eye(6)],
        I=[light, light, heavy],
        gravity=[0, 0, 0],
        appearance={"body": [
            [], ["colour", [0.8, 0.85, 0.9], "box", [[-0.6, -0.6, -0.12], [0.6, 0.6, -0.1]]],
            ["colour", [0.8, 0.5, 0.1], "facets", 20, "sphere", [0, 0, 0], 0.06]]},
    )  # fmt: skip


def motion(latitude: float, seconds: float = 20.0) -> Simulation:
    """Motion of the mass after its release, at rest on the floor, 0.5 m towards the east."""
    model, t = floor(latitude), np.linspace(0, seconds, round(40 * seconds) + 1)

    def hybrid(model: Model, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> tuple:
        springs = np.r_[0.0, -STIFFNESS * q[1:]]
        return HD(model, [False, True, True], q, qd, np.zeros(3), springs)

    return simulate(model, ([0, 0.5, 0], [TURN, 0, 0]), t, dynamics=hybrid, rtol=1e-9, atol=1e-11)


def plane(swing: Simulation) -> np.ndarray:
    """Angle of the plane of swing over time, from east towards north [rad]."""
    (x, y), (vx, vy) = swing.q[:, 1:].T, swing.qd[:, 1:].T
    w2 = STIFFNESS / MASS
    east, north, both = w2 * x**2 + vx**2, w2 * y**2 + vy**2, w2 * x * y + vx * vy
    return np.unwrap(np.arctan2(2 * both, east - north)) / 2


def main(quick: bool = False) -> dict[str, float]:
    report = {}
    for place, latitude in LATITUDES.items():
        swing = motion(latitude, 4.0 if quick else 20.0)
        rate = float(np.polyfit(swing.t, plane(swing), 1)[0])
        law = -TURN * np.sin(np.radians(latitude))
        print(f"{place:8s} the plane turns at {rate:9.6f} rad/s, by the law {law:9.6f}")
        report[place] = abs(rate - law) / TURN
    return report


if __name__ == "__main__":
    print("\n".join(f"{place}: {value:.1e} of the floor's rate" for place, value in main().items()))
