"""MATLAB's Simulink example 3: two floating rods; the joint between them is driven.

Hybrid dynamics: the forces at the base are given (they are zero), and the acceleration of the joint
between the rods is given. No external forces act, so all momenta stay zero while the rods rotate.

    python examples/simulink_3_hybrid_vee.py [--quick]
"""

from __future__ import annotations

import sys

import numpy as np

from spatial_v2 import HD, EnerMo, HDResult, Model, neutral, rq, rv, simulate, vee
from spatial_v2.models import free_base

STIFF, DAMP, SPEED = 1e4, 140.0, np.pi


def driven(model: Model, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> HDResult:
    """Hybrid dynamics where the last entry of `tau` is the acceleration of the joint between the
    rods.
    """
    qdd = np.zeros(7)
    qdd[6] = tau[6]
    return HD(model, [True, False], q, qd, qdd, 0 * tau)


def main(quick: bool = False) -> dict[str, float]:
    model = free_base(vee())
    seconds = 2.0 if quick else 20.0
    times = np.linspace(0, seconds, int(20 * seconds) + 1)

    def servo(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        wanted = STIFF * (SPEED * t - q[7]) + DAMP * (SPEED - qd[6])
        return np.array([0.0, 0, 0, 0, 0, 0, wanted])

    start = neutral(model), np.zeros(7)
    motion = simulate(model, start, times, servo, dynamics=driven, max_step=0.02, rtol=1e-9)
    e = EnerMo(model, motion.q, motion.qd)
    rate = np.sqrt(STIFF - DAMP**2 / 4)
    lag = SPEED / rate * np.exp(-DAMP / 2 * times) * np.sin(rate * times)
    print(" time   joint   the first rod has turned by [deg]")
    for k in range(0, len(times), len(times) // 10):
        turned = np.rad2deg(np.linalg.norm(rv(rq(motion.q[k, :4]))))
        print(f"{times[k]:5.1f} {motion.q[k, 7]:7.3f}  {turned:6.1f}")
    off = SPEED * times - lag - motion.q[:, 7]
    report = {
        "joint from the exact course [rad]": float(np.abs(off).max()),
        "momentum": float(np.abs(e.htot).max()),
        "shift of the centre of mass [m]": float(np.abs(e.cm - e.cm[0]).max()),
        "energy less work [J]": float(np.abs(motion.energy.drift).max()),
    }
    print("\n".join(f"{name}: {value:.1e}" for name, value in report.items()))
    return report


if __name__ == "__main__":
    main("--quick" in sys.argv)
