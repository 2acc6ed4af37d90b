"""Plans of kernels that take another record of arrays than a tree: constraints, parents.

The arguments are batches that have been checked. A plan chooses the compiled form of the kernel:
for states one by one, or for SIMD batches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

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

    def fill(self, outs: Sequence[np.ndarray], args: Sequence[np.ndarray]) -> Status:
        """Fill contiguous results, which share no memory with arguments."""
        args = [x if x.flags.c_contiguous else x.copy() for x in args]
        if not len(args[0]):
            return Status.DONE
        if self.batched:
            from spatial_v2.engine.numbers.batches import run

            run(self.kernel, self.of, args, outs, True)
            return Status.DONE
        (self._entry or self._enter(args, outs))(self.of, *args, *outs)
        return Status.DONE

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
