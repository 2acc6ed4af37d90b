"""MATLAB's Simulink example 7: a disc falls on the ground, bounces and rolls.

A compliant ground with friction acts on the points of its rims. The energy of the disc changes by
the work of the ground forces, so the energy can be checked through all bounces.

    python examples/simulink_7_rolling_disc.py [--quick]
"""

from __future__ import annotations

import sys

import numpy as np

from spatial_v2 import Ground, free_base, gcontact, gcPosVel, rollingdisc, rq, rz, simulate


def main(quick: bool = False) -> dict[str, float]:
    model, ground = free_base(rollingdisc(16)), Ground(K=1e6, D=2000, mu=0.1)
    seconds = 0.15 if quick else 1.5
    q0 = np.concatenate([rq(rz(0.18)), [0, 0, 0.1]])
    v0 = np.concatenate([np.zeros(3), rz(0.18) @ [0.6, 0, 0]])
    times = np.linspace(0, seconds, int(200 * seconds) + 1)

    def show(share: float) -> None:
        if sys.stderr.isatty():
            print(f"\r{share:4.0%}", end="", file=sys.stderr)

    motion = simulate(
        model, (q0, v0), times, contact=ground, method="RK45", rtol=1e-6, atol=1e-8, max_step=0.01,
        progress=show,
    )  # fmt: skip
    p, pd = gcPosVel(model, motion.q, motion.qd)
    assert motion.u is not None
    f = gcontact(*ground, p, pd, motion.u).f
    total = motion.energy.KE + motion.energy.PE
    print(" time   x [m]   height [m]  spin [rad/s]  energy [mJ]  points in contact")
    for k in range(0, len(times), len(times) // 10):
        x, z = motion.q[k, 4], motion.q[k, 6]
        touching = (f[k, :, 2] > 0).sum()
        print(f"{times[k]:5.2f}  {x:6.3f}  {z:8.4f}  {motion.qd[k, 1]:10.2f}", end="")
        print(f"  {1e3 * total[k]:11.3f}  {touching:4d}")
    friction = np.linalg.norm(f[..., :2], axis=-1) - ground.mu * f[..., 2]
    report = {
        "lost to the ground [J]": float(total[0] - total[-1]),
        "energy less work [J]": float(np.abs(motion.energy.drift).max()),
        "friction beyond its cone [N]": float(friction.max()),
        "deepest point [m]": float(-p[..., 2].min()),
        "highest pull of the ground [N]": float(-f[..., 2].min()),
    }
    print("\n".join(f"{name}: {value:.2e}" for name, value in report.items()))
    return report


if __name__ == "__main__":
    main("--quick" in sys.argv)
