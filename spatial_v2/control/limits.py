"""Bounds on the rows of the instants, and which of them are equations."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

__all__ = ["SIGN", "Limits"]

SIGN = np.array([-1.0, 1.0])[:, None, None]
"""Signs of the multipliers at lower and at upper bounds."""


class Limits(NamedTuple):
    """Bounds of r rows at S + 1 instants."""

    lower: np.ndarray
    upper: np.ndarray
    equations: np.ndarray
    """Mask of the rows that are equations, shape (S + 1, r)."""
    bounded: np.ndarray
    """Mask of lower and upper bounds, without equations, shape (2, S + 1, r)."""
    bounds: np.ndarray
    """Lower and upper bounds, shape (2, S + 1, r); zero where there is none."""

    @classmethod
    def of(cls, lower: np.ndarray, upper: np.ndarray) -> Limits:
        """Return the bounds with what follows from them."""
        equations, both = np.asarray(lower == upper), np.stack([lower, upper])
        bounded = np.isfinite(both) & ~equations
        return cls(lower, upper, equations, bounded, np.where(bounded, both, 0.0))

    def off(self, v: np.ndarray) -> np.ndarray:
        """Return how far values v of the rows are outside their bounds."""
        return np.asarray(v - np.minimum(np.maximum(v, self.lower), self.upper))

    def nearest(self, y: np.ndarray) -> np.ndarray:
        """Return the bounds that multipliers y belong to."""
        return np.where(y > 0, self.upper, self.lower)
