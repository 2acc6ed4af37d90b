"""The passes of `engine.algorithms.riccati` in plain Python."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays.box_minimum import box_minimum

__all__ = [
    "compliances", "cost_scales", "costates", "linear_rollout", "merit", "motion_errors", "riccati",
]  # fmt: skip

T = np.matrix_transpose
Four = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def riccati(
    of: Four, lower: np.ndarray, upper: np.ndarray, shift: np.ndarray, feedback: Four,
    failed: np.ndarray,
) -> None:  # fmt: skip
    """Compute the optimal feedback and the cost to go; write them into `feedback` and `failed`."""
    (F, c, g, Q), (feed, K, p, P) = of, feedback
    B, S, n, _ = F.shape
    p[:, S], P[:, S], failed[:] = g[:, S, :n], Q[:, S, :n, :n], 0.0
    for b in range(B):
        for k in reversed(range(S)):
            h = g[b, k] + F[b, k].T @ (p[b, k + 1] + P[b, k + 1] @ c[b, k])
            A = Q[b, k] + F[b, k].T @ P[b, k + 1] @ F[b, k]
            Auu = A[n:, n:] + np.diag(shift[b])
            minimum = box_minimum(Auu, h[n:], lower[b, k], upper[b, k])
            if minimum is None:
                failed[b] = 1.0
                break
            feed[b, k], free = minimum
            K[b, k] = 0.0
            K[b, k, free] = -np.linalg.solve(Auu[np.ix_(free, free)], A[n:, :n][free])
            p[b, k] = h[:n] + A[:n, n:] @ feed[b, k]
            Pk = A[:n, :n] + A[:n, n:] @ K[b, k]
            P[b, k] = (Pk + Pk.T) / 2


def linear_rollout(
    F: np.ndarray, c: np.ndarray, feedback: Four, lower: np.ndarray, upper: np.ndarray,
    x: np.ndarray, u: np.ndarray, multiplier: np.ndarray,
) -> None:  # fmt: skip
    """Compute changes of states and controls, and multipliers; write them into the last three
    arrays.
    """
    feed, K, p, P = feedback
    x[:, 0] = 0.0
    for k in range(F.shape[1]):
        u[:, k] = np.clip(
            feed[:, k] + (K[:, k] @ x[:, k, :, None])[..., 0], lower[:, k], upper[:, k]
        )
        both = np.concatenate([x[:, k], u[:, k]], axis=-1)
        x[:, k + 1] = (F[:, k] @ both[..., None])[..., 0] + c[:, k]
    multiplier[:] = p + (P @ x[..., None])[..., 0]


def costates(F: np.ndarray, g: np.ndarray, p: np.ndarray, slope: np.ndarray) -> None:
    """Compute the costates and the gradient with respect to the controls; write them into the last
    two arrays.
    """
    n = F.shape[-2]
    p[:, -1] = g[:, -1, :n]
    for k in reversed(range(F.shape[1])):
        row = g[:, k] + (T(F[:, k]) @ p[:, k + 1, :, None])[..., 0]
        p[:, k], slope[:, k] = row[:, :n], row[:, n:]


def compliances(F: np.ndarray, K: np.ndarray, own: np.ndarray, Z: np.ndarray) -> None:
    """Compute the blocks of the inverse Hessian of each instant; write them into Z."""
    B, S, n, _ = F.shape
    X, Z[:] = np.zeros((B, n, n)), 0.0
    for k in range(S):
        KX, F_u = K[:, k] @ X, F[:, k, :, n:]
        Z[:, k, :n, :n], Z[:, k, n:, :n], Z[:, k, :n, n:] = X, KX, T(KX)
        Z[:, k, n:, n:] = KX @ T(K[:, k]) + own[:, k]
        closed = F[:, k, :, :n] + F_u @ K[:, k]
        X = closed @ X @ T(closed) + F_u @ own[:, k] @ T(F_u)
        X = (X + T(X)) / 2
    Z[:, S, :n, :n] = X


def merit(
    c: np.ndarray, w: np.ndarray, stiffness: np.ndarray, g: np.ndarray, x: np.ndarray,
    u: np.ndarray, merits: np.ndarray,
) -> None:  # fmt: skip
    """Compute three numbers of each problem for the line search; write them into the last array."""
    n, axes = c.shape[-1], (1, 2)
    merits[:, 0] = (stiffness[:, None] * c * c).sum(axes)
    merits[:, 1] = (w[:, 1:] * c).sum(axes)
    merits[:, 2] = (g[..., :n] * x).sum(axes) + (g[:, :-1, n:] * u).sum(axes)


def motion_errors(
    slope: np.ndarray, u: np.ndarray, lower: np.ndarray, upper: np.ndarray, bounded: bool,
    c: np.ndarray, of_control: np.ndarray, of_state: np.ndarray, errors: np.ndarray,
) -> None:  # fmt: skip
    """Compute errors as they are and in natural units; write them into the last array."""
    unit, unit_x = of_control[:, None], of_state[:, None]
    step = unit**2 * slope
    if bounded:
        slope, step = (u - np.clip(u - x, lower, upper) for x in (slope, step))
    sizes = slope, c, step / np.where(unit > 0, unit, 1), c / np.where(unit_x > 0, unit_x, 1)
    for row, x in zip(errors, sizes, strict=True):
        row[:] = np.abs(x).max(axis=(-2, -1), initial=0.0)


def cost_scales(
    moved: np.ndarray, q: np.ndarray, qd: np.ndarray, u: np.ndarray, g: np.ndarray, Q: np.ndarray,
    scales: np.ndarray,
) -> None:  # fmt: skip
    """Compute scales of the costs of motions; write them into the last array."""
    sizes = (np.abs(x).max(axis=1, initial=0.0) for x in (qd, u))
    ranges = np.concatenate([moved.max(axis=1) - moved.min(axis=1), *sizes], axis=-1)
    scales[0] = (np.abs(g).sum(axis=1) * ranges).max(axis=-1)
    last = np.zeros((len(u), 1, u.shape[2]))
    z = np.concatenate([q, qd, np.concatenate([u, last], axis=1)], axis=-1)
    scales[1] = (np.abs(np.diagonal(Q, axis1=-2, axis2=-1)) * z**2).sum(axis=(-2, -1))
