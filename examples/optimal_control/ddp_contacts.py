"""Turn the trunk of a quadruped on its four feet, by differential dynamic programming.

Constraints hold the feet, and the trunk moves on its Lie group. The time step is expanded to second
order: its Hessian, weighted by the costate, is one call of `modTimeStep_second_derivatives` for all
time steps together, without forming a tensor. Without the Hessian the method is iLQR, which
converges linearly instead of quadratically. Needs the package example-robot-data. Run it:

    python examples/optimal_control/ddp_contacts.py
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from spatial_v2 import (
    ID,
    Animation,
    ConstraintSet,
    configurationAddition,
    configurationDifference,
    configurationDifference_derivatives,
    constraint_jacobian,
    load_model,
    modConfigurationDifference_second_derivatives,
    modTimeStep_second_derivatives,
    neutral,
    point_contact,
    showmotion,
    time_step,
    time_step_derivatives,
)

MODEL = load_model("solo12", floating_base=True)
FEET = ConstraintSet(MODEL, [point_contact(f) for f in MODEL.frames if f.endswith("FOOT")])
NV, NU, N, H = MODEL.NV, MODEL.NV - 6, 40, 0.01
GAINS = (0.0, 50.0)
HELD_BY: Any = {"constraints": FEET, "baumgarte": GAINS}
DRIVEN = np.eye(NV)[:, 6:]
START = neutral(MODEL)
START[7:] = np.concatenate([np.tile([0.0, 0.8, -1.6], 2), np.tile([0.0, -0.8, 1.6], 2)])
GOAL = configurationAddition(MODEL, START, [0.2, -0.1, 0.4, 0.04, -0.03, 0.03, *np.zeros(NU)])
HELD = np.hstack([DRIVEN, constraint_jacobian(MODEL, START, FEET).T])
STAND = np.linalg.lstsq(HELD, ID(MODEL, START, np.zeros(NV), np.zeros(NV)), rcond=None)[0][:NU]
W_Q = np.vstack([np.tile(np.repeat([0, 1e-4], [6, NU]), (N, 1)), np.repeat([1e3, 0], [6, NU])])
W_V = np.vstack([np.full((N, NV), 1e-4), np.full(NV, 10.0)])
W_U = 0.01
"""Weights of half squares: of distances from the goal, of velocities, of efforts from `STAND`."""


class Motion(NamedTuple):
    """States at N + 1 instants, efforts between them, and what they cost."""

    q: np.ndarray
    v: np.ndarray
    u: np.ndarray
    cost: float


class Expansion(NamedTuple):
    """In (dq, dv, du) at every instant: first order of the step, and cost to second order."""

    F: np.ndarray
    g: np.ndarray
    Q: np.ndarray
    bend: np.ndarray
    """Second order of the step, weighted by the costate; zero for iLQR."""


def motion(q: np.ndarray, v: np.ndarray, u: np.ndarray) -> Motion:
    e = configurationDifference(MODEL, GOAL, q)
    cost = (W_Q * e**2).sum() + (W_V * v**2).sum() + W_U * ((u - STAND) ** 2).sum()
    return Motion(q, v, u, float(cost) / 2)


def stand() -> Motion:
    return motion(np.tile(START, (N + 1, 1)), np.zeros((N + 1, NV)), np.tile(STAND, (N, 1)))


def step(q: np.ndarray, v: np.ndarray, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The next state, by semi-implicit Euler on the group."""
    return time_step(MODEL, q, v, DRIVEN @ u, H, **HELD_BY)


def roll(old: Motion, feed: np.ndarray, K: np.ndarray, length: float) -> Motion:
    """Follow a motion with other efforts."""
    q, v, u = old.q.copy(), old.v.copy(), old.u.copy()
    for k in range(N):
        dx = np.concatenate([configurationDifference(MODEL, old.q[k], q[k]), v[k] - old.v[k]])
        u[k] += length * feed[k] + K[k] @ dx
        q[k + 1], v[k + 1] = step(q[k], v[k], u[k])
    return motion(q, v, u)


def expand_cost(m: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Gradients and Hessians of the cost."""
    n, T = 2 * NV, np.matrix_transpose
    g, Q = np.zeros((N + 1, n + NU)), np.zeros((N + 1, n + NU, n + NU))
    pull = W_Q * configurationDifference(MODEL, GOAL, m.q)
    goal = np.broadcast_to(GOAL, m.q.shape)
    e_q = configurationDifference_derivatives(MODEL, goal, m.q).ddq_dq1
    bend = modConfigurationDifference_second_derivatives(MODEL, goal, m.q, pull).H_q1q1
    g[:, :NV] = (T(e_q) @ pull[..., None])[..., 0]
    Q[:, :NV, :NV] = T(e_q) @ (W_Q[..., None] * e_q) + (bend + T(bend)) / 2
    g[:, NV:n], Q[:, range(NV, n), range(NV, n)] = W_V * m.v, W_V
    g[:N, n:], Q[:N, range(n, n + NU), range(n, n + NU)] = W_U * (m.u - STAND), W_U
    return g, Q


def expand(m: Motion, exact: bool) -> Expansion:
    n, T = 2 * NV, np.matrix_transpose
    state = m.q[:N], m.v[:N], m.u @ DRIVEN.T, H
    d = time_step_derivatives(MODEL, *state, **HELD_BY)
    F = np.concatenate([d.by_state, d.by_tau @ DRIVEN], axis=-1)

    g, Q = expand_cost(m)
    bend = np.zeros_like(Q[:N])
    if exact:
        p = g[:, :n].copy()
        for k in reversed(range(N)):
            p[k] += F[k, :, :n].T @ p[k + 1]
        B = modTimeStep_second_derivatives(MODEL, *state, p[1:, :NV], p[1:, NV:], **HELD_BY)
        inputs = np.zeros((3 * NV + 1, n + NU))
        inputs[:n, :n], inputs[n:-1, n:] = np.eye(n), DRIVEN
        bend = inputs.T @ (B + T(B)) @ inputs / 2
    return Expansion(F, g, Q, bend)


def backward(
    F: np.ndarray, g: np.ndarray, Q: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float] | None:
    """Efforts, gains, and the decrease that they promise; None where there is no minimum."""
    n, feed, K, decrease = 2 * NV, np.zeros((N, NU)), np.zeros((N, NU, 2 * NV)), 0.0
    p, P = g[N, :n], Q[N, :n, :n]
    for k in reversed(range(N)):
        h, A = g[k] + F[k].T @ p, Q[k] + F[k].T @ P @ F[k]
        if np.linalg.eigvalsh(A[n:, n:])[0] <= 0:
            return None
        feed[k] = -np.linalg.solve(A[n:, n:], h[n:])
        K[k] = -np.linalg.solve(A[n:, n:], A[n:, :n])
        decrease -= float(h[n:] @ feed[k]) / 2
        p, P = h[:n] + A[:n, n:] @ feed[k], A[:n, :n] + A[:n, n:] @ K[k]
        P = (P + P.T) / 2
    return feed, K, decrease


def solve(exact: bool, iterations: int = 40, enough: float = 1e-14) -> tuple[list[float], Motion]:
    """The decrease that each iteration promises, down to `enough`, and the motion found.

    Where the exact Hessian has no minimum, far from the optimum, an iteration does without bend.
    """
    m, promised = stand(), []
    while len(promised) < iterations and (not promised or promised[-1] > enough):
        F, g, Q, bend = expand(m, exact)
        bent = Q.copy()
        bent[:N] += bend
        found = backward(F, g, bent) or backward(F, g, Q)
        assert found is not None
        feed, K, decrease = found
        length, new = 1.0, roll(m, feed, K, 1.0)
        while m.cost - new.cost < 0.1 * length * decrease - 1e-12 * m.cost:
            length /= 2
            new = roll(m, feed, K, length)
        m = new
        promised.append(decrease)
    return promised, m


def animation(m: Motion | None = None) -> Animation:
    """The motion that is best, or another one."""
    q = (m or solve(exact=True)[1]).q
    return showmotion(MODEL, H * np.arange(N + 1), q, overlays=["com"])


if __name__ == "__main__":
    solve(exact=True, iterations=1)
    for method, exact in (("DDP, exact Hessian", True), ("iLQR, without", False)):
        start = perf_counter()
        promised, m = solve(exact)
        seconds = perf_counter() - start
        print(f"{method}: {len(promised)} iterations, {seconds:.1f} s, cost {m.cost:.12f}")
        print("  decrease promised:", *(f"{x:.0e}" for x in promised))
    animation(m).save("ddp_contacts.gif")
