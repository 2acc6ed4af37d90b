"""Arrays taken to a kernel and back by Python, where the extension in C is missing."""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy import empty, ndarray

from spatial_v2.engine.kernel import Kernel, KernelCall, Record
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import NO_FORCE, Floats

FLOAT = np.dtype(np.float64)


class PythonCall:
    """A kernel for one record, called as by the extension's type `Call`, which checks the same."""

    def __init__(
        self,
        kernel: Kernel,
        record: Record,
        takes: KernelCall,
        quaternions: Sequence[int],
        batch: bool,
        release: bool = True,
    ) -> None:
        self._kernel, self._record, self._look, self._batch = kernel, record, takes.look, batch
        self._lengths, self._count = takes.lengths, len(takes.lengths)
        self._bodies = (takes.forces[0], 6) if takes.forces else None
        self._shapes, self._none = takes.shapes, (NO_FORCE,) * len(takes.forces)
        self._rows = takes.rows if batch else ()
        self._finish = takes.finish
        self._quaternions = quaternions if not takes.look else ()
        self._large = any(len(shape) > 2 for shape in self._shapes)
        self._one_state = functools.partial(kernel.one_state, record, takes, quaternions, release)
        if not batch:
            self._run = self._one_state(False)

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results for one state; None if arguments do not fit, or results are not
        finite.
        """
        shapes = self._shapes
        outs = (empty(shapes[0]),) if len(shapes) == 1 else tuple(map(empty, shapes))
        if self._one(outs, args):
            return None
        return self._finish(outs) if self._finish else outs[0]

    @functools.cached_property
    def _run_forced(self) -> Callable[..., int]:
        return self._one_state(True)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> int:
        """Fill results, which may have any contents before; return a `Status`."""
        if self._batch:
            return self._many(outs, args)
        return self._one(outs, args) if self._fit(outs, ()) else Status.REFUSED

    def _fit(self, outs: tuple[Any, ...], lead: tuple[int, ...]) -> bool:
        """Test if the kernel can write results with these leading axes."""
        if len(outs) != len(self._shapes):
            return False
        return all(fits(x, lead + shape) for x, shape in zip(outs, self._shapes, strict=True))

    def _one(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> int:
        """Fill results for one state.

        Numbers that are not finite in the arguments are the reason for those in the results, and in
        results of three axes they are not looked for.
        """
        run: Callable[..., int] = self._run
        forces: tuple[Floats, ...] = ()
        if len(args) != self._count:
            args, forces = self._split(args, ())
            if len(args) != self._count:
                return Status.REFUSED
            run = self._run_forced if forces else run
        for x in args:
            if type(x) is not ndarray or x.dtype is not FLOAT or x.ndim != 1:
                return Status.REFUSED
        status = run(args, forces, outs)
        if not status:
            return status
        if status == Status.REFUSED and not all(x.flags.carray for x in args):
            args = tuple([x.copy() for x in args])
            status = run(args, forces, outs)
        if status == Status.NOT_FINITE and self._look:
            small = [x for x in outs if x.ndim <= 2]
            if (self._large and _are_finite(small)) or not _are_finite((*args, *forces)):
                return Status.DONE
        return status

    def _many(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> int:
        """Fill results for a batch."""
        lead = getattr(args[0] if args else None, "shape", ())[:1]
        args, forces = self._split(args, lead)
        if lead in ((), (0,)) or len(outs) != len(self._shapes) or len(args) != self._count:
            return Status.REFUSED
        pairs = zip(args, self._lengths, strict=True)
        if not all(_is_plain(x, (*lead, n)) for x, n in pairs):
            return Status.REFUSED
        results: Sequence[Any] = outs
        if self._rows:
            each = zip(outs, self._shapes, self._rows, strict=True)
            results = [_padded(x, (*lead, shape[0]), width) for x, shape, width in each]
            if any(x is None for x in results):
                return Status.REFUSED
        elif not self._fit(outs, lead):
            return Status.REFUSED
        if may_overlap(outs, (*args, *forces)):
            return Status.OVERLAP
        q = args[0]
        if not all(np.square(q[:, k : k + 4]).sum(axis=1).all() for k in self._quaternions):
            return Status.NOT_FINITE
        read = *args, *(forces or self._none)
        finite = self._kernel.run_batch(self._record, read, results, self._look)
        return Status.DONE if finite or not self._look else Status.NOT_FINITE

    def _split(
        self, args: tuple[Any, ...], lead: tuple[int, ...]
    ) -> tuple[tuple[Any, ...], tuple[Floats, ...]]:
        """Return arguments and external forces, no arguments if these do not fit."""
        n = self._count
        if len(args) < n + 1:
            return args, ()
        force, *others = args[n:]
        if force is None and not others:
            return args[:n], ()
        if others or self._bodies is None or not _is_plain(force, (*lead, *self._bodies)):
            return (), ()
        return args[:n], (force if lead else force[None], *self._none[1:])


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
