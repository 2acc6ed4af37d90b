"""Rank of constraint rows: tests for zero and dependent rows, with errors and warnings."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from spatial_v2.exceptions import RankWarning, SpatialError

__all__ = [
    "NEAR",
    "TOLERANCE",
    "Rank",
    "Ranks",
    "Refusal",
    "independent",
    "near_rank",
    "refuse",
    "say_rank",
    "vanish",
]

Rank: TypeAlias = Literal["raise", "nan", "minimum_norm", "proximal"]
"""Treatment of rows that depend on each other or are zero."""
Refusal: TypeAlias = Literal["raise", "nan"]
"""Values of `Rank` for functions that do not choose among several solutions."""

TOLERANCE = 1e-10
"""Least relative pivot of the Delassus matrix for an independent row, and least relative length
of a row that is not zero.
"""
NEAR = 1e4
"""Rows whose relative pivot or length is below this factor times `TOLERANCE` give a warning. Above
it, the rank does not depend on the order of the rows.
"""
_SHARE = 1e-4
"""Error messages name the rows whose coefficient in a vanishing sum of rows is at least this
fraction of the largest one.
"""


class Ranks(NamedTuple):
    """Result of `independent`: order, rank and pivots of the rows of Delassus matrices."""

    order: np.ndarray
    """Rows in the order of pivoting (..., m)."""
    rank: np.ndarray
    """Number of independent rows (...)."""
    left: np.ndarray
    """Relative pivots (..., m), in the order of pivoting."""


def independent(W: np.ndarray, sizes: np.ndarray | None = None) -> Ranks:
    """Compute the rank of constraint rows by pivoted Cholesky factorisation of Delassus matrices.

    Each step takes the row whose remaining diagonal entry, its pivot, is largest relative to the
    initial one.

    Parameters
    ----------
    W : array, shape (..., m, m)
        Delassus matrices ``G H^-1 G^T``.
    sizes : array, shape (..., m), optional
        Squared lengths of the rows of G relative to upper bounds; see `Rows.sizes`. They identify
        rows that are zero up to rounding errors.

    Returns
    -------
    Ranks
        Named tuple ``order, rank, left``.

    Examples
    --------
    >>> W = np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 4.0]])
    >>> found = independent(W)
    >>> found.order[:2], found.rank
    (array([0, 2]), array(2))
    >>> independent(W, np.array([1e-32, 0.5, 0.5])).order[:2]
    array([1, 2])
    """
    m, lead = W.shape[-1], W.shape[:-2]
    scale = _scale(W, sizes)
    left = (W * scale[..., :, None] * scale[..., None, :]).reshape(-1, m, m)
    order, taken = np.zeros((len(left), m), dtype=np.int64), np.zeros((len(left), m))
    rank, state = np.zeros(len(left), dtype=np.int64), np.arange(len(left))
    free = np.ones((len(left), m), dtype=bool)
    for k in range(m):
        rest = np.where(free, np.diagonal(left, axis1=1, axis2=2), -np.inf)
        best = rest.argmax(axis=1)
        pivot = rest[state, best]
        order[:, k], taken[:, k], free[state, best] = best, pivot, False
        counts = (rank == k) & ~(pivot <= TOLERANCE)
        rank += counts
        row = left[state, best] / np.sqrt(np.where(counts, pivot, np.inf))[:, None]
        left = left - row[:, :, None] * row[:, None, :]
    return Ranks(order.reshape(*lead, m), rank.reshape(lead), taken.reshape(*lead, m))


def _scale(W: np.ndarray, sizes: np.ndarray | None) -> np.ndarray:
    """Return factors that scale the diagonal entries of the Delassus matrix W to one; zero for rows
    that are zero.
    """
    size = np.diagonal(W, axis1=-2, axis2=-1)
    scale = 1.0 / np.sqrt(np.where(size > 0, size, 1.0))
    return scale if sizes is None else np.where(vanish(sizes), 0.0, scale)


def vanish(sizes: np.ndarray) -> np.ndarray:
    """Mask of rows that are zero up to rounding errors, from their `Rows.sizes`."""
    return sizes <= TOLERANCE**2


def refuse(which: np.ndarray, finite: np.ndarray, text: str) -> None:
    """Raise an error if no finite state of a batch can be solved; otherwise give a warning that
    names the states without solution.

    Parameters
    ----------
    which, finite : array of bool, shape (...)
        Masks of the states that cannot be solved, and of the states with finite numbers.
    text : str
        The reason, with ``{}`` in place of the states.
    """
    if not (finite & ~which).any():
        where = "" if which.size == 1 else f" in {which.sum()} of {which.size} states"
        raise SpatialError(text.format(where))
    states = ", ".join(str(tuple(k)) for k in np.argwhere(which)[:5].tolist())
    more = ", ..." if which.sum() > 5 else ""
    where = f" in {which.sum()} of {which.size} states, {states}{more}"
    told = text.format(where) + ". The results of these states are NaN"
    warnings.warn(told, RankWarning, stacklevel=2)


def say_rank(W: np.ndarray, sizes: np.ndarray | None, found: Ranks, of: Sequence[int]) -> None:
    """Raise the error, or give the warning, for dependent or zero constraint rows.

    `of` has the number of rows of each constraint, by which the message finds the constraint of a
    row.
    """
    m, short = W.shape[-1], found.rank < W.shape[-1]
    k = int(found.rank.argmin())
    one = (W * _scale(W, sizes)[..., :, None] * _scale(W, sizes)[..., None, :]).reshape(-1, m, m)[k]
    null = np.linalg.eigh(one)[1][:, : m - int(found.rank.flat[k])]
    zero = np.flatnonzero(one.diagonal() == 0)
    rows = np.setdiff1d(np.flatnonzero(np.abs(null).max(axis=1) > _SHARE), zero)
    why = []
    if len(rows):
        why.append(
            f"rows of {_names(rows, of)} are linearly dependent, as those of three points of one "
            "body are"
        )
    if len(zero):
        why.append(f"rows of {_names(zero, of)} are zero, as no joint moves anything along them")
    refuse(
        short,
        np.isfinite(W).all(axis=(-2, -1)),
        f"constraints: their {m} rows have rank {found.rank.min()} only{{}}: {'; '.join(why)}, or "
        "the configuration is singular. Leave rows out, or give rank='minimum_norm' (least "
        "squares, shortest lambda_) or damping > 0",
    )


def _names(rows: np.ndarray, of: Sequence[int]) -> str:
    found = dict.fromkeys(np.searchsorted(np.cumsum(of), rows, "right").tolist())
    return ", ".join(f"constraints[{c}]" for c in found)


def near_rank(sizes: np.ndarray | None, found: Ranks, of: Sequence[int]) -> list[str]:
    """Return the texts of warnings for rows that are nearly zero or nearly dependent."""
    taken = np.arange(found.order.shape[-1]) < found.rank[..., None]
    left = np.where(taken, found.left, 1.0)
    length = np.ones_like(left)
    if sizes is not None:
        length = np.sqrt(np.where(taken, np.take_along_axis(sizes, found.order, axis=-1), 1.0))
    both = {
        "depend on others: the pivot of a row is {} of its diagonal entry": left,
        "vanish: the length of a row is {} of its upper bound": length,
    }
    texts = []
    for what, x in both.items():
        near = np.where(x < NEAR * TOLERANCE, x, 1.0)
        least = near.min(initial=1.0)
        if least < 1.0:
            row = found.order.flat[[int(near.argmin())]]
            digits = -np.log10(least) / (2 if x is left else 1)
            texts.append(
                f"constraints: rows of {_names(row, of)} nearly {what.format(f'{least:.1e}')}, and "
                f"would count as zero below {TOLERANCE:g}. In such states lambda_ is large, and "
                f"about {digits:.0f} of its 16 digits are lost"
            )
    return texts
