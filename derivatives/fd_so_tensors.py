"""Second derivatives of forward dynamics, from first ones and packed tensors of `ID`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from derivatives.FD_derivatives import FD_derivatives
from derivatives.ID_SO_derivatives import ID_SO_derivatives
from spatial_v2.calls.arguments import forces_of
from spatial_v2.calls.blocks import batch_slices, fill_up
from spatial_v2.calls.loading import has_kernels, load_kernel, load_procedure
from spatial_v2.calls.prepare import geared_tree, kernel_tree, quaternions_of
from spatial_v2.calls.prepared import Prepared
from spatial_v2.calls.signature import Function
from spatial_v2.calls.steps import Results
from spatial_v2.dynamics import ID, FDab
from spatial_v2.engine.kernel import KernelCall, Record
from spatial_v2.engine.numbers.cache_lines import MANY
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.status import Status
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.engine.tensors.sums import TreeAndSums
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model
from spatial_v2.packed.compute import width
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.sums import pairs_of, sums_of

__all__ = ["KERNELS", "fill", "fill_from", "prepare", "review", "sums_for"]

Arrays: TypeAlias = Sequence[np.ndarray]

_BLOCK = 1 << 18
"""Values of packed tensors in a block of several SIMD batches: two megabytes."""
_FEW = 20
"""Largest number of variables for which all tensors of a SIMD batch stay in cache."""
_KERNEL = "FD_SO_derivatives_whole"
KERNELS = (
    _KERNEL, "FD_SO_derivatives", "FD_SO_derivatives_batched", "FDab", "FD_derivatives", "ID",
    "ID_SO_derivatives",
)  # fmt: skip
"""The kernels of `FD_SO_derivatives`, for one state and for batches."""


def prepare(of: Function, model: Model) -> Prepared | None:
    """Prepare `FD_SO_derivatives`: a kernel computes single states, and `fill` batches.

    Return None for models with rotors, and where kernels cannot be compiled.
    """
    if model.has_rotors or not (has_kernels(_KERNEL) and load_kernel(_KERNEL).has_entry):
        return None
    patterns, sums = model.checked().keep("fd_so", lambda: sums_for(model))
    n, count = model.NV, np.array([pattern.nnz for pattern in patterns])
    record = TreeAndSums(kernel_tree(model), sums, count, n**3 >= MANY)
    arguments = [("q", model.NQ), ("v", n), ("v", n)]
    results = [(("v",) * 3, (n,) * 3)] * 4
    bodies = -1 if model.is_planar else model.NB
    call = KernelCall(arguments, (bodies, bodies), results, look=False, finish=of.finish)
    quaternions = quaternions_of(model)
    runner = Runner(load_kernel(_KERNEL), record, call, quaternions)

    def batch(outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        q, qd, tau, *forces = args
        finite = fill(model, [q, qd, tau, *(forces or (NO_FORCE,)), NO_FORCE], outs, True)
        return Status.DONE if finite else Status.NOT_FINITE

    def explain(args: Any, outs: Any, lead: tuple[int, ...]) -> None:
        review(model, [x.reshape(*lead, -1) for x in args[:3]])

    return Prepared(runner, of.finish, True, Results(fill_batch=batch), explain)


def fill(model: Model, arrays: Arrays, results: Arrays, batched: bool) -> bool:
    """Compute the accelerations of a batch, then its tensors by `_fill_at`."""
    qdd = np.empty_like(arrays[2])
    FDab.work.filler(model)(arrays, [qdd], batched)
    return _fill_at(model, [*arrays[:3], qdd, *arrays[3:]], results, batched)


def fill_from(model: Model, arrays: Arrays, results: Arrays, batched: bool) -> bool:
    """Compute the joint forces of a batch for given accelerations, then its tensors."""
    q, qd, qdd, *forces = fill_up(arrays, batched)
    tau = ID(model, q, qd, qdd, workers=1, **forces_of(model, forces))
    tau = tau[: len(arrays[0])]
    return _fill_at(model, [*arrays[:2], tau, *arrays[2:]], results, batched)


def _fill_at(model: Model, arrays: Arrays, results: Arrays, batched: bool) -> bool:
    """Fill the tensors of a batch block by block, so that intermediate results stay in cache.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    arrays : sequence of array, shapes (B, NQ), (B, NV), (B, NV), (B, NV), (B, NB, 6) twice
        Positions, velocities, forces and the accelerations they produce; external forces constant
        in the base and in the bodies, empty if there are none.
    results : sequence of array, shape (B, NV, NV, NV)
        Four, in the order of `FDSODerivatives`.
    batched : bool
        True if states are computed several at a time, also those left over in the last block.

    Returns
    -------
    bool
        True if the first derivatives are known to be finite.
    """
    nv = model.NV
    size = sum(pattern.nnz for pattern in patterns_of(model, ID_SO))
    finite = True
    for part in batch_slices(len(arrays[0]), size, _BLOCK):
        tensors = [x[part].reshape(part.stop - part.start, nv, nv * nv) for x in results]
        state = [x[part] if len(x) else x for x in arrays]
        first = [allocate((len(state[0]), nv, nv), result=False) for _ in range(3)]
        q, qd, tau, _, *forces = state
        finite &= FD_derivatives.work.filler(model)([q, qd, tau, *forces], first, batched)
        second = _by_function if model.has_rotors else _by_kernel
        _combine(model, q, [*first, *second(model, state, batched)], tensors, batched)
    return finite


def review(model: Model, arrays: Arrays) -> None:
    """Explain results of `fill` that are not finite, by the dynamics of the robot at rest."""
    q, qd, _ = arrays
    FDab(model, q, 0 * qd, 0 * qd)


def _by_kernel(model: Model, state: Arrays, batched: bool) -> list[np.ndarray]:
    """Compute packed second derivatives of inverse dynamics, whose rows of values end with a
    zero.
    """
    q, qd, _, qdd, *forces = state
    patterns = patterns_of(model, ID_SO)
    rows = [allocate((len(q), width(pattern.nnz)), result=False) for pattern in patterns]
    for x, pattern in zip(rows, patterns, strict=True):
        x[:, pattern.nnz] = 0.0
    ID_SO_derivatives.work.filler(model)([q, qd, qdd, *forces], rows, batched)
    return rows


def _by_function(model: Model, state: Arrays, batched: bool) -> list[np.ndarray]:
    """Do the same as `_by_kernel` by the public function, for models with rotors."""
    q, qd, _, qdd, *forces = fill_up(state, batched)
    external = forces_of(model, forces)
    packed = ID_SO_derivatives(model, q, qd, qdd, **external, packed=True, workers=1)
    return [np.pad(tensor.values, [(0, 0), (0, 1)]) for tensor in packed]


def _combine(model: Model, q: np.ndarray, values: Arrays, tensors: Arrays, batched: bool) -> None:
    """Compute the tensors (B, nv, nv nv) from first derivatives and the values of packed tensors.

    Tensors of few variables are computed in SIMD batches, all others state by state.
    """
    small = batched and model.NV <= _FEW and not model.has_rotors
    small = small and load_kernel("FD_SO_derivatives_batched").width > 1
    (_by_pairs if small else _by_tiles)(model, q, values, tensors)


def _by_tiles(model: Model, q: np.ndarray, values: Arrays, tensors: Arrays) -> None:
    _, sums = model.checked().keep("fd_so", lambda: sums_for(model))
    past, groups = tensors[0].size >= MANY, (values[:3], values[3:6], tensors)
    first, second, out = (cast("Any", tuple(x)) for x in groups)
    load_procedure("FD_SO_derivatives")(geared_tree(model), sums, past, q, first, second, out)


def _by_pairs(model: Model, q: np.ndarray, values: Arrays, tensors: Arrays) -> None:
    patterns, joint = patterns_of(model, ID_SO), model.layout.body_of_v
    pairs = model.checked().keep("fd_so_pairs", lambda: pairs_of(patterns, joint))
    load_kernel("FD_SO_derivatives_batched").run_batch(Record(pairs), values, tensors, True)


def sums_for(model: Model) -> tuple[Any, Any]:
    """Return the patterns of the tensors of inverse dynamics, and the table of `sums_of`."""
    patterns = patterns_of(model, ID_SO)
    return patterns, sums_of(patterns, model.layout.body_of_v.astype(np.int64).tobytes())
