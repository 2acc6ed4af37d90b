"""Minimum of a quadratic function within bounds."""

from __future__ import annotations

import numpy as np

__all__ = ["box_minimum"]


def box_minimum(
    A: np.ndarray, h: np.ndarray, lower: np.ndarray, upper: np.ndarray
) -> tuple[np.ndarray, np.ndarray] | None:
    """Minimise ``h . u + u . A u / 2`` with respect to u within bounds; return u and a mask of the
    entries that are not at a bound.

    Returns None if A is not positive definite for the free entries. This is the reference
    implementation of `controls` in `engine.parts.control_stage`.

    Examples
    --------
    >>> box_minimum(np.eye(2), np.array([-3.0, 0.5]), -np.ones(2), np.ones(2))
    (array([ 1. , -0.5]), array([False,  True]))
    """
    u = np.clip(0 * h, lower, upper)
    for _ in range(60):
        grad = h + A @ u
        free = ~((u <= lower) & (grad > 0) | (u >= upper) & (grad < 0))
        some = np.ix_(free, free)
        try:
            np.linalg.cholesky(A[some])
        except np.linalg.LinAlgError:
            return None
        step, length = np.zeros_like(u), 1.0
        step[free] = -np.linalg.solve(A[some], grad[free])
        if np.abs(step).max(initial=0.0) <= 1e-12 * np.abs(u).max(initial=1.0):
            break
        new = np.clip(u + step, lower, upper)
        while length > 1e-9 and (new - u) @ (grad + A @ (new - u) / 2) > 0.1 * grad @ (new - u):
            length /= 2
            new = np.clip(u + length * step, lower, upper)
        u = new
    return u, free
