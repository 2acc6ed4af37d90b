"""Base parameters by least squares, with covariance and condition number."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["Fit", "fit"]

_SHARE = 1e-6
"""Part of a null vector from which on a parameter counts as undetermined."""


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
    rows: np.ndarray
    """Independent equations ``rows @ x = values`` (rank, n) that have the same solutions."""
    values: np.ndarray


def fit(
    R: np.ndarray, tol: float, units: np.ndarray | None = None, kinds: np.ndarray | None = None
) -> Fit:
    """Solve ``A x = b`` by least squares, given the triangular factor R of the QR decomposition of
    [A b].

    A column counts as zero if it is smaller than the largest one of its kind by the factor `tol`,
    after multiplication by its unit. All columns are then scaled to equal length.

    Examples
    --------
    >>> found = fit(np.array([[2.0, 0.0, 4.0], [0.0, 0.0, 3.0]]), 1e-9)
    >>> found.x, found.rank, found.squares, found.free
    (array([2., 0.]), 1, 9.0, array([False,  True]))
    """
    A, b = R[:, :-1], R[:, -1]
    size = np.sqrt(np.sum(A * A, axis=0))
    shown = size if units is None else size * units
    kinds = np.zeros(len(size), int) if kinds is None else kinds
    largest = np.array([shown[kinds == k].max() for k in kinds])
    size = np.where(shown > tol * np.maximum(largest, 1e-300), size, np.inf)
    U, s, Vt = np.linalg.svd(A / size, full_matrices=True)
    rank = int(np.count_nonzero(s > tol * max(s.max(initial=0.0), 1e-300)))
    inside, outside = Vt[:rank].T, Vt[rank:].T
    x = inside @ ((U[:, :rank].T @ b) / s[:rank]) / size
    half = inside / s[:rank] / size[:, None]
    residual = b - A @ x
    return Fit(
        x,
        half @ half.T,
        np.any(np.abs(outside) > _SHARE, axis=1),
        float(s[0] / s[rank - 1]) if rank else np.inf,
        rank,
        float(residual @ residual),
        s[:rank, None] * Vt[:rank] * np.where(np.isfinite(size), size, 0.0),
        U[:, :rank].T @ b,
    )
