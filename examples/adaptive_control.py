"""Adaptive control: an arm learns to follow a course with a load that it does not know.

The control of Slotine and Li multiplies the regressor of ``H qdd_r + C qd_r + g`` by estimates of
the inertial parameters, which it corrects by the error s. Because dH/dt = C + C^T, the function
V = 1/2 s^T H s + 1/2 e^T e / G, with e the error of the estimates, falls at the rate s^T K s,
whatever the load is. Run it:

    python examples/adaptive_control.py
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from spatial_v2 import CRBA, FDab, RegressorSL, getModelInertialParams, mcI, puma560

ARM = puma560()
LOAD = mcI(4.0, [0.0, 0.0, 0.15], 0.02 * np.eye(3))
LOADED = ARM.replace(I=np.concatenate([ARM.I[:-1], ARM.I[-1:] + LOAD]))
K, SLOPE, GAIN = np.array([40.0, 40.0, 20.0, 2.0, 2.0, 0.5]), 5.0, 1.0
"""Gain K of the torque -K s at each joint, decay rate of position errors while s = 0, gain G of the
adaptation.
"""
N, FIRST, TRUE = ARM.NV, getModelInertialParams(ARM)[0], getModelInertialParams(LOADED)[0]


def course(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Desired positions, velocities and accelerations of the joints at time t, each (N,)."""
    w, size = 2 + 0.4 * np.arange(N), 0.5
    return size * np.sin(w * t), size * w * np.cos(w * t), -size * w**2 * np.sin(w * t)


def rates(t: float, x: np.ndarray, gain: float) -> np.ndarray:
    """Time derivatives of the state x: q, qd, the estimates, and the integral of s^T K s."""
    q, qd, estimates = x[:N], x[N : 2 * N], x[2 * N : -1]
    wanted, speed, acceleration = course(t)
    qd_r = speed - SLOPE * (q - wanted)
    s = qd - qd_r
    Y = RegressorSL(ARM, q, qd, qd_r, acceleration - SLOPE * (qd - speed)).Y
    tau = Y @ estimates - K * s
    return np.concatenate([qd, FDab(LOADED, q, qd, tau), -gain * (s @ Y), [s @ (K * s)]])


def follow(gain: float, seconds: float) -> dict[str, np.ndarray]:
    """Times, position errors [rad], V, and the integral of s^T K s, by which V has fallen."""
    t = np.linspace(0, seconds, round(100 * seconds) + 1)
    start = np.concatenate([np.zeros(2 * N), FIRST, [0.0]])
    x = solve_ivp(rates, (0, seconds), start, t_eval=t, args=(gain,), rtol=1e-9, atol=1e-11).y.T
    q, qd, e = x[:, :N], x[:, N : 2 * N], x[:, 2 * N : -1] - TRUE
    wanted = np.array([course(time)[:2] for time in t])
    s = qd - wanted[:, 1] + SLOPE * (q - wanted[:, 0])
    V = np.einsum("ti,tij,tj->t", s, CRBA(LOADED, q), s) / 2 + (e**2).sum(axis=1) / 2 / (gain or 1)
    return {"t": t, "error": np.abs(q - wanted[:, 0]).max(axis=1), "V": V, "lost": x[:, -1]}


def main(quick: bool = False) -> dict[str, float]:
    seconds = 2.0 if quick else 10.0
    with_load, fixed = follow(GAIN, seconds), follow(0.0, seconds)
    end = with_load["t"] > 0.8 * seconds
    for name, run in (("adaptive", with_load), ("fixed", fixed)):
        print(f"{name:9s} largest error at the end {run['error'][end].max():.4f} rad")
    V, lost = with_load["V"], with_load["lost"]
    print(f"V falls from {V[0]:.2f} to {V[-1]:.2f}, its rate is s^T K s")
    ratio = with_load["error"][end].max() / fixed["error"][end].max()
    return {"V less lost": float(np.abs(V + lost - V[0]).max() / V[0]), "adaptive / fixed": ratio}


if __name__ == "__main__":
    print("\n".join(f"{name}: {value:.1e}" for name, value in main().items()))
