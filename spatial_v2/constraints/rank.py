"""Which rows of constraints do not depend on the others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_v2.exceptions import SpatialError

__all__ = ["independent", "rank_error"]

TOLERANCE = 1e-10
"""Of the diagonal of the Delassus matrix what must be left of a row that stands on its own."""
_SHARE = 1e-4
"""Of a row, relative to its size, in a sum of rows that is zero, to be named in an error."""


def independent(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of Delassus matrices (..., m, m) in order of choice (..., m), and their rank (...).

    Cholesky factorisation that takes next the row of which, relative to its own size, most is left.

    Examples
    --------
    >>> order, rank = independent(np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 4.0]]))
    >>> order[:2], rank
    (array([0, 2]), array(2))
    """
    m, lead = W.shape[-1], W.shape[:-2]
    size = np.diagonal(W, axis1=-2, axis2=-1)
    scale = 1.0 / np.sqrt(np.where(size > 0, size, 1.0))
    left = (W * scale[..., :, None] * scale[..., None, :]).reshape(-1, m, m)
    order = np.zeros((len(left), m), dtype=np.int64)
    rank, state = np.zeros(len(left), dtype=np.int64), np.arange(len(left))
    free = np.ones((len(left), m), dtype=bool)
    for k in range(m):
        rest = np.where(free, np.diagonal(left, axis1=1, axis2=2), -np.inf)
        best = rest.argmax(axis=1)
        pivot = rest[state, best]
        order[:, k], free[state, best] = best, False
        counts = (rank == k) & ~(pivot <= TOLERANCE)
        rank += counts
        row = left[state, best] / np.sqrt(np.where(counts, pivot, np.inf))[:, None]
        left = left - row[:, :, None] * row[:, None, :]
    return order.reshape(*lead, m), rank.reshape(lead)


def rank_error(W: np.ndarray, ranks: np.ndarray, sizes: Sequence[int]) -> SpatialError:
    """The error of rows that depend on each other, of constraints with so many rows each."""
    m = W.shape[-1]
    where = "" if ranks.size == 1 else f" in {np.sum(ranks < m)} of {ranks.size} states"
    k = int(ranks.argmin())
    one = W.reshape(-1, m, m)[k]
    size = np.sqrt(np.where(one.diagonal() > 0, one.diagonal(), 1.0))
    null = np.linalg.eigh(one / size[:, None] / size)[1][:, : m - int(ranks.flat[k])]
    rows = np.flatnonzero(np.abs(null).max(axis=1) > _SHARE)
    found = dict.fromkeys(np.searchsorted(np.cumsum(sizes), rows, "right").tolist())
    names = ", ".join(f"constraints[{c}]" for c in found)
    return SpatialError(
        f"constraints: their {m} rows have rank {ranks.min()} only{where}: rows of {names} depend "
        "on each other, as three points of one body do, or the configuration is singular. Leave "
        "rows out, or give rank='minimum_norm' (least squares, shortest lambda_) or damping > 0"
    )
