"""Factors and solutions of `engine.algorithms.stage_factors` in plain Python."""

from __future__ import annotations

import numpy as np

__all__ = ["stage_factors", "stage_solution"]

ROUNDING = 1e-16
"""Residual that counts as zero, relative to the first ones."""

T = np.matrix_transpose
Two = tuple[np.ndarray, np.ndarray]
Three = tuple[np.ndarray, np.ndarray, np.ndarray]
Four = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]


def stage_factors(of: Three, weight: np.ndarray, factors: Three, failed: np.ndarray) -> None:
    """Factorise the equations of F, H and C: write feedback K, Hessians P of the cost to go, and
    Cholesky factors L of the Hessians with respect to the controls.
    """
    (F, H, C), (K, P, L) = of, factors
    B, S, n, _ = F.shape
    M = H + T(C) @ (weight[..., None] * C)
    P[:, S], failed[:] = M[:, S, :n, :n], 0.0
    for b in range(B):
        for k in reversed(range(S)):
            A = M[b, k] + F[b, k].T @ P[b, k + 1] @ F[b, k]
            try:
                L[b, k] = np.linalg.cholesky(A[n:, n:])
            except np.linalg.LinAlgError:
                failed[b] = 1.0
            if failed[b] or not np.isfinite(A).all():
                failed[b] = 1.0
                break
            K[b, k] = -np.linalg.solve(A[n:, n:], A[n:, :n])
            Pk = A[:n, :n] + A[:n, n:] @ K[b, k]
            P[b, k] = (Pk + Pk.T) / 2


def stage_solution(
    of: Three, rows: Two, factors: Three, units: Two, right: Four, refinements: int, found: Three
) -> None:  # fmt: skip
    """Solve the equations, and refine the solution with the same factors; see the kernel."""
    x = sweep(of, rows[0], factors, right)
    if rows[0].any():
        left = residual(of, rows, right, x)
        sizes = size(left, units)
        least = ROUNDING * sizes.sum(axis=0)
        error = np.maximum(sizes, least).prod(axis=0)
        for _ in range(refinements):
            dx = sweep(of, rows[0], factors, (0 * right[0], *left))
            new = x[0] + dx[0], x[1] + dx[1], x[2] + dx[2]
            left = residual(of, rows, right, new)
            now = np.maximum(size(left, units), least).prod(axis=0)
            better = (now < error)[:, None, None]
            x = (
                np.where(better, new[0], x[0]),
                np.where(better, new[1], x[1]),
                np.where(better, new[2], x[2]),
            )
            if not (now < error / 2).any():
                break
            error = np.fmin(now, error)
    for out, y in zip(found, x, strict=True):
        out[:] = y


def sweep(of: Three, weight: np.ndarray, factors: Three, right: Four) -> Three:
    """Solve the equations with ``1 / weight`` in place of e: backwards for the gradients p of the
    cost to go, forwards for the motion.
    """
    (F, _, C), (K, P, L), (start, g, c, rho) = of, factors, right
    B, S, n, z = F.shape
    weight, q = weight[..., None], start.shape[-1]
    g = g + T(C) @ (weight * rho)
    p, feed, dz = np.empty((B, S + 1, n, q)), np.empty((B, S, z - n, q)), np.zeros(g.shape)
    p[:, S] = g[:, S, :n]
    for k in reversed(range(S)):
        h = g[:, k] + T(F[:, k]) @ (p[:, k + 1] + P[:, k + 1] @ c[:, k])
        feed[:, k] = -np.linalg.solve(T(L[:, k]), np.linalg.solve(L[:, k], h[:, n:]))
        p[:, k] = h[:, :n] + T(K[:, k]) @ h[:, n:]
    dz[:, 0, :n] = start
    for k in range(S):
        dz[:, k, n:] = feed[:, k] + K[:, k] @ dz[:, k, :n]
        dz[:, k + 1, :n] = F[:, k] @ dz[:, k] + c[:, k]
    return dz, p + P @ dz[..., :n, :], weight * (C @ dz + rho)


def residual(of: Three, rows: Two, right: Four, x: Three) -> Three:
    """Compute what is left of the equations: right-hand sides g, c, rho of a correction."""
    (F, H, C), (weight, soft), (_, g, c, rho), (dz, costates, y) = of, rows, right, x
    n = F.shape[2]
    r = g + H @ dz + T(C) @ y
    r[:, :-1] += T(F) @ costates[:, 1:]
    r[:, :, :n] -= costates
    r[:, -1, n:] = 0.0
    off = np.where(weight[..., None] > 0, C @ dz + rho - soft[..., None] * y, 0.0)
    return r, F @ dz[:, :-1] + c - dz[:, 1:, :n], off


def size(left: Three, units: Two) -> np.ndarray:
    """Return the largest gradient and the largest other residual, in natural units, for each
    right-hand side, shape (2, B, q).
    """
    (g, c, rho), of_z, of_rows = left, units[0][:, None, :, None], units[1][..., None]
    each = g * of_z, c / of_z[:, :, : c.shape[2]], rho / of_rows
    steepest, *rest = (np.abs(x).max(axis=(1, 2), initial=0.0) for x in each)
    return np.array([steepest, np.maximum(*rest)])
