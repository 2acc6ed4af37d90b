"""Tables that list the entries of packed tensors by the pair (j, k) of their last two indices."""

import functools

import numpy as np

from spatial_v2.engine.tensors.sums import PAIRS, Paired, Sums
from spatial_v2.packed.pattern import TensorPattern

_SYMMETRIC = (True, True, False)
"""True for tensors that are symmetric in the last two indices if these belong to different joints:
d2tau_dq and d2tau_dqd, but not d2tau_cross.
"""


@functools.lru_cache(maxsize=64)
def sums_of(patterns: tuple[TensorPattern, ...], joints: bytes) -> Sums:
    """Return the table with which the kernel `FD_SO_derivatives` sums packed values over the first
    index, for each pair of the last two.

    The patterns are those of d2tau_dq, d2tau_dqd, d2tau_cross and dM_dq; `joints` has the index of
    the joint of each velocity variable, as the bytes of an int64 array.
    """
    n, joint = patterns[0].n, np.frombuffer(joints, dtype=np.int64)
    j, k = np.indices((n, n))
    # Derivatives along variables of different joints commute: such pairs are summed once.
    twice = (j > k) & (joint[:, None] != joint)
    rows: list[np.ndarray] = []
    entries: list[np.ndarray] = []
    places, begin = [], [0]
    for pattern, symmetric in zip(patterns[:3], _SYMMETRIC, strict=True):
        kept = np.flatnonzero(~(symmetric & twice)[pattern.j, pattern.k])
        place = np.full((n, n), -1)
        for pairs in _groups(pattern, kept):
            slots = PAIRS * (len(rows) - begin[-1]) + np.arange(len(pairs))
            place[pattern.j[[p[0] for p in pairs]], pattern.k[[p[0] for p in pairs]]] = slots
            rows.append(np.unique(np.concatenate([pattern.i[p] for p in pairs])))
            entry = np.full((len(rows[-1]), PAIRS), pattern.nnz)
            for c, pair in enumerate(pairs):
                entry[np.searchsorted(rows[-1], pattern.i[pair]), c] = pair
            entries.append(entry)
        begin.append(len(rows))
        places.append(np.where(symmetric & twice, place.T, place))
    occupied = np.nonzero((np.stack(places) >= 0).any(axis=0))
    none = np.zeros((0, PAIRS), dtype=np.int64)
    # Pairs without entries read the place behind all sums.
    size = PAIRS * max(np.diff(begin))
    return Sums(
        row=np.concatenate([none[:, 0], *rows]).astype(np.uint64),
        entry=np.concatenate([none, *entries]).astype(np.uint64),
        first=np.cumsum([0, *map(len, rows)]),
        begin=np.array(begin),
        pair=np.stack(occupied),
        sum=np.stack([np.where(p[occupied] < 0, size, p[occupied]) for p in places]).astype(
            np.uint64
        ),
    )


def pairs_of(patterns: tuple[TensorPattern, ...], joint: np.ndarray) -> Paired:
    """Return the table of entries, by pairs of indices, that the kernel `FD_SO_derivatives_batched`
    reads, for the patterns of `sums_of` and the joint (n,) of each velocity variable.
    """
    rows: list[np.ndarray] = []
    entries, first, n = [], [], patterns[0].n
    for t, pattern in enumerate(patterns):
        row, one = (pattern.i, pattern.j) if t < 3 else (pattern.j, pattern.i)
        pair = one.astype(np.int64) * n + pattern.k
        order = np.argsort(pair, kind="stable")
        first.append(sum(map(len, rows)) + np.searchsorted(pair[order], np.arange(n * n + 1)))
        rows.append(row[order])
        entries.append(order)
    return Paired(
        row=np.concatenate(rows).astype(np.int64),
        entry=np.concatenate(entries),
        first=np.stack(first),
        joint=joint.astype(np.int64),
    )


def _groups(pattern: TensorPattern, kept: np.ndarray) -> list[list[np.ndarray]]:
    """Group the entries with numbers `kept` by their last two indices (j, k), and the pairs (j, k)
    by the greater of the two.

    A group is a list of up to `PAIRS` arrays: the numbers of the entries of each of its pairs.
    """
    deeper = np.maximum(pattern.j, pattern.k)[kept].astype(np.int64)
    pair = (deeper * pattern.n + pattern.j[kept]) * pattern.n + pattern.k[kept]
    order = np.argsort(pair, kind="stable")
    _, begin = np.unique(pair[order], return_index=True)
    groups: list[list[np.ndarray]] = []
    last = -1
    for entries in np.split(kept[order], begin[1:]) if len(kept) else []:
        this = max(pattern.j[entries[0]], pattern.k[entries[0]])
        if this != last or len(groups[-1]) == PAIRS:
            groups.append([])
        groups[-1].append(entries)
        last = this
    return groups
