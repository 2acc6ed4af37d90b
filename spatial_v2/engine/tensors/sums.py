"""Tables with which kernels sum over entries of packed tensors."""

from typing import NamedTuple

from spatial_v2.engine.constrained import Constrained
from spatial_v2.engine.tree import Ints, Tree

PAIRS = 4
"""Number of pairs in a group; the pairs of a group share the entries of H^-1 that are read."""


class Sums(NamedTuple):
    """Entries of packed tensors that are multiplied by rows of the inverse of H and summed.

    There is a sum for each pair (j, k) of the last two indices. Pairs are in groups whose entries
    have mostly the same first indices.
    """

    row: Ints
    """First indices (n,) uint64 of the entries, group by group."""
    entry: Ints
    """Indices (n, PAIRS) uint64 of the entries in the values of their tensor, for each pair of the
    group; the index after the last value stands for no entry."""
    first: Ints
    """Index (groups + 1,) in `row` at which each group begins."""
    begin: Ints
    """First groups (4,) of d2tau_dq, d2tau_dqd and d2tau_cross, and the number of groups."""
    pair: Ints
    """The pairs (j, k), (2, m), for which any of these tensors has entries, in order."""
    sum: Ints
    """Index (3, m) uint64 of the sum of each pair, for each tensor; after the last for no sum."""


class TreeAndSums(NamedTuple):
    """A tree, and what `FD_SO_derivatives` takes besides."""

    tree: Tree
    sums: Sums
    many: Ints  # (4,) int64: numbers of values of the packed tensors of inverse dynamics
    past: bool  # True: results are written with non-temporal stores


class Paired(NamedTuple):
    """Values of packed tensors, sorted by the pair of their last two indices.

    For e from first[t, j n + k] to first[t, j n + k + 1], the value of index entry[e] of tensor t
    belongs to the pair (j, k) and has the first index row[e].
    """

    row: Ints  # (m,)
    entry: Ints  # (m,)
    first: Ints
    """Begin (4, n * n + 1) of each pair. For dM_dq, the last tensor, pairs are those of the first
    and the last index, and `row` has the second index."""
    joint: Ints
    """The joint (n,) of each variable. Derivatives along variables of different joints commute."""


class SecondOrder(NamedTuple):
    """Constraints of a tree, and the packed tensors of its inverse dynamics."""

    first: Constrained  # the argument of `KKT_FO_derivatives`
    pairs: Paired  # entries of the packed tensors
    many: Ints  # (4,) int64: numbers of their values
