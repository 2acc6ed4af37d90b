"""Periodic motions as Fourier series."""

from __future__ import annotations

import numpy as np

__all__ = ["at_rest", "basis", "peaks"]


def basis(phase: np.ndarray, harmonics: int) -> np.ndarray:
    """Return sines and cosines of the harmonics, and their first and second derivatives with
    respect to the phase in periods, shape (3, n, 2 harmonics).

    Examples
    --------
    >>> basis(np.array([0.25]), 1).round(12)[0]
    array([[1., 0.]])
    """
    w = 2 * np.pi * np.arange(1, harmonics + 1)
    s, c = np.sin(np.outer(phase, w)), np.cos(np.outer(phase, w))
    return np.array(
        [np.hstack([s, c]), np.hstack([w * c, -w * s]), -np.hstack([w**2 * s, w**2 * c])]
    )


def at_rest(harmonics: int) -> np.ndarray:
    """Return a basis (2 harmonics, 2 harmonics - 2) of the series without velocity and acceleration
    at the beginning of the period.

    Examples
    --------
    >>> at_rest(3).shape
    (6, 4)
    """
    k = np.arange(1, harmonics + 1)
    rows = np.zeros((2, 2 * harmonics))
    rows[0, :harmonics], rows[1, harmonics:] = k, k**2
    return np.asarray(np.linalg.svd(rows / np.linalg.norm(rows, axis=1)[:, None])[2][2:].T)


def peaks(
    values: np.ndarray, limits: np.ndarray, order: float = np.inf
) -> tuple[np.ndarray, np.ndarray]:
    """Return for each joint the largest ratio of |values| (3, n, NV) to limits (3, NV), and its
    slopes (3, n, NV) with respect to the values. With a finite order it is the norm of that order,
    which is smooth and not below the largest ratio.
    """
    ratio = values / limits[:, None]
    top = np.abs(ratio).max(axis=(0, 1))
    if np.isinf(order):
        return top, np.zeros_like(values)
    scaled = ratio / top
    sums = np.sum(np.abs(scaled) ** order, axis=(0, 1))
    slopes = np.sign(scaled) * np.abs(scaled) ** (order - 1) * sums ** (1 / order - 1)
    return top * sums ** (1 / order), slopes / limits[:, None]
