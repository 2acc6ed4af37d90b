"""Rank of constraint rows: which rows are independent, with errors and warnings."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from spatial_v2.engine.parts.outcomes import (
    DEPENDENT,
    FREE,
    NEAR,
    NOT_FINITE,
    NOTABLE,
    STEADY,
    TIE,
    ZERO,
    Report,
)
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
    "vanish",
]

Rank: TypeAlias = Literal["raise", "nan", "minimum_norm", "proximal"]
"""Treatment of rows that depend on each other or are zero."""
Refusal: TypeAlias = Literal["raise", "nan"]
"""Values of `Rank` for functions that do not choose among several solutions."""

_SHARE = 1e-4
"""Error messages name the rows whose coefficient in a vanishing sum of rows is at least this
fraction of the largest one.
"""


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
        square = np.where(free, (rest * rest).sum(axis=-1), -np.inf)
        best = (square >= (1 - TIE) * square.max(axis=1, keepdims=True)).argmax(axis=1)
        pivot = square[state, best]
        order[:, k], pivots[state, best], free[state, best] = best, pivot, False
        counts = (rank == k) & (pivot > ZERO)
        rank += counts
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


def vanish(sizes: np.ndarray) -> np.ndarray:
    """Mask of rows that are zero up to rounding errors, from their `Rows.sizes`."""
    return sizes <= ZERO**2


def tell(report: Report, rank: Rank, damping: float, of: Sequence[int]) -> None:
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
    of : sequence of int
        Number of rows of each constraint, by which a message finds the constraint of a row.
    """
    if rank == "nan":
        return
    finite, free = report.status != NOT_FINITE, report.status == FREE
    if free.any():
        k = int(report.variable[free].flat[0])
        _refuse(
            free,
            finite,
            f"constraints: the bodies that velocity variable {k} moves have no inertia, "
            "and the constraints do not determine their motion{}: a force on them has no "
            "finite acceleration. Give these bodies mass, or constrain them",
        )
    short = report.status == DEPENDENT
    if short.any() and rank == "raise" and not damping:
        _refuse(short, finite, _dependence(report, of))
    for text in [*_near(report, of), *_lost(report)]:
        warnings.warn(text, RankWarning, stacklevel=2)


def speaks(report: Report, rank: Rank, damping: float) -> bool:
    """Test if `tell` has anything to say about the states of a report."""
    if rank == "nan" or not report.status.any():
        return False
    lost = report.status == FREE
    if rank == "raise" and not damping:
        lost = lost | (report.status == DEPENDENT)
    return bool(lost.any() or _near(report, [report.sizes.shape[-1]]) or _lost(report))


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


def _dependence(report: Report, of: Sequence[int]) -> str:
    """Return the text of the error for dependent or zero rows."""
    m = report.sizes.shape[-1]
    k = int(np.where(report.status == DEPENDENT, report.rank, m + 1).argmin())
    sizes, shares = (x.reshape(-1, m)[k] for x in (report.sizes, report.shares))
    zero, rows = np.flatnonzero(vanish(sizes)), np.flatnonzero(shares > _SHARE * shares.max())
    why = []
    if len(rows):
        why.append(
            f"rows of {_names(rows, of)} are linearly dependent, as those of three points of one "
            "body are"
        )
    if len(zero):
        why.append(f"rows of {_names(zero, of)} are zero, as no joint moves anything along them")
    return (
        f"constraints: their {m} rows have rank {int(report.rank.flat[k])} only{{}}: "
        f"{'; '.join(why)}, or the configuration is singular. Leave rows out, or give "
        "rank='minimum_norm' (least squares, shortest lambda_) or damping > 0"
    )


def _names(rows: np.ndarray, of: Sequence[int]) -> str:
    named = dict.fromkeys(np.searchsorted(np.cumsum(of), rows, "right").tolist())
    return ", ".join(f"constraints[{c}]" for c in named)


def _near(report: Report, of: Sequence[int]) -> list[str]:
    """Return the texts of warnings for rows that are nearly zero or nearly dependent."""
    told = (report.status == NOTABLE) | (report.status == DEPENDENT)
    solved = told[..., None] & (report.pivots > ZERO)
    both = {
        "depend on others: the square of the sine of the angle to them is {}": report.pivots,
        "vanish: the length of a row is {} of its upper bound": np.sqrt(np.where(solved, report.sizes, 1.0)),
    }
    texts = []
    for what, x in both.items():
        near = np.where(solved & (x < NEAR * ZERO), x, 1.0)
        least = near.min(initial=1.0)
        if least < 1.0:
            row = np.array([int(near.argmin()) % near.shape[-1]])
            digits = -np.log10(least) / (2 if x is report.pivots else 1)
            texts.append(
                f"constraints: rows of {_names(row, of)} nearly {what.format(f'{least:.1e}')}, and "
                f"would count as zero below {ZERO:g}. In such states lambda_ is large, and "
                f"about {digits:.0f} of its 16 digits are lost"
            )
    return texts


def _lost(report: Report) -> list[str]:
    """Return the texts of warnings for damping below rounding, and for lost digits."""
    texts = []
    told = (report.status == NOTABLE) | (report.status == DEPENDENT)
    least = np.where(told, report.damping, 1.0).min(initial=1.0)
    if least < ZERO:
        texts.append(
            "damping: rows are linearly dependent, and the damping is "
            f"{least:.1e} of the entries of G H^-1 G^T: rounding errors of the accelerations of "
            "the rows, divided by it, are part of lambda_. Give more damping, or "
            "rank='minimum_norm' without damping"
        )
    most = np.where(told, report.change, 0.0).max(initial=0.0)
    if most > STEADY:
        texts.append(
            "constraints: the equations of motion are nearly singular: a step of refinement still "
            f"changed accelerations by {most:.0e} of their size. Inertias differ by too many "
            "orders of magnitude, or a motion that the constraints leave has hardly any inertia"
        )
    return texts
