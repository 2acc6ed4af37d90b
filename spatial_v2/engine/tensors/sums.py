"""Sums over entries of tensors that are kept without their zeros, as kernels read them."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.tree import Ints

__all__ = ["PAIRS", "Paired", "Sums"]

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
    pair : (2, m) int64
        The pairs (j, k) for which any of these tensors has entries, one after another.
    sum : (3, m) uint64
        The places of their sums for each tensor; behind the last for none.
    """

    row: Ints
    entry: Ints
    first: Ints
    begin: Ints
    pair: Ints
    sum: Ints


class Paired(NamedTuple):
    """Which values of packed tensors belong to a pair of their last two indices.

    Those of pair (j, k) of tensor t are entry[e], of first index row[e], for e from
    first[t, j n + k] to first[t, j n + k + 1].

    Attributes
    ----------
    row, entry : (m,) int64
        First indices, and places among the values of the tensor.
    first : (4, n * n + 1) int64
        Where the pairs begin; for dM_dq they are those of the first and the last index, and `row`
        is the second one.
    joint : (n,) int64
        The joint of each variable. Variables of different joints commute.
    """

    row: Ints
    entry: Ints
    first: Ints
    joint: Ints
