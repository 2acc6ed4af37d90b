"""The tennis-racket effect: a racket spun about one of its three axes turns over.

A free body with three different moments of inertia rotates steadily about its axes of smallest and
largest inertia. About the intermediate axis it flips repeatedly; the time between two flips is half
a period of Euler's equations, an elliptic integral. No forces act, not even gravity. Run it:

    python examples/tennis_racket.py
"""

from __future__ import annotations

import numpy as np
from scipy.special import ellipk

from spatial_v2 import Model, mcI, neutral, simulate
from spatial_v2.simulation import Simulation

MOMENTS = np.array([0.0012, 0.0150, 0.0162])
"""Moments of inertia about the handle, across it, and normal to the strings [kg m^2]."""
RACKET = Model(
    name="racket",
    parent=[-1],
    jtype=["Fb"],
    Xtree=[np.eye(6)],
    I=[mcI(0.33, [0, 0, 0], np.diag(MOMENTS))],
    gravity=[0, 0, 0],
    appearance={"body": [
        ["colour", [0.2, 0.2, 0.25], "cyl", [[-0.35, 0, 0], [-0.02, 0, 0]], 0.014,
         "colour", [0.85, 0.3, 0.2], "box", [[-0.02, -0.13, -0.008], [0.3, 0.13, 0.0]],
         "colour", [0.2, 0.45, 0.8], "box", [[-0.02, -0.13, 0.0], [0.3, 0.13, 0.008]]]]},
)  # fmt: skip
SPIN, NUDGE, NAMES = 10.0, 0.01, ("handle", "middle", "normal")


def motion(axis: int, seconds: float = 4.0) -> Simulation:
    """The motion that begins with a fast spin about one axis and slow spins about the
    two others.
    """
    qd = np.r_[np.full(3, NUDGE * SPIN), np.zeros(3)]
    qd[axis] = SPIN
    t = np.linspace(0, seconds, round(250 * seconds) + 1)
    return simulate(RACKET, (neutral(RACKET), qd), t, rtol=1e-11, atol=1e-12)


def time_between_flips() -> float:
    """Time between two flips [s], half the period of the middle component, from energy and
    momentum.
    """
    a, b, c = MOMENTS
    w = np.array([NUDGE, 1.0, NUDGE]) * SPIN
    E, L = MOMENTS @ w**2, (MOMENTS**2) @ w**2
    p, q = (c - b) * (L - E * a), (b - a) * (E * c - L)
    return float(2 * ellipk(min(p, q) / max(p, q)) * np.sqrt(a * b * c / max(p, q)))


def main(quick: bool = False) -> dict[str, float]:
    report = {}
    for axis, name in enumerate(NAMES):
        flight = motion(axis, 1.5 if quick and axis != 1 else 4.0)
        spin, H = flight.qd[:, axis], flight.energy.KE
        print(f"{name:7s} spin between {spin.min():7.3f} and {spin.max():6.3f} rad/s")
        report[f"energy, {name}"] = float(np.ptp(H) / H[0])
        if axis == 1:
            at = np.nonzero(np.diff(np.sign(spin)))[0]
            crossings = flight.t[at] - spin[at] * np.diff(flight.t)[at] / np.diff(spin)[at]
            between = float(np.diff(crossings).mean())
            print(f"        turns over every {between:.4f} s; Euler: {time_between_flips():.4f} s")
            report["time between flips"] = abs(between - time_between_flips())
        else:
            report[f"wobble, {name}"] = float(1 - spin.min() / SPIN)
    return report


if __name__ == "__main__":
    print("\n".join(f"{name}: {value:.1e}" for name, value in main().items()))
