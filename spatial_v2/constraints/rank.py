"""Rank of constraint rows: which rows are independent, with errors and warnings."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from spatial_v2.constraints.rank_texts import (
    Named,
    dependence,
    lost_texts,
    near_texts,
    vanish,
    without_inertia,
)
from spatial_v2.engine.parts.outcomes import DEPENDENT, FREE, NOT_FINITE, TIE, ZERO, Report
from spatial_v2.exceptions import RankWarning, SpatialError

__all__ = [
    "Rank",
    "Ranks",
    "Refusal",
    "forget",
    "independent",
    "speaks",
    "tell",
    "unit_rows",
]

Rank: TypeAlias = Literal["raise", "nan", "minimum_norm", "proximal"]
"""Treatment of rows that depend on each other or are zero."""
Refusal: TypeAlias = Literal["raise", "nan"]
"""Values of `Rank` for functions that do not choose among several solutions."""


class Ranks(NamedTuple):
    """Result of `independent`: a choice of independent rows."""

    order: np.ndarray
    """Rows in the order in which they are chosen (..., m)."""
    rank: np.ndarray
    """Number of independent rows (...)."""
    pivots: np.ndarray
    """Square (..., m) of the sine of the angle of each row to the rows chosen before it."""


def independent(rows: np.ndarray) -> Ranks:
    """Choose independent rows of matrices by the modified Gram-Schmidt process.

    Each step takes the row with the largest part that is orthogonal to the rows taken before. It is
    independent if the square of that part exceeds `ZERO`.

    Parameters
    ----------
    rows : array, shape (..., m, n)
        Rows of length 1, or of zeros; see `unit_rows`.

    Returns
    -------
    Ranks
        Named tuple ``order, rank, pivots``.

    Examples
    --------
    >>> found = independent(np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
    >>> found.order[:2], found.rank, found.pivots
    (array([0, 2]), array(2), array([1., 0., 1.]))
    """
    (m, n), lead = rows.shape[-2:], rows.shape[:-2]
    rest = rows.reshape(math.prod(lead), m, n).copy()
    B = len(rest)
    order, rank = np.zeros((B, m), dtype=np.int64), np.zeros(B, dtype=np.int64)
    pivots, free, state = np.zeros((B, m)), np.ones((B, m), dtype=bool), np.arange(B)
    for k in range(m):
        # Computed anew from what is left of the rows: squares from which the parts found were
        # subtracted would have no digits of small angles.
        square = np.where(free, (rest * rest).sum(axis=-1), -np.inf)
        # The first of rows that are as long up to rounding, so that rounding does not choose.
        best = (square >= (1 - TIE) * square.max(axis=1, keepdims=True)).argmax(axis=1)
        pivot = square[state, best]
        order[:, k], pivots[state, best], free[state, best] = best, pivot, False
        counts = (rank == k) & (pivot > ZERO)
        rank += counts
        # Beyond the rank nothing is subtracted any more: what is left are rounding errors.
        unit = rest[state, best] / np.sqrt(np.where(counts, pivot, np.inf))[:, None]
        rest -= (rest @ unit[:, :, None]) * unit[:, None, :]
    return Ranks(order.reshape(*lead, m), rank.reshape(lead), pivots.reshape(*lead, m))


def unit_rows(
    G: np.ndarray, sizes: np.ndarray | None, distances: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Divide the rows of a Jacobian by their lengths; return them, and the lengths (..., m).

    Rows that vanish become zero, with the length zero. A unit of each velocity variable counts as
    the given distance.
    """
    rows = G if distances is None else G / distances
    length = np.sqrt((rows * rows).sum(axis=-1))
    if sizes is not None:
        length = np.where(vanish(sizes), 0.0, length)
    return np.where(length[..., None] > 0, rows, 0) / np.where(length > 0, length, 1.0)[
        ..., None
    ], length


def tell(report: Report, rank: Rank, damping: float, of: Named) -> None:
    """Raise the error, or give the warnings, for the states of a report.

    It is an error if no finite state can be solved. Otherwise a warning names the states without
    solution.

    Parameters
    ----------
    report : Report
        The report, with any leading axes.
    rank : Rank
        Treatment of dependent rows; for "nan" nothing is said.
    damping : float
        The damping, with which dependent rows have a solution.
    of : Named
        Names of constraints and joints, for messages.
    """
    if rank == "nan":
        return
    finite, free = report.status != NOT_FINITE, report.status == FREE
    if free.any():
        _refuse(free, finite, without_inertia(report, of))
    short = report.status == DEPENDENT
    if short.any() and rank == "raise" and not damping:
        _refuse(short, finite, dependence(report, of))
    for text in [*near_texts(report, of), *lost_texts(report)]:
        warnings.warn(text, RankWarning, stacklevel=2)


def speaks(report: Report, rank: Rank, damping: float) -> bool:
    """Test if `tell` has anything to say about the states of a report."""
    if rank == "nan" or not report.status.any():
        return False
    lost = report.status == FREE
    if rank == "raise" and not damping:
        lost = lost | (report.status == DEPENDENT)
    rows = Named([report.sizes.shape[-1]])
    return bool(lost.any() or near_texts(report, rows) or lost_texts(report))


def forget(report: np.ndarray, rank: Rank, damping: float, results: Sequence[np.ndarray]) -> None:
    """Set all results of a state to NaN if one of them is not finite, or if its rows are dependent
    and no rule accepts that; the reports (B, ...) are those of a kernel.
    """
    status = report[:, 0]
    lost = status == NOT_FINITE
    if rank in ("raise", "nan") and not damping:
        lost = lost | (status == DEPENDENT)
    if lost.any():
        for x in results:
            x[lost] = np.nan


def _refuse(which: np.ndarray, finite: np.ndarray, text: str) -> None:
    """Raise an error if no finite state of a batch can be solved, or give a warning; `text` is the
    reason, with ``{}`` in place of the states.
    """
    if not (finite & ~which).any():
        where = "" if which.size == 1 else f" in {which.sum()} of {which.size} states"
        raise SpatialError(text.format(where))
    states = ", ".join(str(tuple(k)) for k in np.argwhere(which)[:5].tolist())
    more = ", ..." if which.sum() > 5 else ""
    where = f" in {which.sum()} of {which.size} states, {states}{more}"
    told = text.format(where) + ". The results of these states are NaN"
    warnings.warn(told, RankWarning, stacklevel=3)
