"""Packed tensors of models with rotors, from packed tensors of the expanded tree, in which each
rotor is a body with a joint.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from spatial_v2.engine.tensors.runs import Runs
from spatial_v2.model import Model
from spatial_v2.model.rotors import driven, expand
from spatial_v2.packed.pattern import TensorPattern, patterns
from spatial_v2.packed.tensor import PackedTensor

__all__ = ["contract_tensors", "patterns_of"]


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

    gears = np.concatenate([np.ones(model.NV), model.gr[model.has_rotor]])
    out = []
    for tensor, (pattern, place) in zip(tensors, _joined(model, runs), strict=True):
        fine = tensor.pattern
        weight = gears[fine.i] * gears[fine.j] * gears[fine.k]
        sums = csr_array((weight, (np.arange(fine.nnz), place)), shape=(fine.nnz, pattern.nnz))
        *lead, _ = tensor.values.shape
        flat = tensor.values.reshape(int(np.prod(lead, dtype=int)), fine.nnz) @ sums
        out.append(PackedTensor(pattern, flat.reshape(*lead, pattern.nnz)))
    return out


def _joined(model: Model, runs: Runs) -> tuple[Any, ...]:
    fine = patterns(expand(model).layout, runs)
    return _join(fine, model.NV, tuple(driven(model)))


@functools.lru_cache(maxsize=64)
def _join(fine: tuple[TensorPattern, ...], n: int, driven: tuple[int, ...]) -> tuple[Any, ...]:
    """For each pattern `fine` of the expanded tree, return the pattern in the n variables of the
    model, and for each entry of `fine` the index of the entry there to which it contributes.
    """
    joint = np.concatenate([np.arange(n), np.array(driven, dtype=int)])
    out = []
    for pattern in fine:
        i, j, k = (joint[x] for x in (pattern.i, pattern.j, pattern.k))
        flat, place = np.unique((i * n + j) * n + k, return_inverse=True)
        out.append((TensorPattern.of(np.stack([flat // n**2, flat // n % n, flat % n]), n), place))
    return tuple(out)
