"""Plans of kernels that take another record of arrays than a tree: constraints, parents.

The arguments are batches that have been checked. A plan chooses the compiled form of the kernel:
for states one by one, or for SIMD batches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from spatial_v2.calls.loading import compiled_for
from spatial_v2.calls.status import Status
from spatial_v2.packed.memory import allocate

__all__ = ["RecordPlan"]

_ENTRIES: dict[Any, Any] = {}
"""Cache of compiled kernels; keys are the kernel and the memory layouts of the tree's arrays."""


class RecordPlan:
    """A kernel and the record that it takes first; see `calls.plan.Plan`.

    Parameters
    ----------
    kernel : callable
        Takes the record, arrays (B, ...) and results (B, ...).
    of : NamedTuple or array
        The record.
    batched : bool, optional
        True if states are computed in SIMD batches.
    """

    def __init__(self, kernel: Callable[..., Any], of: Any, batched: bool = False) -> None:
        self.kernel, self.of, self.batched = kernel, of, batched
        self._entry: Any = None
        self._batch: Any = None

    def fill(self, outs: Sequence[np.ndarray], args: Sequence[np.ndarray]) -> Status:
        """Fill contiguous results, which share no memory with arguments."""
        args = [x if x.flags.c_contiguous else x.copy() for x in args]
        if not len(args[0]):
            return Status.DONE
        if self.batched:
            self._run_batch(args, outs)
            return Status.DONE
        (self._entry or self._enter(args, outs))(self.of, *args, *outs)
        return Status.DONE

    def _run_batch(self, args: Sequence[np.ndarray], outs: Sequence[np.ndarray]) -> None:
        """Run the kernel in SIMD batches; its compiled entry is looked up in the first call
        only.
        """
        if self._batch is None:
            self._batch = self._prepare(args, outs)
        run, entry, record, axes = self._batch
        if run is None:
            entry(self.kernel, self.of, args, outs, True)
            return
        words = [0]
        for x in (*args, *outs):
            words += x.__array_interface__["data"][0], *x.shape
        run(entry, record.address, np.array(words), axes, len(args), True)

    def _prepare(self, args: Sequence[np.ndarray], outs: Sequence[np.ndarray]) -> Any:
        """Return the compiled driver of batches, and the entry, record and axes that it takes.

        If the results of a SIMD batch are too large, return None and a function that runs states
        one by one.
        """
        from spatial_v2.engine.compile.records import Record
        from spatial_v2.engine.numbers import batches

        if not batches.in_simd_batches(sum(x[0].size for x in outs)):
            return None, batches.run, None, None
        ins, axes = tuple(x.ndim for x in args), tuple(x.ndim for x in outs)
        record, drive = Record(self.of), cast("Any", batches.drive)
        entry = batches.batch_entry(self.kernel, record.kind, ins, axes, True)
        return drive.compile(batches.DRIVE), entry, record, np.array([*ins, *axes])

    def _enter(self, args: Sequence[np.ndarray], outs: Sequence[np.ndarray]) -> Any:
        """Return the compiled kernel for arrays of these types."""
        key = self.kernel, *(x.flags.num for x in getattr(self.of, "tree", ()))
        if key not in _ENTRIES:
            _ENTRIES[key] = compiled_for(self.kernel, self.of, *map(np.ones_like, args), *outs)
        self._entry = _ENTRIES[key]
        return self._entry

    def new(
        self, args: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        """Compute new results (B, ...), given their shapes for one state."""
        outs = [allocate((len(args[0]), *shape)) for shape in shapes]
        self.fill(outs, args)
        return outs
