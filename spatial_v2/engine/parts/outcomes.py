"""Outcomes of the equations of motion under constraints, and the thresholds that decide them.

Kernels and the reference implementation read the same numbers. All are ratios of quantities of
one dimension, so that no decision depends on units.
"""

from typing import NamedTuple

import numpy as np

SOLVED, NOT_FINITE, DEPENDENT, FREE, NOTABLE = 0, 1, 2, 3, 4
"""Outcomes for one state: solved; results that are not finite; rows are dependent or zero, with the
least-squares solution; a motion without inertia is not determined; solved, with numbers that are
worth a warning.
"""

ZERO = 1e-10
"""A row is dependent if the square of the sine of its angle to the rows chosen before is at most
this, and zero if its length is at most this fraction of an upper bound.
"""
NEAR = 1e4
"""Rows below this factor times `ZERO` give a warning. Above it, the rank does not depend on the
order of the rows.
"""
TIE = 1e-9
"""Relative difference below which rows are equally independent. The first of them is chosen, so
that rounding does not decide.
"""
SURE = 4.0
"""Factor on the size up to which a pivot of an inertia matrix is a rounding error; above it the
pivot is none in whatever order pivots are computed.
"""
SPREAD = 1e8
"""Ratio of the inertias of two velocity variables up to which the inverse of H serves as well as
the elimination of variables.
"""
TRUST = 1e-8
"""Smallest relative pivot of an inertia matrix of which the inverse serves."""
FIRM, CLEAR = 1e-6, 1e-4
"""Smallest relative pivots of an inertia matrix H and of ``G H^-1 G^T`` with which the kernel for
forward dynamics without damping solves by the inverse of H.
"""
STEADY = 1e-6
"""Size of a correction by refinement, relative to the accelerations, up to which they are steady;
after it their error is the square.
"""


class Report(NamedTuple):
    """Outcomes of the solution of B states; see `report_of`."""

    status: np.ndarray
    """Outcomes (B,), for instance `SOLVED`."""
    rank: np.ndarray
    """Numbers of independent rows (B,)."""
    variable: np.ndarray
    """The velocity variable (B,) whose motion has no inertia, for the outcome `FREE`."""
    damping: np.ndarray
    """Size (B,) of the damping relative to ``G H^-1 G^T`` of dependent rows; else 1."""
    change: np.ndarray
    """Size (B,) of the last correction of the accelerations, relative to them."""
    pivots: np.ndarray
    """Square (B, m) of the sine of the angle of each row to the rows chosen before it."""
    sizes: np.ndarray
    """Squared length (B, m) of each row relative to its upper bound."""
    shares: np.ndarray
    """Largest coefficient (B, m) of each row in sums of rows that vanish, for rows of length 1."""


def report_length(m: int) -> int:
    """Return the number of entries of a report on m rows, as kernels write it."""
    return 5 + 3 * m


def report_of(x: np.ndarray) -> Report:
    """Name the entries of the reports (B, report_length(m)) of a kernel.

    Examples
    --------
    >>> report_of(np.zeros((1, 8))).pivots.shape
    (1, 1)
    """
    m = (x.shape[-1] - 5) // 3
    whole = [x[..., k] for k in range(5)]
    return Report(*whole, *(x[..., 5 + k * m : 5 + (k + 1) * m] for k in range(3)))
