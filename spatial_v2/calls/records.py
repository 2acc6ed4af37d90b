"""Batches for kernels that take another record of arrays than a tree: constraints, parents.

The arguments have been checked.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.loading import load_kernel
from spatial_v2.engine.kernel import Kernel, Record
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate


def fill_results(
    kernel: str | Kernel, record: Record, outs: Sequence[np.ndarray], args: Sequence[np.ndarray],
    batched: bool,
) -> None:  # fmt: skip
    """Fill contiguous results (B, ...), apart from arguments; if `batched`, in SIMD batches."""
    kernel = load_kernel(kernel) if isinstance(kernel, str) else kernel
    args = [x if x.flags.c_contiguous else x.copy() for x in args]
    if len(args[0]) and batched:
        kernel.run(record, args, outs, True)
    elif len(args[0]):
        kernel.run_states(record, args, outs)


def new_results(
    kernel: str, record: Record, args: Sequence[np.ndarray], shapes: Sequence[tuple[int, ...]],
    batched: bool,
) -> list[np.ndarray]:  # fmt: skip
    """Compute new results (B, ...), given their shapes for one state."""
    outs = [allocate((len(args[0]), *shape)) for shape in shapes]
    fill_results(kernel, record, outs, args, batched)
    return outs


def kept_record(model: Model, record_of: Callable[[Model], Any]) -> Record:
    """Return the record that a function makes of a model, cached with the model."""
    name = f"record of {record_of.__qualname__}"
    return model.checked().keep(name, lambda: Record(record_of(model)))
