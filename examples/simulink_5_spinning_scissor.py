"""MATLAB's Simulink example 5: two hinged slabs spin about their common length, and open.

The slabs remain mirror images, so the opening angle has an equation of its own: with J the inertia
about the axis of spin and h the momentum, ``Iyy phid^2 + h^2 / (2 J(phi))`` is the energy.

    python examples/simulink_5_spinning_scissor.py [--quick]
"""

from __future__ import annotations

import sys

import numpy as np

from spatial_v2 import EnerMo, forward_kinematics, free_base, scissor, simulate


def main(quick: bool = False) -> dict[str, float]:
    model = free_base(scissor())
    half, spin = 0.05, 3.0
    q0 = np.array([np.cos(half / 2), 0, -np.sin(half / 2), 0, 0, 0, 0, 2 * half])
    v0 = np.concatenate([[spin * np.sin(half), 0, spin * np.cos(half)], np.zeros(4)])
    seconds = 4.0 if quick else 20.0
    times = np.linspace(0, seconds, int(20 * seconds) + 1)
    motion = simulate(model, (q0, v0), times, max_step=0.02, rtol=1e-10, atol=1e-12)
    e = EnerMo(model, motion.q, motion.qd)

    phi, phid = motion.q[:, 7] / 2, motion.qd[:, 6] / 2
    Ix, Iy, Iz, offset = 1.01 / 12, 1.04 / 12, 0.05 / 12, 0.05
    J = 2 * (Ix * np.sin(phi) ** 2 + Iz * np.cos(phi) ** 2 + offset**2)
    energy = Iy * phid**2 + (J[0] * spin) ** 2 / (2 * J)
    R = forward_kinematics(model, motion.q).R
    mirror = R[:, 0, 2, 0] + R[:, 1, 2, 0]
    print(" time   opening [deg]   spin about the length [rad/s]")
    for k in range(0, len(times), len(times) // 10):
        print(f"{times[k]:5.1f}  {np.rad2deg(2 * phi[k]):8.2f}  {J[0] * spin / J[k]:10.4f}")
    report = {
        "energy": e.KE - e.KE[0],
        "momentum": e.htot - e.htot[0],
        "energy of the opening angle": energy - e.KE[0],
        "slabs as mirror images": mirror,
    }
    largest = {name: float(np.abs(x).max()) for name, x in report.items()}
    print(f"the scissor opens to {np.rad2deg(2 * phi.max()):.1f} deg")
    print("\n".join(f"{name}: {value:.1e}" for name, value in largest.items()))
    return largest


if __name__ == "__main__":
    main("--quick" in sys.argv)
