"""Sums over entries of tensors that are kept without their zeros, as kernels read them."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.tree import Ints

__all__ = ["Sums"]


class Sums(NamedTuple):
    """Which entries of packed tensors are summed with rows of the inverse of H.

    Attributes
    ----------
    entry, row : (n,) uint64
        Places of entries in the values of their tensor, and their first indices, pair by pair;
        an even number for each pair, filled up by the row after the last, of zeros.
    first : (pairs + 1,) int64
        The first entry of each pair (j, k).
    begin : (5,) int64
        The first pair of d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq, whose pairs go by k.
    place : (3, nv, nv) uint64
        The pair (j, k) among those of the first three tensors; as many as there are for none.
    where : (nv + 1,) int64
        The first pair (l, k) of dM_dq with each k.
    other : (pairs of dM_dq,) uint64
        Its l.
    """

    entry: Ints
    row: Ints
    first: Ints
    begin: Ints
    place: Ints
    where: Ints
    other: Ints
