"""MATLAB's Simulink example 4: a free box that spins about its intermediate axis and tumbles.

Energy, momentum and the centre of mass are conserved; the angular velocity is known in closed form,
by Jacobi's elliptic functions.

    python examples/simulink_4_tumbling_box.py [--quick]
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.special import ellipj, ellipk

from spatial_v2 import EnerMo, free_base, inertia_parts, neutral, simulate, singlebody

SPIN = np.array([0.4, 2.0, 0.0])


def exact(times: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """Angular velocities by the exact solution of Euler's equations; the third begins with zero.

    Landau and Lifshitz, Mechanics, Sec. 37, axes 1 and 3 swapped; L^2 < 2 E I2 for momentum L.
    """
    I1, I2, I3 = inertia
    energy, momentum = inertia @ SPIN**2, inertia**2 @ SPIN**2
    slow, fast = momentum - energy * I1, energy * I3 - momentum
    m = (I3 - I2) * slow / ((I2 - I1) * fast)
    phase = ellipk(m) + times * np.sqrt((I2 - I1) * fast / (I1 * I2 * I3))
    sn, cn, dn, _ = ellipj(phase, m)
    size = [fast / (I1 * (I3 - I1)), slow / (I2 * (I2 - I1)), slow / (I3 * (I3 - I1))]
    return np.sqrt(size) * np.stack([dn, sn, cn], axis=-1)


def main(quick: bool = False) -> dict[str, float]:
    model = free_base(singlebody())
    _, c, Ic = inertia_parts(model.I[0])
    seconds = 4.0 if quick else 20.0
    times = np.linspace(0, seconds, int(10 * seconds) + 1)
    start = neutral(model), np.concatenate([SPIN, np.cross(c, SPIN)])
    motion = simulate(model, start, times, max_step=0.02, rtol=1e-10, atol=1e-12)
    e = EnerMo(model, motion.q, motion.qd)
    print(" time   angular velocity in the box [rad/s]")
    for k in range(0, len(times), len(times) // 10):
        print(f"{times[k]:5.1f}  ", "  ".join(f"{w:7.4f}" for w in motion.qd[k, :3]))
    report = {
        "angular velocity from the exact one": motion.qd[:, :3] - exact(times, np.diag(Ic)),
        "kinetic energy": e.KE - e.KE[0],
        "centre of mass": e.cm - e.cm[0],
        "velocity of the centre of mass": e.vcm,
        "momentum": e.htot - e.htot[0],
    }
    largest = {name: float(np.abs(x).max()) for name, x in report.items()}
    print("\n".join(f"{name}: {value:.1e}" for name, value in largest.items()))
    return largest


if __name__ == "__main__":
    main("--quick" in sys.argv)
