"""A momentum observer: an arm feels a push without force sensors and without accelerations.

The momentum p = H qd changes by dp/dt = tau + C^T qd - g + tau_ext. An observer integrates the
known terms; what remains, times a gain K, is the residual r, which follows the unknown torque of
the push as a filter of first order, dr/dt = K (tau_ext - r). Joints beyond the pushed link feel
nothing, and so tell which link it was. Run it:

    python examples/momentum_observer.py
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from spatial_v2 import CRBA, ID, FDab, Hqd_and_CTqd, puma560

ARM = puma560()
N, K, PUSHED = ARM.NV, 50.0, 3
"""Velocity variables, gain of the observer [1/s], number of the pushed body."""
INERTIA = np.diag(CRBA(ARM, np.zeros(N)))


def push(t: float) -> np.ndarray:
    """Couple and force on the pushed body, in base coordinates, from 0.5 s to 0.9 s."""
    size = 40 * np.sin(np.pi * (t - 0.5) / 0.4) ** 2 if 0.5 < t < 0.9 else 0.0
    return size * np.array([0.3, -0.2, 0.1, 1.0, 0.5, -1.0])


def torque(t: float, q: np.ndarray) -> np.ndarray:
    """The joint torques of the push, which the arm does not know."""
    rest = np.zeros(N)
    return ID(ARM, q, rest, rest) - ID(ARM, q, rest, rest, {PUSHED: push(t)})


def residual(p: np.ndarray, known: np.ndarray) -> np.ndarray:
    """Residual r (..., NV) from the momentum p and the integral of the known terms plus r."""
    return K * (p - known)


def rates(t: float, x: np.ndarray) -> np.ndarray:
    """Time derivatives of q, qd, the observer's integral, and the torque as r should filter it."""
    q, qd, known, filtered = x.reshape(4, N)
    p, CTqd = Hqd_and_CTqd(ARM, q, qd)
    g = ID(ARM, q, 0 * q, 0 * q)
    tau = g - INERTIA * (100 * (q - np.sin(2 * t + np.arange(N))) + 10 * qd)
    qdd = FDab(ARM, q, qd, tau, {PUSHED: push(t)})
    felt = tau + CTqd - g + residual(p, known)
    return np.concatenate([qd, qdd, felt, K * (torque(t, q) - filtered)])


def watch(seconds: float = 1.2) -> dict[str, np.ndarray]:
    """Times (T,), residuals, filtered torques and true torques (T, NV) of a motion with a push."""
    t = np.linspace(0, seconds, round(400 * seconds) + 1)
    options = {"rtol": 1e-9, "atol": 1e-11, "max_step": 0.01}
    x = solve_ivp(rates, (0, seconds), np.zeros(4 * N), t_eval=t, **options).y.T
    q, qd, known, filtered = np.moveaxis(x.reshape(-1, 4, N), 1, 0)
    found = residual(Hqd_and_CTqd(ARM, q, qd).Hqd, known)
    true = np.array([torque(time, place) for time, place in zip(t, q, strict=True)])
    return {"t": t, "residual": found, "filtered": filtered, "torque": true}


def main(quick: bool = False) -> dict[str, float]:
    run = watch(0.8 if quick else 1.2)
    size = np.abs(run["torque"]).max()
    felt = np.abs(run["residual"]).max(axis=0)
    moved = np.nonzero(felt > 1e-6 * size)[0]
    print(f"largest residuals [N m]: {', '.join(f'{x:.2f}' for x in felt)}")
    print(f"the push acts on body {moved[-1]} (body {PUSHED} was pushed)")
    delay = np.abs(run["residual"] - run["torque"]).max() / size
    print(f"residual and torque differ by {100 * delay:.0f} % at most, the delay of the filter")
    return {
        "residual less filter": float(np.abs(run["residual"] - run["filtered"]).max() / size),
        "beyond the link": float(felt[PUSHED + 1 :].max() / size),
    }


if __name__ == "__main__":
    print("\n".join(f"{name}: {value:.1e}" for name, value in main().items()))
