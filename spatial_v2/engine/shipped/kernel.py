"""Kernels of a shared library, called with arrays."""

from __future__ import annotations

import ctypes
import functools
import math
import struct
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.engine.kernel import Kernel, Record, words_of
from spatial_v2.engine.shipped.library import Library, library
from spatial_v2.engine.tree import Floats

__all__ = ["OneState", "ShippedKernel", "shipped_kernel"]

FAILED, DONE, NOT_FINITE = -1, 0, 2
"""Outcomes of calls, beside that of overlapping results; the values are those of the library."""
_ROOM = 256
"""Largest number of words of all arguments of a kernel for one state."""


@functools.cache
def shipped_kernel(name: str) -> ShippedKernel | None:
    """Return a kernel of the library for this processor by its name; None if it is not there."""
    found = library()
    return ShippedKernel(found, name) if found and found.entry(f"{name}_state") else None


class ShippedKernel(Kernel):
    """A kernel of a library, which needs no compilation.

    Parameters
    ----------
    of : Library
        The library.
    name : str
        Name of the kernel.
    """

    def __init__(self, of: Library, name: str) -> None:
        self.library, self.name = of, name
        self._state, self._batch = of.entry(f"{name}_state"), of.entry(f"{name}_batch")
        self.width = of.width if self._batch else 1

    def __call__(self, first: Any, *others: Any) -> None:
        """Run the kernel on arguments of any kind."""
        self.run_states(Record(first), others, ())

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
        return self.ended(self.library.run_batch(self._batch, *places, *counts)) == DONE

    def state_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int]) -> int:
        return self._state

    def batch_entry(self, of: Record, ins: Sequence[int], outs: Sequence[int], look: bool) -> int:
        return self._batch

    def drive_entry(self) -> int:
        return self.library.entry("drive")

    def one_state(
        self,
        of: Record,
        watched: Sequence[np.ndarray],
        given: Sequence[tuple[int, ...]],
        forces: tuple[Floats, ...],
        made: Sequence[tuple[int, ...]],
        look: bool,
    ) -> OneState:
        ranges = [x for y in watched for x in np.lib.array_utils.byte_bounds(y)]

        def plan(*force: tuple[int, ...]) -> np.ndarray:
            shapes, absent = [*given, *force], len(forces) - len(force)
            count, tail = len(shapes), words_of(*forces[:absent])
            body, places, sizes = [0], [], []
            for k, shape in enumerate([*shapes, *made]):
                body += tail * (k == count)
                places.append(len(body))
                sizes.append(8 * math.prod(shape))
                body += 0, *shape
            if len(body) > _ROOM:
                raise ValueError(f"want at most {_ROOM} words of arguments, got {len(body)}")
            head = self._state, of.address, count, len(made), len(watched), look, _DATA
            return np.array([*head, len(body), *places, *sizes, *ranges, *body])

        return OneState(self, plan, forces, of)

    def ended(self, status: int) -> int:
        """Return the status of a call; raise an error if memory was lacking."""
        if status == FAILED:
            raise MemoryError(f"{self.name}: no memory for the workspace of the kernel")
        return status


class OneState:
    """A kernel for one state, called with the addresses of its arguments and results.

    Parameters
    ----------
    kernel : ShippedKernel
        The kernel.
    plan : callable
        Returns the plan of a call, see `shipped.c`, given the shapes of external forces.
    forces : tuple of array
        The arrays that stand for missing external forces.
    needed : object
        Arrays that plans refer to, kept alive by this object.
    """

    def __init__(
        self,
        kernel: ShippedKernel,
        plan: Callable[..., np.ndarray],
        forces: tuple[Floats, ...],
        needed: Any,
    ) -> None:
        self._kernel, self._plan, self._none, self._needed = kernel, plan, forces, needed
        self._free = self._ready(plan())
        self._forced: tuple[int, Any, np.ndarray] | None = None

    def _ready(self, plan: np.ndarray) -> tuple[int, Any, np.ndarray]:
        """Return the address of a plan, and the function that packs the addresses of its arrays."""
        count = int(plan[2] + plan[3])
        return int(plan.ctypes.data), struct.Struct(f"{count}q").pack, plan

    def __call__(
        self, arrays: tuple[Floats, ...], forces: tuple[Floats, ...], outs: tuple[Floats, ...]
    ) -> int:
        """Fill results with any contents; return the outcome."""
        if forces is self._none:
            at, pack, _ = self._free
            every = (*arrays, *outs)
        else:
            if self._forced is None:
                self._forced = self._ready(self._plan(forces[0].shape))
            at, pack, _ = self._forced
            every = (*arrays, forces[0], *outs)
        status: int = self._kernel.library.run_state(at, pack(*map(_at, every)))
        return self._kernel.ended(status) if status < 0 else status


def _offset() -> int:
    """Return where an array of NumPy has the address of its numbers; 0 if it is not known."""
    offset, known = object.__basicsize__, False
    if sys.implementation.name == "cpython":
        arrays = np.zeros(1), np.zeros((2, 3))[1]
        known = all(_number(id(x) + offset) == x.ctypes.data for x in arrays)
    return offset if known else 0


def _number(at: int) -> int | None:
    return ctypes.c_void_p.from_address(at).value


def _address(x: np.ndarray) -> int:
    return int(x.__array_interface__["data"][0])


_DATA = _offset()
_at: Callable[[np.ndarray], int] = id if _DATA else _address
"""The address that the library gets for an array: of the object, if it knows the object's layout,
or of its numbers.
"""
