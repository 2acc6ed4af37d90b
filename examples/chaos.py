"""Chaos: two double pendulums that start a billionth of a radian apart.

The derivatives predict how fast they separate: small differences obey the linear equation
``d/dt [dq; dqd] = [[0, 1], [dqdd/dq, dqdd/dqd]] [dq; dqd]`` with the matrices of `FD_derivatives`.
It is integrated together with the motion. While the two pendulums are close, its solution is the
distance between them; the growth rate of this distance is the Lyapunov exponent. Run it:

    python examples/chaos.py
"""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from spatial_v2 import EnerMo, FD_derivatives, FDab, planar

MODEL = planar(2).replace(gravity=[0, -9.81])
START, APART = np.array([0.3, 0.4, 0.0, 0.0]), np.array([1e-9, 0.0, 0.0, 0.0])
ZERO = np.zeros(2)


def rate(t: float, x: np.ndarray) -> np.ndarray:
    """Time derivative of x = [q; qd], or of x = [q; qd; dq; dqd] with small differences."""
    q, qd = x[:2], x[2:4]
    out = [qd, FDab(MODEL, q, qd, ZERO)]
    if len(x) > 4:
        d = FD_derivatives(MODEL, q, qd, ZERO)
        out += [x[6:], d.dqdd_dq @ x[4:6] + d.dqdd_dqd @ x[6:]]
    return np.concatenate(out)


def motion(seconds: float) -> tuple[np.ndarray, ...]:
    """Times (N,), states of both pendulums (N, 4) each, and the difference that the linear equation
    predicts (N, 4).
    """
    t = np.linspace(0, seconds, round(50 * seconds) + 1)

    def solve(x: np.ndarray) -> np.ndarray:
        return solve_ivp(rate, t[[0, -1]], x, "DOP853", t, rtol=1e-12, atol=1e-14).y.T

    first = solve(np.r_[START, APART / np.linalg.norm(APART)])
    return t, first[:, :4], solve(START + APART), first[:, 4:] * np.linalg.norm(APART)


def main(quick: bool = False) -> dict[str, float]:
    t, one, two, predicted = motion(4.0 if quick else 20.0)
    apart, linear = (np.linalg.norm(x, axis=1) for x in (two - one, predicted))
    print(" time   distance  predicted")
    for k in range(0, len(t), len(t) // 10):
        print(f"{t[k]:5.1f}  {apart[k]:9.1e} {linear[k]:9.1e}")
    print(f"grows by exp({np.log(linear[-1] / linear[0]) / t[-1]:.2f} t)")
    e = EnerMo(MODEL, one[:, :2], one[:, 2:])
    near = apart < 1e-5
    report = {
        "energy": float(np.ptp(e.KE + e.PE) / e.KE.max()),
        "distance from the predicted one": float(np.abs(apart / linear - 1)[near].max()),
    }
    print("\n".join(f"{name}: {value:.1e}" for name, value in report.items()))
    return report


if __name__ == "__main__":
    main()
