"""Sums over entries of tensors that are kept without their zeros, as kernels read them."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.tree import Ints

__all__ = ["PAIRS", "Sums"]

PAIRS = 4
"""Pairs of a group: what is read for the sum of one serves the others."""


class Sums(NamedTuple):
    """Which entries of packed tensors are summed with rows of the inverse of H, pair by pair.

    The pairs (j, k) of the last two indices are taken in groups whose entries have much the same
    first indices.

    Attributes
    ----------
    row : (n,) uint64
        First indices of the entries, group by group.
    entry : (n, PAIRS) uint64
        Places of the entries in the values of their tensor, for each pair of the group; behind the
        last value for none.
    first : (groups + 1,) int64
        The first row of each group.
    begin : (4,) int64
        The first group of d2tau_dq, d2tau_dqd and d2tau_cross.
    column, sum : (m,) int64
        For each tensor and each j the k of all pairs that have entries, and the place of their sum.
    where : (3, nv + 1) int64
        The first of them for each tensor and each j.
    """

    row: Ints
    entry: Ints
    first: Ints
    begin: Ints
    column: Ints
    sum: Ints
    where: Ints
