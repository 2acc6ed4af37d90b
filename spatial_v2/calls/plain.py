"""Kernels called from Python with arrays to fill, without the extension in C."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.engine.kernel import Kernel, KernelCall, Record
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.joints.table import FLOATING, SPHERICAL
from spatial_v2.model import Model
from spatial_v2.model.rotations import check_quaternions
from spatial_v2.packed.compute import rows_of
from spatial_v2.packed.memory import SMALLEST, allocate

__all__ = ["Plain", "fits", "may_overlap"]


class Plain:
    """A kernel for the tree of a model, for single states and for batches.

    Arguments are contiguous arrays of doubles, (n,) or (B, n), optionally followed by external
    forces or None; parameters and attributes are those of `direct.runner`.
    """

    loaded = True

    def __init__(
        self,
        kernel: Kernel,
        model: Model,
        of: Any,
        takes: KernelCall,
    ) -> None:
        look = takes.look
        self.shapes = tuple(shape for _, shape in takes.results)
        self._model, self._kernel, self._record = model, kernel, Record(of)
        self._lengths = [n for _, n in takes.arguments]
        self._arguments, self._look = len(self._lengths), look
        self._forces = (NO_FORCE,) * len(takes.forces)
        self._finish = takes.finish or (lambda outs: outs[0])
        self._one: Any = None
        large = max(map(math.prod, self.shapes)) >= SMALLEST
        self._empty: Callable[..., np.ndarray] = allocate if large else np.empty
        whole = look and max(map(len, self.shapes)) <= 2
        turns = any(joint.kind in (SPHERICAL, FLOATING) for joint in model.layout.joints)
        self._turns, self._sums = turns and not whole, whole or not look

    def load(self) -> None:
        """Compile the kernel for single states."""
        if not self._one:
            takes, makes = ([(1, n) for n in self._lengths], [(1, *x) for x in self.shapes])
            calls = takes, self._forces, makes, self._look
            self._one = self._kernel.one_state(self._record, (), *calls)

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results for one state as the caller gets them; None if the kernel cannot
        run.
        """
        outs = tuple(map(self._empty, self.shapes))
        return None if self.run(outs, args) else self._finish(outs)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Fill results for one state, if the arrays fit."""
        return self.run(outs, args) if self._fit(outs, ()) else Status.REFUSED

    def batch(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Fill results (B, ...) for a batch, if the arrays fit."""
        if not self._fit(outs, (len(args[0]),)):
            return Status.REFUSED
        if may_overlap(outs, args):
            return Status.OVERLAP
        return self.run_batch(outs, args)

    def _fit(self, outs: tuple[Any, ...], lead: tuple[int, ...]) -> bool:
        """Test if a kernel can write results for a state or a batch into arrays."""
        fit = _fit_rows if lead and not self._look else fits
        return len(outs) == len(self.shapes) and all(
            fit(x, lead + shape) for x, shape in zip(outs, self.shapes, strict=True)
        )

    def _admit(self, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the kernel's forces; None if arguments are missing."""
        n = self._arguments
        if len(args) < n:
            return None
        if self._turns:
            check_quaternions(self._model, args[0])
        if len(args) == n or args[n] is None:
            return self._forces
        return (args[n] if args[0].ndim > 1 else args[n][None], *self._forces[1:])

    def run(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Compute the results of one state in arrays that fit."""
        forces = self._admit(args)
        if forces is None:
            return Status.REFUSED
        if not self._one:
            self.load()
        code = self._one(args[: self._arguments], forces, outs)
        if code == Status.NOT_FINITE:
            told = self._sums and all(x is None or np.isfinite(x).all() for x in args)
            return Status.NOT_FINITE if told else Status.DONE
        return Status(code)

    def run_batch(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Compute the results of a batch in arrays that share no memory with others."""
        forces = self._admit(args)
        if forces is None:
            return Status.REFUSED
        into = outs
        if not self._look:
            rows = [rows_of(x) for x in outs]
            if any(x is None for x in rows):
                return Status.REFUSED
            into = tuple(rows)
        given = (*args[: self._arguments], *forces)
        finite = self._kernel.run_batch(self._record, given, into, self._look)
        return Status.DONE if finite or not self._look else Status.NOT_FINITE


def may_overlap(outs: Sequence[np.ndarray], others: Sequence[Any]) -> bool:
    """Test if arrays may share memory with one another, or with other arrays."""
    every = [*(x for x in others if x is not None), *outs]
    first = len(every) - len(outs)
    return any(np.may_share_memory(x, y) for k, x in enumerate(outs) for y in every[: first + k])


def _fit_rows(x: Any, shape: tuple[int, ...]) -> bool:
    """Test if rows are long enough for values (B, n)."""
    plain = type(x) is np.ndarray and x.dtype == np.float64 and x.ndim == 2 and x.flags.writeable
    return plain and len(x) == shape[0] and x.shape[1] >= shape[1] and x.flags.aligned


def fits(x: Any, shape: tuple[int, ...]) -> bool:
    """Test if a result can be written into x directly."""
    plain = type(x) is np.ndarray and x.dtype == np.float64 and x.shape == shape
    return plain and x.flags.c_contiguous and x.flags.writeable and x.flags.aligned
