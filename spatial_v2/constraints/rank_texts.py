"""Texts of errors and warnings about constraint rows, from reports of the solution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from spatial_v2.engine.parts.outcomes import DEPENDENT, NEAR, NOTABLE, STEADY, ZERO, Report

__all__ = ["dependence", "lost_texts", "near_texts", "vanish"]

_SHARE = 1e-4
"""Error messages name the rows whose coefficient in a vanishing sum of rows is at least this
fraction of the largest one.
"""


def vanish(sizes: np.ndarray) -> np.ndarray:
    """Mask of rows that are zero up to rounding errors, from their `Rows.sizes`."""
    return sizes <= ZERO**2


def dependence(report: Report, of: Sequence[int]) -> str:
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


def near_texts(report: Report, of: Sequence[int]) -> list[str]:
    """Return the texts of warnings for rows that are nearly zero or nearly dependent."""
    told = (report.status == NOTABLE) | (report.status == DEPENDENT)
    solved = told[..., None] & (report.pivots > ZERO)
    lengths = np.sqrt(np.where(solved, report.sizes, 1.0))
    both = {
        "depend on others: the square of the sine of the angle to them is {}": report.pivots,
        "vanish: the length of a row is {} of its upper bound": lengths,
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


def lost_texts(report: Report) -> list[str]:
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
