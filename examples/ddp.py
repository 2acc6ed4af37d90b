"""Move a double pendulum by differential dynamic programming with exact second derivatives.

Each step of the backward pass needs the Hessian of the next state, weighted by its costate p. This
is one call of `modFD_second_derivatives`, which forms no tensor. Without this term the method is
iLQR and converges linearly, not quadratically. (Joints with several degrees of freedom need
`symmetrize` and `configurationAddition`.) Run it:

    python examples/ddp.py
"""

from __future__ import annotations

import numpy as np

from spatial_v2 import FDab, autoTree, modFD_second_derivatives

MODEL = autoTree(2).replace(gravity=[9.81, 0, 0])
N, STEPS, H = MODEL.NV, 40, 0.025
GOAL, FINAL, EFFORT = np.array([1.5, -0.5, 0, 0]), 10 * np.eye(2 * N), H
DRIFT = np.block([[np.eye(N), H * np.eye(N)], [np.zeros((N, N)), np.eye(N)]])
PUSH = H * np.vstack([H * np.eye(N), np.eye(N)])


def step(x: np.ndarray, u: np.ndarray) -> np.ndarray:
    """The next state [q; qd] by semi-implicit Euler."""
    return DRIFT @ x + PUSH @ FDab(MODEL, x[:N], x[N:], u)


def solve(exact: bool, iterations: int = 9) -> list[float]:
    """Decrease of the cost that each iteration predicts; zero at the optimum."""
    x, u, expected = np.zeros((STEPS + 1, 2 * N)), np.zeros((STEPS, N)), []
    for _ in range(iterations):
        p, P, gains, decrease = FINAL @ (x[-1] - GOAL), FINAL, [], 0.0
        for k in reversed(range(STEPS)):
            d = modFD_second_derivatives(MODEL, x[k, :N], x[k, N:], u[k], PUSH.T @ p)
            A, B = DRIFT + PUSH @ np.hstack([d.FD_q, d.FD_qd]), PUSH @ d.FD_tau
            Qx, Qu = A.T @ p, B.T @ p + EFFORT * u[k]
            Qxx, Qux, Quu = A.T @ P @ A, B.T @ P @ A, B.T @ P @ B + EFFORT * np.eye(N)
            if exact:
                Qxx = Qxx + np.block([[d.H_qq, d.H_qdq.T], [d.H_qdq, d.H_qdqd]])
                Qux = Qux + np.hstack([d.H_tauq, np.zeros((N, N))])
            feed, K = -np.linalg.solve(Quu, Qu), -np.linalg.solve(Quu, Qux)
            gains.append((feed, K))
            decrease -= Qu @ feed / 2
            p, P = Qx + Qux.T @ feed, Qxx + Qux.T @ K
        old = x.copy()
        for k, (feed, K) in enumerate(reversed(gains)):
            u[k] += feed + K @ (x[k] - old[k])
            x[k + 1] = step(x[k], u[k])
        expected.append(float(decrease))
    return expected


if __name__ == "__main__":
    print("iteration  decrease: exact Hessian  without (iLQR)")
    for i, (ddp, ilqr) in enumerate(zip(solve(exact=True), solve(exact=False), strict=True)):
        print(f"{i:9d}{ddp:25.1e}{ilqr:16.1e}")
