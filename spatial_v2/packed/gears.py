"""Packed tensors of models whose joints follow fewer variables, from packed tensors of the tree:
rotors are bodies of an expanded tree, and follow the joints that drive them.
"""

import functools

import numpy as np

from spatial_v2.engine.spread import Sums
from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.model import Model
from spatial_v2.model.rotors import driven, expand
from spatial_v2.packed.compute import width
from spatial_v2.packed.pattern import TensorPattern, patterns
from spatial_v2.packed.tensor import PackedTensor


def patterns_of(model: Model, runs: Runs) -> tuple[TensorPattern, ...]:
    """Return the sparsity patterns of an algorithm's tensors for a model, which may have rotors."""
    if not model.has_rotors:
        return patterns(model.layout, runs)
    return tuple(pattern for pattern, _ in _joined(model, runs))


def contract_tensors(
    model: Model, tensors: tuple[PackedTensor, ...], runs: Runs
) -> list[PackedTensor]:
    """Return the tensors of a model with rotors, from those of the expanded tree."""
    from scipy.sparse import csr_array

    out = []
    for tensor, (pattern, sums) in zip(tensors, _joined(model, runs), strict=True):
        weights = csr_array((sums.factor, sums.place, sums.begin), shape=(pattern.nnz, sums.values))
        *lead, _ = tensor.values.shape
        flat = tensor.values.reshape(int(np.prod(lead, dtype=int)), sums.values) @ weights.T
        out.append(PackedTensor(pattern, flat.reshape(*lead, pattern.nnz)))
    return out


def _joined(model: Model, runs: Runs) -> list[tuple[TensorPattern, Sums]]:
    one, ratio = np.eye(model.NV), model.gr[model.has_rotor].astype(float)
    G = np.concatenate([one, ratio[:, None] * one[driven(model)]])
    return [join(fine, G) for fine in patterns(expand(model).layout, runs)]


def join(fine: TensorPattern, G: np.ndarray) -> tuple[TensorPattern, Sums]:
    """Return the pattern of a tree's tensor times G on each axis, and its values as sums."""
    return _join(fine, np.ascontiguousarray(G, dtype=float).tobytes(), G.shape[1])


@functools.lru_cache(maxsize=64)
def _join(fine: TensorPattern, numbers: bytes, n: int) -> tuple[TensorPattern, Sums]:
    G = np.frombuffer(numbers).reshape(fine.n, n)
    rows, columns = np.nonzero(G)
    count = np.bincount(rows, minlength=fine.n)
    begin = np.cumsum(count) - count
    place, factor, flat = np.arange(fine.nnz), np.ones(fine.nnz), np.zeros(fine.nnz, np.int64)
    for axis in (fine.i, fine.j, fine.k):
        # a term for each variable that moves the row
        row = np.repeat(axis[place], count[axis[place]])
        every = count[axis[place]]
        term = np.arange(len(row)) - np.repeat(np.cumsum(every) - every, every) + begin[row]
        place, factor = np.repeat(place, every), np.repeat(factor, every) * G[row, columns[term]]
        flat = np.repeat(flat, every) * n + columns[term]
    entries, of = np.unique(flat, return_inverse=True)
    order = np.argsort(of, kind="stable")
    starts = np.searchsorted(of[order], np.arange(len(entries) + 1))
    pattern = TensorPattern.of(np.stack([entries // n**2, entries // n % n, entries % n]), n)
    return pattern, Sums(starts, place[order], factor[order], fine.nnz, width(fine.nnz))
