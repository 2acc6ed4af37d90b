"""Throw a robot into the air: integrate a floating-base tree and check energy and momentum.

The state is [q; qd]. Quaternions have four components and three velocities, so the time derivative
of q is `configurationRates(q, qd)`, not qd. Run it:

    python examples/simulate.py
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from spatial_v2 import EnerMo, FDab, Model, autoTree, configurationRates, neutral, normalizeConfVec


def robot() -> Model:
    """A tree of seven links on a floating base, the first link."""
    model = autoTree(7, 2, 0.7, 0.8)
    model.jtype = {0: "Fb"}
    return model


def simulate(model: Model, qd: np.ndarray, seconds: float) -> tuple[np.ndarray, ...]:
    """Times (n,), positions (n, NQ) and velocities (n, NV) of the motion from the neutral
    configuration.
    """

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        q, qd = x[: model.NQ], x[model.NQ :]
        qdd = FDab(model, q, qd, np.zeros(model.NV))
        return np.concatenate([configurationRates(model, q, qd), qdd])

    start = np.concatenate([neutral(model), qd])
    times = np.linspace(0, seconds, 101)
    motion = solve_ivp(rate, (0, seconds), start, "DOP853", times, rtol=1e-10, atol=1e-10)
    q, qd = motion.y[: model.NQ].T, motion.y[model.NQ :].T
    return times, normalizeConfVec(model, q), qd


def main() -> None:
    model = robot()
    qd = np.random.default_rng(0).normal(size=model.NV)
    qd[5] += 5.0
    times, q, qd = simulate(model, qd, 1.0)
    e = EnerMo(model, q, qd)
    energy = e.KE + e.PE
    fall = e.htot[:, 5] + 9.81 * e.mass * times
    print(" time  height  energy [J]")
    for i in range(0, len(times), 20):
        print(f"{times[i]:5.1f}  {e.cm[i, 2]:6.3f}  {energy[i]:.9f}")
    print(f"energy changes by {np.ptp(energy):.1e} J,")
    print(f"vertical momentum without gravity by {np.ptp(fall):.1e} N s")


if __name__ == "__main__":
    main()
