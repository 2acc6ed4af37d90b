"""Tables for sums over entries of packed tensors, as kernels read them."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.tree import Ints

__all__ = ["PAIRS", "Paired", "Sums"]

PAIRS = 4
"""Number of pairs in a group, which share the data that is read."""


class Sums(NamedTuple):
    """Entries of packed tensors that are summed with rows of the inverse of H, for each pair.

    The pairs (j, k) of the last two indices are in groups whose entries have mostly the same first
    indices.

    Attributes
    ----------
    row : (n,) uint64
        First indices of the entries, group by group.
    entry : (n, PAIRS) uint64
        Indices of the entries in the values of their tensor, for each pair of the group; the index
        after the last value for none.
    first : (groups + 1,) int64
        The first row of each group.
    begin : (4,) int64
        The first group of d2tau_dq, d2tau_dqd and d2tau_cross.
    pair : (2, m) int64
        The pairs (j, k) for which any of these tensors has entries, in order.
    sum : (3, m) uint64
        Indices of their sums for each tensor; the index after the last for none.
    """

    row: Ints
    entry: Ints
    first: Ints
    begin: Ints
    pair: Ints
    sum: Ints


class Paired(NamedTuple):
    """Values of packed tensors for each pair of their last two indices.

    The values of pair (j, k) of tensor t are entry[e], of first index row[e], for e from
    first[t, j n + k] to first[t, j n + k + 1].

    Attributes
    ----------
    row, entry : (m,) int64
        First indices, and indices of the values of the tensor.
    first : (4, n * n + 1) int64
        Begin of each pair; for dM_dq the pairs are those of the first and the last index, and `row`
        is the second one.
    joint : (n,) int64
        The joint of each variable. Variables of different joints commute.
    """

    row: Ints
    entry: Ints
    first: Ints
    joint: Ints
