"""Base parameters by least squares, with covariance and condition number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Fit", "fit"]


class Fit(NamedTuple):
    """Result of `fit`: a least-squares solution for base parameters and other terms."""

    x: np.ndarray
    """Solution of least norm."""
    spread: np.ndarray
    """Covariance of the solution for residuals of variance one."""
    free: np.ndarray
    """Mask of parameters that the motion does not determine."""
    condition: float
    """Condition number of the regressor after scaling its columns to equal length."""
    rank: int
    squares: float
    """Sum of squared residuals."""


def fit(R: np.ndarray, tol: float) -> Fit:
    """Solve ``A x = b`` by least squares, given the triangular factor R of the QR decomposition of
    [A b].

    Examples
    --------
    >>> found = fit(np.array([[2.0, 0.0, 4.0], [0.0, 0.0, 3.0]]), 1e-9)
    >>> found.x, found.rank, found.squares, found.free
    (array([2., 0.]), 1, 9.0, array([False,  True]))
    """
    A, b = R[:, :-1], R[:, -1]
    size = np.sqrt(np.sum(A * A, axis=0))
    size = np.where(size > tol * max(size.max(initial=0.0), 1e-300), size, np.inf)
    U, s, Vt = np.linalg.svd(A / size, full_matrices=True)
    rank = int(np.count_nonzero(s > tol * max(s.max(initial=0.0), 1e-300)))
    inside, outside = Vt[:rank].T, Vt[rank:].T
    x = inside @ ((U[:, :rank].T @ b) / s[:rank]) / size
    half = inside / s[:rank] / size[:, None]
    left = b - A @ x
    return Fit(
        x,
        half @ half.T,
        np.any(np.abs(outside) > 1e-6, axis=1),
        float(s[0] / s[rank - 1]) if rank else np.inf,
        rank,
        float(left @ left),
    )
