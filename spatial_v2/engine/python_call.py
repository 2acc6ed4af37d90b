"""Arrays taken to a kernel and back by Python, where the extension in C is missing."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.engine.kernel import Kernel, Record
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import NO_FORCE, Floats

__all__ = ["KernelCall", "PythonCall", "fits", "may_overlap", "rows_of"]


_FLOAT = np.dtype(np.float64)


class KernelCall(NamedTuple):
    """Arguments and results of a kernel, as calls give and get them for one model.

    Attributes
    ----------
    arguments : sequence of (str, int)
        Kind, ``"q"`` or ``"v"``, and length of each argument.
    forces : sequence of int
        Number of bodies of each array of external forces that the kernel takes; -1 for an array
        that is never given. Calls give the first, or none.
    results : sequence of (sequence of str, tuple of int)
        Names of the axes, of which ``"v"`` and ``"b"`` are longer for a tree with rotors, and
        shape.
    look : bool
        True if results must be finite. If False, they are the values of tensors, of which the
        kernel writes all, so that they need not be cleared.
    rows : sequence of int
        For the values of tensors: lengths of their rows in a batch, which fill whole cache lines.
    finish : callable or None
        Converts a tuple of new results to the return value, by default the first result.
    """

    arguments: Sequence[tuple[str, int]]
    forces: Sequence[int]
    results: Sequence[tuple[Sequence[str], tuple[int, ...]]]
    look: bool = True
    rows: Sequence[int] = ()
    finish: Callable[[tuple[Any, ...]], Any] | None = None


class PythonCall:
    """A kernel for one record, called as by the extension's type `Call`, which checks the same.

    Parameters
    ----------
    kernel, record, takes, quaternions
        See `engine.runner.Runner`.
    batch : bool
        True for calls with batches, False for calls with single states.
    """

    def __init__(
        self,
        kernel: Kernel,
        record: Record,
        takes: KernelCall,
        quaternions: Sequence[int],
        batch: bool,
    ) -> None:
        self._kernel, self._record, self._look, self._batch = kernel, record, takes.look, batch
        self._lengths = [n for _, n in takes.arguments]
        self._arguments: list[tuple[int, ...]] = [(n,) for n in self._lengths]
        self._bodies = (takes.forces[0], 6) if takes.forces else None
        self._shapes = [shape for _, shape in takes.results]
        self._rows = takes.rows if batch else ()
        self._none = (NO_FORCE,) * len(takes.forces)
        self._finish = takes.finish or (lambda outs: outs[0])
        self._quaternions = quaternions if not (batch and takes.look) else ()
        self._large = any(len(shape) > 2 for shape in self._shapes)
        if not batch:
            states = [(1, n) for n in self._lengths], [(1, *x) for x in self._shapes]
            self._run = kernel.one_state(record, states[0], self._none, states[1], self._look)

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results for one state; None if the arguments do not fit, or if results are not
        finite.
        """
        given = self._read(args)
        if given is None:
            return None
        outs = tuple([np.empty(shape) for shape in self._shapes])
        return None if self._one(outs, *given) else self._finish(outs)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> int:
        """Fill results, which may have any contents before; return a `Status`."""
        given = self._read(args)
        if given is None or len(outs) != len(self._shapes):
            return Status.REFUSED
        lead = given[0][0].shape[:1] if self._batch else ()
        for x, shape in zip(outs, self._shapes, strict=True):
            if not self._rows and not fits(x, lead + shape):
                return Status.REFUSED
        return self._many(outs, *given) if self._batch else self._one(outs, *given)

    def _read(self, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[Floats, ...]] | None:
        """Return the arguments and the forces; None if they do not fit. Arguments of one state with
        other strides are copied.
        """
        n, wanted = len(self._lengths), self._arguments
        lead: tuple[int, ...] = ()
        if self._batch and args and isinstance(args[0], np.ndarray):
            lead = args[0].shape[:1]
            wanted = [(*lead, k) for k in self._lengths]
        if len(args) < n or lead == (0,):
            return None
        arrays, forces, strided = args[:n], self._none, False
        for x, shape in zip(arrays, wanted, strict=True):
            if type(x) is not np.ndarray or x.shape != shape or x.dtype != _FLOAT:
                return None
            if not x.flags.carray:
                if lead and not (x.flags.c_contiguous and x.flags.aligned):
                    return None
                strided = True
        if strided:
            arrays = tuple([x if x.flags.carray else x.copy() for x in arrays])
        if len(args) > n:
            if self._bodies is None or len(args) > n + 1:
                return None
            if (force := args[n]) is not None:
                if not _is_plain(force, (*lead, *self._bodies)):
                    return None
                forces = (force if lead else force[None], *forces[1:])
        return arrays, forces

    def _turns(self, q: np.ndarray) -> bool:
        """Test if no quaternion is zero."""
        return all(np.square(q[..., k : k + 4]).sum(axis=-1).all() for k in self._quaternions)

    def _one(self, outs: Any, arrays: Any, forces: tuple[Floats, ...]) -> int:
        """Fill results for one state.

        Numbers that are not finite in the arguments are the reason for those in the results, and in
        results of three axes they are not looked for.
        """
        if self._quaternions and not self._turns(arrays[0]):
            return Status.NOT_FINITE
        status = self._run(arrays, forces, outs)
        if status == Status.NOT_FINITE and self._look:
            small = [x for x in outs if x.ndim <= 2]
            if (self._large and _are_finite(small)) or not _are_finite((*arrays, *forces)):
                return Status.DONE
        return status

    def _many(self, outs: Any, arrays: Any, forces: tuple[Floats, ...]) -> int:
        """Fill results for a batch."""
        if may_overlap(outs, (*arrays, *forces)):
            return Status.OVERLAP
        if self._quaternions and not self._turns(arrays[0]):
            return Status.NOT_FINITE
        if self._rows:
            outs = [
                _padded(x, (len(arrays[0]), shape[0]), width)
                for x, shape, width in zip(outs, self._shapes, self._rows, strict=True)
            ]
            if any(x is None for x in outs):
                return Status.REFUSED
        finite = self._kernel.run_batch(self._record, (*arrays, *forces), outs, self._look)
        return Status.DONE if finite or not self._look else Status.NOT_FINITE


def _are_finite(arrays: Sequence[np.ndarray]) -> bool:
    return all(np.isfinite(x).all() for x in arrays)


def _is_plain(x: Any, shape: tuple[int, ...]) -> bool:
    """Test for a contiguous array of doubles with the given shape."""
    if type(x) is not np.ndarray or x.dtype != np.float64 or x.shape != shape:
        return False
    return x.flags.c_contiguous and x.flags.aligned


def fits(x: Any, shape: tuple[int, ...]) -> bool:
    """Test if a kernel can write a result of the given shape into x directly."""
    return _is_plain(x, shape) and bool(x.flags.writeable)


def may_overlap(outs: Sequence[np.ndarray], others: Sequence[Any]) -> bool:
    """Test if arrays may share memory with one another, or with other arrays."""
    every = [*(x for x in others if x is not None), *outs]
    first = len(every) - len(outs)
    return any(np.may_share_memory(x, y) for k, x in enumerate(outs) for y in every[: first + k])


def _padded(x: Any, shape: tuple[int, int], width: int) -> np.ndarray | None:
    """View the values (B, n) of a tensor, or whole rows (B, width), as rows; None for others."""
    plain = type(x) is np.ndarray and x.dtype == np.float64 and x.ndim == 2 and x.flags.writeable
    if not plain or len(x) != shape[0] or x.shape[1] not in (shape[1], width):
        return None
    return rows_of(x) if x.flags.aligned else None


def rows_of(values: np.ndarray) -> np.ndarray | None:
    """View packed values (..., nnz) as contiguous rows (B, width) with width >= nnz; None if that
    is impossible.

    Only the first nnz numbers of each row are written.
    """
    *lead, nnz = values.shape
    states, item = math.prod(lead), values.itemsize
    flat = values.reshape(states, nnz)
    if not flat.size:
        return flat
    if not np.may_share_memory(flat, values):
        return None
    stride = flat.strides[0] if states > 1 else nnz * item
    if (nnz > 1 and flat.strides[1] != item) or stride < nnz * item or stride % item:
        return None
    return np.lib.stride_tricks.as_strided(flat, (states, stride // item), (stride, item))
