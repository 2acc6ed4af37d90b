"""Which entries of packed tensors belong to a pair of their last two indices."""

from __future__ import annotations

import functools

import numpy as np

from spatial_v2.engine.sums import Sums
from spatial_v2.packed.pattern import TensorPattern

__all__ = ["sums_of"]

_SYMMETRIC = (True, True, False)
"""Of d2tau_dq, d2tau_dqd and d2tau_cross: whether variables of different joints commute."""


@functools.lru_cache(maxsize=64)
def sums_of(patterns: tuple[TensorPattern, ...], joints: bytes) -> Sums:
    """The sums of `fd_so` for the patterns of `ID_SO_derivatives`.

    Parameters
    ----------
    patterns : tuple of TensorPattern
        Those of d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq.
    joints : bytes
        The number of the joint of each velocity variable, int64.
    """
    n, joint = patterns[0].n, np.frombuffer(joints, dtype=np.int64)
    j, k = np.indices((n, n))
    twice = (j > k) & (joint[:, None] != joint)
    groups, places = [], []
    for pattern, symmetric in zip(patterns[:3], _SYMMETRIC, strict=True):
        pair = pattern.j.astype(np.int64) * n + pattern.k
        kept = np.flatnonzero(~(symmetric & twice)[pattern.j, pattern.k])
        groups.append(_by_pair(pattern, pair, kept))
        found = groups[-1][0]
        place = np.full((n, n), len(found))
        place.flat[found] = np.arange(len(found))
        places.append(np.where(symmetric & twice, place.T, place))
    pattern = patterns[3]
    pair = pattern.k.astype(np.int64) * n + pattern.j
    groups.append(_by_pair(pattern, pair, np.arange(pattern.nnz)))
    pairs, entries, rows, lengths = zip(*groups, strict=True)
    return Sums(
        entry=np.concatenate(entries).astype(np.uint64),
        row=np.concatenate(rows).astype(np.uint64),
        first=np.cumsum([0, *np.concatenate(lengths)]),
        begin=np.cumsum([0, *map(len, pairs)]),
        place=np.stack(places).astype(np.uint64),
        where=np.searchsorted(pairs[3] // n, np.arange(n + 1)),
        other=(pairs[3] % n).astype(np.uint64),
    )


def _by_pair(pattern: TensorPattern, pair: np.ndarray, kept: np.ndarray) -> tuple[np.ndarray, ...]:
    """The pairs of the entries kept, in order; the entries, their rows, and how many of each pair.

    They come in twos: where one is missing, any entry and a row of zeros stand for it.
    """
    entry = kept[np.argsort(pair[kept], kind="stable")]
    found, length = np.unique(pair[kept], return_counts=True)
    odd = np.cumsum(length)[length % 2 == 1]
    row = np.insert(pattern.i[entry], odd, pattern.n)
    return found, np.insert(entry, odd, 0), row, length + length % 2
