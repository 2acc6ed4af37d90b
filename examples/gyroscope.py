"""A gyroscope: a spinning top whose horizontal axle does not fall but precesses.

The top is on a ball joint and starts in steady precession: its axle keeps its tilt and rotates at a
rate Omega with ``A Omega^2 cos(tilt) - C n Omega + m g l = 0``; n is the spin about the axle, A and
C are the moments of inertia about the pivot. If it starts without Omega, the axle nutates. Run it:

    python examples/gyroscope.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import Model, mcI, rq, rx, simulate
from spatial_v2.simulation import Simulation

MASS, LENGTH, ACROSS, ALONG, SPIN = 1.0, 0.3, 0.004, 0.008, 300.0
TOP = Model(
    name="gyroscope",
    parent=[-1],
    jtype=["S"],
    Xtree=[np.eye(6)],
    I=[mcI(MASS, [0, 0, LENGTH], np.diag([ACROSS, ACROSS, ALONG]))],
    appearance={"base": ["cyl", [[0, 0, -0.4], [0, 0, 0]], 0.02], "body": [
        ["cyl", [[0, 0, 0], [0, 0, 0.4]], 0.01, "colour", [0.9, 0.5, 0.1], "facets", 24,
         "cyl", [[0, 0, 0.29], [0, 0, 0.31]], 0.13, "colour", [0.2, 0.4, 0.8],
         "box", [[-0.13, -0.01, 0.311], [0.13, 0.01, 0.315]]]]},
)  # fmt: skip


def steady(tilt: float) -> float:
    """The slower of the two rates Omega of steady precession [rad/s]."""
    a, b, c = (ACROSS + MASS * LENGTH**2) * np.cos(tilt), -ALONG * SPIN, MASS * 9.81 * LENGTH
    return float(2 * c / (-b + np.sqrt(b**2 - 4 * a * c)))


def motion(tilt: float, rate: float, seconds: float = 2.0) -> tuple[Simulation, np.ndarray]:
    """The motion, and the unit vectors along the axle (N, 3)."""
    w = np.array([0, rate * np.sin(tilt), SPIN])
    t = np.linspace(0, seconds, round(200 * seconds) + 1)
    course = simulate(TOP, (rq(rx(tilt)), w), t, rtol=1e-10, atol=1e-12)
    return course, np.asarray(rq(course.q))[:, 2, :]


def main(quick: bool = False) -> dict[str, float]:
    seconds, report = 0.3 if quick else 2.0, {}
    for degrees in (60, 90):
        tilt = np.radians(degrees)
        course, axle = motion(tilt, steady(tilt), seconds)
        turned = np.unwrap(np.arctan2(axle[:, 1], axle[:, 0]))
        rate = (turned[-1] - turned[0]) / course.t[-1]
        nods = np.degrees(np.ptp(np.arccos(motion(tilt, 0.0, seconds)[1][:, 2])))
        print(
            f"axle at {degrees} deg: walks at {rate:.6f} rad/s, by the formula {steady(tilt):.6f};"
        )
        print(f"    let go at rest it nods by {nods:.2f} deg")
        report[f"rate at {degrees}"] = abs(rate - steady(tilt))
        report[f"tilt at {degrees}"] = float(np.ptp(axle[:, 2]))
        report[f"energy at {degrees}"] = float(np.abs(course.energy.drift).max())
    return report


if __name__ == "__main__":
    print("\n".join(f"{name}: {value:.1e}" for name, value in main().items()))
