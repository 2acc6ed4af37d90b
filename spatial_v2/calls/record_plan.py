"""Plans of kernels that take another record of arrays than a tree: constraints, parents.

The arguments are batches that have been checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.engine.kernel import Kernel, Record
from spatial_v2.engine.status import Status
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = ["RecordPlan", "kept_plan", "plan_of"]


class RecordPlan:
    """A kernel and the record that it takes first; see `calls.plan.Plan`.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    of : NamedTuple or array
        The record.
    batched : bool, optional
        True if states are computed in SIMD batches.
    """

    def __init__(self, kernel: Kernel, of: Any, batched: bool = False) -> None:
        self.kernel, self.record, self.batched = kernel, Record(of), batched

    def fill(self, outs: Sequence[np.ndarray], args: Sequence[np.ndarray]) -> Status:
        """Fill contiguous results, which share no memory with arguments."""
        args = [x if x.flags.c_contiguous else x.copy() for x in args]
        if len(args[0]) and self.batched:
            self.kernel.run(self.record, args, outs, True)
        elif len(args[0]):
            self.kernel.run_states(self.record, args, outs)
        return Status.DONE

    def new(
        self, args: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]]
    ) -> list[np.ndarray]:
        """Compute new results (B, ...), given their shapes for one state."""
        outs = [allocate((len(args[0]), *shape)) for shape in shapes]
        self.fill(outs, args)
        return outs


def plan_of(kernel: str, of: Any, batched: bool) -> RecordPlan:
    """Return the plan of the kernel of this name for the record `of`."""
    return RecordPlan(load_kernel(kernel), of, batched)


def kept_plan(
    kernel: str, model: Model, record_of: Callable[[Model], Any], batched: bool
) -> RecordPlan:
    """Return the plan of the kernel of this name for the record of a model, cached with the
    model.
    """

    def make() -> RecordPlan:
        return plan_of(kernel, record_of(model), batched)

    return model.checked().keep(f"{kernel}, {batched}", make)
