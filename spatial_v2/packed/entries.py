"""Entries of tensors, in the order in which an algorithm writes their values."""

from typing import Any

import numpy as np

from spatial_v2.arrays.numbers import check_count
from spatial_v2.engine.tensors.runs import Run, Runs
from spatial_v2.exceptions import ArrayShapeError, SpatialError


def checked_entries(i: Any, j: Any, k: Any, n: Any) -> np.ndarray:
    """Check indices of entries of a tensor (n, n, n); return them as an int32 array (3, nnz)."""
    check_count("n", n)
    try:
        index = np.array([i, j, k])
    except ValueError:
        index = np.zeros(0)
    if index.ndim != 2 or (index.size and index.dtype.kind not in "iu"):
        raise ArrayShapeError("i, j, k: want three arrays of whole numbers, of one length")
    index = index.astype(np.int64)
    wrong = ((index < 0) | (index >= n)).any(axis=0)
    if wrong.any():
        got = tuple(index[:, wrong][:, 0].tolist())
        raise SpatialError(f"i, j, k: want indices from 0 to {n - 1}, got {got}")
    first, count = np.unique(index, axis=1, return_counts=True)
    if (count > 1).any():
        got = tuple(first[:, count > 1][:, 0].tolist())
        raise SpatialError(f"i, j, k: want every entry once, got {got} more than once")
    return index.astype(np.int32)


def entries_of(runs: Runs, tensor: int, p: int, path: list[np.ndarray]) -> np.ndarray:
    """Return the indices (3, entries) of the entries of a tensor that `runs` lists for velocity
    variable p.

    `path` has the velocity variables of each joint from the root to that of p.
    """
    index = np.concatenate(path)
    last = np.repeat(np.cumsum([len(joint) for joint in path]), [len(joint) for joint in path])
    first = last - np.repeat([len(joint) for joint in path], [len(joint) for joint in path])
    before = len(index) - len(path[-1])
    blocks = [
        _run_lengths([run for run in chosen if run.tensor == tensor], t, first[t], last[t])
        for chosen, t in (
            (runs.general, np.arange(before)),
            (runs.own, np.arange(before, len(index))),
        )
    ]
    t, order, begin, end = (np.concatenate(x) for x in zip(*blocks, strict=True))
    which = np.repeat(np.arange(len(t)), end - begin)
    y = np.arange(len(which)) - np.repeat(np.cumsum(end - begin) - (end - begin), end - begin)
    ptr = np.stack([np.full(len(which), p), index[t[which]], index[y + begin[which]]])
    places = np.array([["ptr".index(c) for c in name] for name in _ORDERS])[order[which]].T
    return np.take_along_axis(ptr, places, axis=0)


_ORDERS = ("ptr", "prt", "trp", "tpr", "rpt", "rtp")


def _run_lengths(
    runs: list[Run], t: np.ndarray, first: np.ndarray, last: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return four arrays with a row for each pair of a variable t and a run: t, order of the
    indices, and the range of r (begin and end).
    """
    begins = {"path": 0 * first, "above": 0 * first, "joint": first}
    ends = {"path": last, "above": first, "joint": last}
    shape = (len(t), len(runs))
    order = np.broadcast_to(np.array([_ORDERS.index(run.order) for run in runs], dtype=int), shape)
    columns = [(begins[run.part], ends[run.part]) for run in runs]
    begin = np.stack([b for b, _ in columns], axis=1) if runs else np.zeros(shape, dtype=int)
    end = np.stack([e for _, e in columns], axis=1) if runs else np.zeros(shape, dtype=int)
    return np.repeat(t, len(runs)), order.ravel(), begin.ravel(), end.ravel()
