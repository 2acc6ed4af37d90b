"""Tables with which kernels sum over entries of packed tensors."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.tree import Ints, Tree

__all__ = ["PAIRS", "Paired", "Sums", "TreeAndSums"]

PAIRS = 4
"""Number of pairs in a group; the pairs of a group share the entries of H^-1 that are read."""


class Sums(NamedTuple):
    """Entries of packed tensors that are multiplied by rows of the inverse of H and summed.

    There is a sum for each pair (j, k) of the last two indices. Pairs are in groups whose entries
    have mostly the same first indices.

    Attributes
    ----------
    row : (n,) uint64
        First indices of the entries, group by group.
    entry : (n, PAIRS) uint64
        Indices of the entries in the values of their tensor, for each pair of the group; the index
        after the last value stands for no entry.
    first : (groups + 1,) int64
        Index in `row` at which each group begins.
    begin : (4,) int64
        Index of the first group of d2tau_dq, d2tau_dqd and d2tau_cross, and the number of groups.
    pair : (2, m) int64
        The pairs (j, k) for which any of these tensors has entries, in order.
    sum : (3, m) uint64
        Index of the sum of each pair, for each tensor; the index after the last for no sum.
    """

    row: Ints
    entry: Ints
    first: Ints
    begin: Ints
    pair: Ints
    sum: Ints


class TreeAndSums(NamedTuple):
    """A tree, and what `FD_SO_derivatives` takes besides.

    Attributes
    ----------
    tree : Tree
    sums : Sums
    many : (4,) int64
        Numbers of values of the packed tensors of inverse dynamics.
    past : bool
        True: results are written with non-temporal stores.
    """

    tree: Tree
    sums: Sums
    many: Ints
    past: bool


class Paired(NamedTuple):
    """Values of packed tensors, sorted by the pair of their last two indices.

    For e from first[t, j n + k] to first[t, j n + k + 1], the value of index entry[e] of tensor t
    belongs to the pair (j, k) and has the first index row[e].

    Attributes
    ----------
    row, entry : (m,) int64
        First indices, and indices of the values in their tensor.
    first : (4, n * n + 1) int64
        Begin of each pair. For dM_dq, the last tensor, pairs are those of the first and the last
        index, and `row` has the second index.
    joint : (n,) int64
        The joint of each variable. Derivatives with respect to variables of different joints
        commute.
    """

    row: Ints
    entry: Ints
    first: Ints
    joint: Ints
