"""Second derivatives of forward dynamics, from first ones and packed tensors of `ID`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from spatial_v2.calls.arguments import forces_of
from spatial_v2.calls.blocks import batch_slices, fill_up
from spatial_v2.calls.loading import load_kernel
from spatial_v2.calls.prepared import geared_tree
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.numbers.cache_lines import MANY
from spatial_v2.engine.tensors.runs import ID_SO
from spatial_v2.model import Model
from spatial_v2.packed.compute import width
from spatial_v2.packed.gears import patterns_of
from spatial_v2.packed.memory import allocate
from spatial_v2.packed.sums import pairs_of, sums_of

__all__ = ["SecondOrder", "sums_for"]

Arrays: TypeAlias = Sequence[np.ndarray]

_BLOCK = 1 << 18
"""Values of packed tensors in a block of several SIMD batches: two megabytes."""
_FEW = 20
"""Largest number of variables for which all tensors of a SIMD batch stay in cache."""


class SecondOrder:
    """`FD_SO_derivatives` of plain arrays, given the accelerated functions it is composed of.

    Parameters
    ----------
    dynamics, inverse : callable
        `FDab` and `ID`.
    first, second : callable
        `FD_derivatives` and `ID_SO_derivatives`.
    """

    def __init__(self, dynamics: Any, inverse: Any, first: Any, second: Any) -> None:
        self.dynamics, self.inverse, self.first, self.second = dynamics, inverse, first, second

    def fill(self, model: Model, arrays: Arrays, results: Arrays, batched: bool) -> bool:
        """Compute the accelerations of a batch, then its tensors by `fill_at`."""
        qdd = np.empty_like(arrays[2])
        self.dynamics.work.filler(model)(arrays, [qdd], batched)
        return self.fill_at(model, [*arrays[:3], qdd, *arrays[3:]], results, batched)

    def fill_from(self, model: Model, arrays: Arrays, results: Arrays, batched: bool) -> bool:
        """Compute the joint forces of a batch for given accelerations, then its tensors by
        `fill_at`.
        """
        q, qd, qdd, *forces = fill_up(arrays, batched)
        tau = self.inverse(model, q, qd, qdd, workers=1, **forces_of(model, forces))
        tau = tau[: len(arrays[0])]
        return self.fill_at(model, [*arrays[:2], tau, *arrays[2:]], results, batched)

    def fill_at(self, model: Model, arrays: Arrays, results: Arrays, batched: bool) -> bool:
        """Fill the tensors of a batch block by block, so that intermediate results stay in cache.

        Parameters
        ----------
        model : Model
            The rigid-body tree.
        arrays : sequence of array, shapes (B, NQ), (B, NV), (B, NV), (B, NV), (B, NB, 6) twice
            Positions, velocities, forces and the accelerations they produce; external forces
            constant in the base and in the bodies, empty if there are none.
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
            given = [x[part] if len(x) else x for x in arrays]
            first = [allocate((len(given[0]), nv, nv), result=False) for _ in range(3)]
            q, qd, tau, _, *forces = given
            finite &= self.first.work.filler(model)([q, qd, tau, *forces], first, batched)
            second = self._of_function if model.has_rotors else self._of_kernel
            _combine(model, q, [*first, *second(model, given, batched)], tensors, batched)
        return finite

    def review(self, model: Model, arrays: Arrays) -> None:
        """Explain results of `fill` that are not finite, by the dynamics of the robot at rest."""
        q, qd, _ = arrays
        self.dynamics(model, q, 0 * qd, 0 * qd)

    def _of_kernel(self, model: Model, state: Arrays, batched: bool) -> list[np.ndarray]:
        """Compute packed second derivatives of inverse dynamics, whose rows of values end with a
        zero.
        """
        q, qd, _, qdd, *forces = state
        patterns = patterns_of(model, ID_SO)
        rows = [allocate((len(q), width(pattern.nnz)), result=False) for pattern in patterns]
        for x, pattern in zip(rows, patterns, strict=True):
            x[:, pattern.nnz] = 0.0
        self.second.work.filler(model)([q, qd, qdd, *forces], rows, batched)
        return rows

    def _of_function(self, model: Model, state: Arrays, batched: bool) -> list[np.ndarray]:
        """Do the same as `_of_kernel` by the public function, for models with rotors."""
        q, qd, _, qdd, *forces = fill_up(state, batched)
        external = forces_of(model, forces)
        packed = self.second(model, q, qd, qdd, **external, packed=True, workers=1)
        return [np.pad(tensor.values, [(0, 0), (0, 1)]) for tensor in packed]


def _combine(model: Model, q: np.ndarray, values: Arrays, tensors: Arrays, batched: bool) -> None:
    """Compute the tensors (B, nv, nv nv) from first derivatives and the values of packed tensors.

    Tensors of few variables are computed in SIMD batches, all others state by state.
    """
    from spatial_v2.engine.compile.simd_width import SIMD_WIDTH

    few = batched and model.NV <= _FEW and not model.has_rotors and SIMD_WIDTH > 1
    (_by_pairs if few else _by_tiles)(model, q, values, tensors)


def _by_tiles(model: Model, q: np.ndarray, values: Arrays, tensors: Arrays) -> None:
    from spatial_v2.engine.algorithms.FD_SO_derivatives import FD_SO_derivatives

    _, sums = model.checked().keep("fd_so", lambda: sums_for(model))
    past, groups = tensors[0].size >= MANY, (values[:3], values[3:6], tensors)
    first, second, out = (cast("Any", tuple(x)) for x in groups)
    FD_SO_derivatives(geared_tree(model), sums, past, q, first, second, out)


def _by_pairs(model: Model, q: np.ndarray, values: Arrays, tensors: Arrays) -> None:
    patterns, joint = patterns_of(model, ID_SO), model.layout.body_of_v
    pairs = model.checked().keep("fd_so_pairs", lambda: pairs_of(patterns, joint))
    load_kernel("FD_SO_derivatives_batched").run_batch(Record(pairs), values, tensors, True)


def sums_for(model: Model) -> tuple[Any, Any]:
    """Return the patterns of the tensors of inverse dynamics, and the table of `sums_of`."""
    patterns = patterns_of(model, ID_SO)
    return patterns, sums_of(patterns, model.layout.body_of_v.astype(np.int64).tobytes())
