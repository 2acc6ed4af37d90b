"""Turn the trunk of a quadruped on its four feet, by differential dynamic programming.

Constraints hold the feet, and the trunk moves on its Lie group. The time step is expanded to second
order: its Hessian, weighted by the costate, is one call of `modKKT_second_derivatives` for all time
steps together, without forming a tensor. Without the Hessian the method is iLQR, which converges
linearly instead of quadratically. Needs the package example-robot-data. Run it:

    python examples/optimal_control/ddp_contacts.py
"""

from __future__ import annotations

from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from derivatives import KKT_FO_derivatives, modKKT_second_derivatives, symmetrize
from derivatives.reference import bicomplex_step, complex_step
from spatial_v2 import (
    ID,
    KKT_FD,
    Animation,
    ConstraintSet,
    Model,
    configurationAddition,
    configurationDifference,
    constraint_jacobian,
    forward_kinematics,
    icrf,
    load_model,
    neutral,
    point_contact,
    showmotion,
)

MODEL = load_model("solo12", floating_base=True)
FEET = ConstraintSet(MODEL, [point_contact(f) for f in MODEL.frames if f.endswith("FOOT")])
NV, NU, N, H = MODEL.NV, MODEL.NV - 6, 40, 0.01
GAINS = (0.0, 50.0)
TRUNK = Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[np.eye(6)])
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
    v = v + H * KKT_FD(MODEL, q, v, DRIVEN @ u, FEET, baumgarte=GAINS)[0]
    return configurationAddition(MODEL, q, H * v), v


def roll(old: Motion, feed: np.ndarray, K: np.ndarray, length: float) -> Motion:
    """Follow a motion with other efforts."""
    q, v, u = old.q.copy(), old.v.copy(), old.u.copy()
    for k in range(N):
        dx = np.concatenate([configurationDifference(MODEL, old.q[k], q[k]), v[k] - old.v[k]])
        u[k] += length * feed[k] + K[k] @ dx
        q[k + 1], v[k + 1] = step(q[k], v[k], u[k])
    return motion(q, v, u)


def dot(w: np.ndarray, x: Any) -> Any:
    return (x[..., None, :] @ w[..., None])[..., 0, 0]


def trunk_step(v: np.ndarray) -> tuple[np.ndarray, Any]:
    """Displacement of ``q (+) a (+) (H v + b)`` of the trunk from ``q (+) H v``.

    It is ``X a`` without b, and ``moved(b)`` without a; both together have half their bracket, too.
    """
    here, w = neutral(TRUNK), H * v[:, :6]
    there = configurationAddition(TRUNK, here, w)
    X = forward_kinematics(TRUNK, there)[0][..., 0, :, :]

    def moved(b: Any) -> Any:
        return configurationDifference(TRUNK, there, configurationAddition(TRUNK, here, w + b))

    return X, moved


def expand_cost(m: Motion) -> tuple[np.ndarray, np.ndarray]:
    """Gradients and Hessians of the cost."""
    n, T, at = 2 * NV, np.matrix_transpose, np.zeros((N + 1, 6))
    g, Q = np.zeros((N + 1, n + NU)), np.zeros((N + 1, n + NU, n + NU))

    def off(x: Any) -> Any:
        return configurationDifference(TRUNK, GOAL[:7], configurationAddition(TRUNK, m.q[:, :7], x))

    pull = W_Q * configurationDifference(MODEL, GOAL, m.q)
    e_q = np.tile(np.eye(NV), (N + 1, 1, 1))
    e_q[:, :6, :6] = complex_step(off, at)
    g[:, :NV] = (T(e_q) @ pull[..., None])[..., 0]
    Q[:, :NV, :NV] = T(e_q) @ (W_Q[..., None] * e_q)
    Q[:, :6, :6] += bicomplex_step(lambda x: dot(pull[:, :6], off(x)), at)
    g[:, NV:n], Q[:, range(NV, n), range(NV, n)] = W_V * m.v, W_V
    g[:N, n:], Q[:N, range(n, n + NU), range(n, n + NU)] = W_U * (m.u - STAND), W_U
    return g, Q


def expand(m: Motion, exact: bool) -> Expansion:
    n, T = 2 * NV, np.matrix_transpose
    state = m.q[:N], m.v[:N], m.u @ DRIVEN.T
    d = KKT_FO_derivatives(MODEL, *state, FEET, baumgarte=GAINS)
    by_v = H * np.concatenate([d.dqdd_dq, d.dqdd_dqd, d.dqdd_dtau @ DRIVEN], axis=-1)
    by_v[:, range(NV), range(NV, n)] += 1.0
    (X, moved), at = trunk_step(m.v[1:]), np.zeros((N, 6))
    turn, push = np.tile(np.eye(NV), (2, N, 1, 1))
    turn[:, :6, :6], push[:, :6, :6] = X, complex_step(moved, at)
    F = np.concatenate([H * push @ by_v, by_v], axis=-2)
    F[:, :NV, :NV] += turn

    g, Q = expand_cost(m)
    bend = np.zeros_like(Q[:N])
    if exact:
        p = g[:, :n].copy()
        for k in reversed(range(N)):
            p[k] += F[k, :, :n].T @ p[k + 1]
        p_q, p_v = p[1:, :NV], p[1:, NV:]
        mu = H * (p_v + H * (T(push) @ p_q[..., None])[..., 0])
        nu = np.zeros((N, FEET.m))
        s = modKKT_second_derivatives(MODEL, *state, mu, nu, FEET, baumgarte=GAINS)
        bend[:, :NV, :NV] = symmetrize(s.H_qq, s.grad_q, MODEL)
        bend[:, :NV, NV:n], bend[:, NV:n, :NV] = s.H_qqd, T(s.H_qqd)
        bend[:, NV:n, NV:n] = s.H_qdqd
        bend[:, n:, :NV] = T(DRIVEN) @ s.H_tauq
        bend[:, :NV, n:] = T(bend[:, n:, :NV])
        b, f = H * by_v[:, :6], p_q[:, :6]
        bend += T(b) @ bicomplex_step(lambda x: dot(f, moved(x)), at) @ b
        bracket = T(push[:, :6, :6] @ b) @ icrf(f) @ X / 2
        bend[..., :6] -= bracket
        bend[:, :6] -= T(bracket)
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
