"""Kernels of a shared library, called with arrays."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.engine.kernel import Kernel, KernelCall, Record, words_of
from spatial_v2.engine.shipped.library import Library, library
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import NO_FORCE, Floats


@functools.cache
def shipped_kernel(name: str) -> ShippedKernel | None:
    """Return a kernel of the library for this processor by its name; None if it is not there."""
    present = library()
    forms = (f"{name}_state", f"{name}_batch")
    return ShippedKernel(present, name) if present and any(map(present.entry, forms)) else None


class ShippedKernel(Kernel):
    """A kernel of a library, which needs no compilation."""

    def __init__(self, of: Library, name: str) -> None:
        self.library, self.name = of, name
        self._state, self._batch = of.entry(f"{name}_state"), of.entry(f"{name}_batch")
        self.width = of.width if self._batch else 1

    def __call__(self, first: Any, *others: Any) -> None:
        """Run the kernel on arguments of any kind, arrays with gaps as copies of them."""
        apart: list[tuple[Any, Any]] = []
        given = _contiguous((first, *others), apart)
        self.run_states(Record(given[0]), given[1:], ())
        for x, copy in apart:
            if x.flags.writeable:
                x[...] = copy

    def run_states(self, of: Record, arrays: Sequence[Any], results: Sequence[Any]) -> None:
        words = np.array([0, *words_of(*arrays, *results)])
        self.ended(self.library.run_words(self._state, of.address, words.ctypes.data))

    def run_batch(
        self, of: Record, arrays: Sequence[Floats], results: Sequence[Floats], look: bool
    ) -> bool:
        words = np.array([0, *words_of(*arrays, *results)])
        axes = np.array([x.ndim for x in (*arrays, *results)])
        places = of.address, words.ctypes.data, len(words), axes.ctypes.data
        counts = len(axes), len(arrays), look
        return self.ended(self.library.run_batch(self._batch, *places, *counts)) == Status.DONE

    def state_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int]) -> int:
        return self._state

    def batch_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int], look: bool) -> int:
        return self._batch

    def drive_entry(self, spread: bool = False) -> int:
        return self.library.entry("drive_spread" if spread else "drive")

    def one_state(
        self, of: Record, takes: KernelCall, quaternions: Sequence[int], release: bool, forced: bool
    ) -> Callable[[Any, Any, Any], int]:
        shapes = [*((n,) for n in takes.lengths), *takes.shapes]
        none = (NO_FORCE,) * len(takes.forces)

        def call(
            arrays: tuple[Floats, ...], others: tuple[Floats, ...], outs: tuple[Floats, ...]
        ) -> int:
            own = *arrays, *outs
            if [x.shape for x in own] != shapes:
                return Status.REFUSED
            if not all(x.dtype == np.float64 and x.flags.carray for x in own):
                return Status.REFUSED
            if not all(x @ x for x in (arrays[0][k : k + 4] for k in quaternions)):
                return Status.REFUSED
            others = others or none
            read = *arrays, *others
            for k, out in enumerate(outs):
                if any(np.may_share_memory(out, x) for x in (*read, *outs[:k])):
                    return Status.OVERLAP
            for out in outs if takes.look else ():
                out.fill(0.0)
            self.run_states(of, [*(x[None] for x in arrays), *others], [x[None] for x in outs])
            whole = not takes.look or all(np.isfinite(x).all() for x in outs)
            return Status.DONE if whole else Status.NOT_FINITE

        return call

    def ended(self, status: int) -> int:
        """Return the status of a call; raise an error if memory was lacking."""
        if status == Status.FAILED:
            raise MemoryError(f"{self.name}: no memory for the workspace of the kernel")
        return status


def _contiguous(values: tuple[Any, ...], apart: list[tuple[Any, Any]]) -> tuple[Any, ...]:
    """Return values with copies of arrays that are not contiguous, which are listed in `apart`."""
    made = []
    for x in values:
        if isinstance(x, tuple):
            x = _contiguous(x, apart)
        elif isinstance(x, np.ndarray) and not x.flags.c_contiguous:
            apart.append((x, x.copy()))
            x = apart[-1][1]
        made.append(x)
    return tuple(made)
