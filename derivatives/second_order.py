"""How `FD_SO_derivatives` computes plain arrays: from first derivatives and packed tensors."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from derivatives.FD_derivatives import FD_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.calls.blocks import blocks, whole_packs
from spatial_v2.calls.prepared import kernel_tree
from spatial_v2.engine.lines import MANY
from spatial_v2.engine.runs import ID_SO
from spatial_v2.engine.tree import lower
from spatial_v2.model import Model
from spatial_v2.packed.compute import room, rows_of
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.pattern import TensorPattern
from spatial_v2.packed.sums import sums_of

__all__ = ["fill"]

_BLOCK = 1 << 18
"""Values of packed tensors in a block of states, if it has several packs: two megabytes."""


def fill(
    model: Model, arrays: Sequence[np.ndarray], results: Sequence[np.ndarray], packs: bool
) -> None:
    """Fill the tensors of a batch, block by block, while what they are made of is in the cache.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    arrays : sequence of array, shapes (B, NQ), (B, NV), (B, NV), (B, NV), (B, NB, 6), (B, NB, 6)
        Positions, velocities, forces and the accelerations they produce; external forces constant
        in the base and in the bodies, empty if there are none.
    results : sequence of array, shape (B, NV, NV, NV)
        Four, in the order of `FDSODerivatives`.
    packs : bool
        Whether states are computed several at a time, also those left over in the last block.
    """
    patterns, sums = model.checked().keep("fd_so", lambda: _prepare(model))
    fd_so = importlib.import_module("spatial_v2.engine.fd_so").fd_so
    states, nv, past = len(arrays[0]), model.NV, results[0].size >= MANY
    for part in blocks(states, sum(pattern.nnz for pattern in patterns), _BLOCK):
        tensors = [x[part].reshape(part.stop - part.start, nv, nv * nv) for x in results]
        made = _of_pages if model.has_rotors else _of_kernels
        given = [x[part] if len(x) else x for x in arrays]
        fd_so(sums, past, *made(model, patterns, given, packs), *tensors)


def _prepare(model: Model) -> tuple[Any, Any]:
    patterns = patterns_of(model, ID_SO)
    return patterns, sums_of(patterns, model.layout.body_of_v.astype(np.int64).tobytes())


def _of_kernels(
    model: Model,
    patterns: Sequence[TensorPattern],
    state: Sequence[np.ndarray],
    packs: bool,
) -> list[np.ndarray]:
    """First derivatives, and values of tensors in rows, straight from their kernels."""
    drive = importlib.import_module("spatial_v2.engine.lanes.drive")
    fdsva = importlib.import_module("spatial_v2.engine.fdsva").fdsva
    idsva_so = importlib.import_module("spatial_v2.engine.idsva_so").idsva_so
    (q, qd, tau, qdd, *forces), tree, nv = state, kernel_tree(model), model.NV
    states = len(q)
    first = [np.zeros((states, nv, nv)) for _ in range(3)]
    values: list[Any] = [rows_of(room((states,), pattern.nnz)) for pattern in patterns]
    drive.run(fdsva, tree, [q, qd, tau, *forces], first, packs)
    if not all(np.isfinite(x).all() for x in first):
        FD_derivatives(model, q, qd, tau)
    drive.run_values(idsva_so, tree, [q, qd, qdd, *forces], values, packs)
    return [*first, *values]


def _of_pages(
    model: Model, patterns: Sequence[TensorPattern], state: Sequence[np.ndarray], packs: bool
) -> list[np.ndarray]:
    """The same of models with rotors; packs are filled up by the last state."""
    q, qd, tau, qdd, f_ext, f_body = whole_packs(state, packs)
    force = [lower(x, ("6",)) if model.is_planar else x for x in (f_ext, f_body) if x.size]
    external: Any = {"f_ext": force[0], "frame": "body" if f_body.size else "base"} if force else {}
    first = FD_derivatives(model, q, qd, tau, **external, workers=1)
    packed = ID_SO_derivatives(model, q, qd, qdd, **external, packed=True, workers=1)
    return [*first, *(np.ascontiguousarray(tensor.values) for tensor in packed)]
