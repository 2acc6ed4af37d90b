"""Kernels called from Python with arrays to fill, without the fast path.

Numba inspects the types of all arguments at each call, which takes longer than the dynamics of a
small robot. Here the types are known, so that the compiled function is looked up once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.loading import compiled_for
from spatial_v2.calls.status import Status
from spatial_v2.engine.tree import NO_FORCE, Tree, View
from spatial_v2.joints.table import FLOATING, SPHERICAL
from spatial_v2.model import Model
from spatial_v2.model.rotations import check_quaternions
from spatial_v2.packed.compute import rows_of

__all__ = ["Plain", "fits", "may_overlap"]


class Plain:
    """A kernel for the tree of the present model, for single states and for batches.

    Arguments are contiguous arrays of doubles, (n,) or (B, n), optionally followed by external
    forces or None; parameters and attributes are those of `direct.runner`.
    """

    loaded = True

    def __init__(
        self,
        kernel: Callable[..., None],
        model: Model,
        tree: Tree | View,
        watched: Sequence[np.ndarray],
        arguments: int,
        forces: int,
        results: Sequence[tuple[Sequence[str], tuple[int, ...]]],
        look: bool,
        finish: Callable[[tuple[Any, ...]], Any] | None,
    ) -> None:
        self.shapes = tuple(shape for _, shape in results)
        self._model, self._snapshot = model, model.checked()
        self._kernel, self._tree, self._watched = kernel, tree, tuple(watched)
        self._arguments, self._forces, self._look = arguments, (NO_FORCE,) * forces, look
        self._finish = finish or (lambda outs: outs[0])
        self._entry: Any = None
        self._record: Any = None
        whole = look and max(map(len, self.shapes)) <= 2
        turns = any(joint.kind in (SPHERICAL, FLOATING) for joint in model.layout.joints)
        self._turns, self._sums = turns and not whole, whole

    def load(self) -> None:
        """Compile the kernel for single states."""
        if not self._entry:
            outs = [np.zeros((1, *shape)) for shape in self.shapes]
            given = [*[np.zeros((1, 1))] * self._arguments, *self._forces]
            self._entry = compiled_for(self._kernel, self._tree, *given, *outs)

    def new(self, args: tuple[Any, ...]) -> Any:
        """New results for one state, as returned to the caller, or None."""
        outs = tuple(map(np.zeros, self.shapes))
        return None if self.run(outs, args) else self._finish(outs)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Fill results with any contents, for one state."""
        return self._checked(outs, args, ()) or self.run(outs, args)

    def batch(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Fill results (B, ...) with any contents, for a batch."""
        return self._checked(outs, args, (len(args[0]),)) or self.run_batch(outs, args)

    def _checked(self, outs: tuple[Any, ...], args: tuple[Any, ...], lead: Any) -> Status:
        if len(outs) != len(self.shapes):
            return Status.REFUSED
        fit = _fit_rows if lead and not self._look else fits
        if not all(fit(x, lead + shape) for x, shape in zip(outs, self.shapes, strict=True)):
            return Status.REFUSED
        if may_overlap(outs, (*args, *self._watched)):
            return Status.OVERLAP
        if not lead:
            for x in outs:
                x.fill(0.0)
        return Status.DONE

    def _admit(self, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Return the kernel's forces; None if the model was edited or arguments do not fit."""
        n = self._arguments
        if self._model.checked() is not self._snapshot or len(args) < n:
            return None
        if self._turns:
            check_quaternions(self._model, args[0])
        if len(args) == n or args[n] is None:
            return self._forces
        return (args[n] if args[0].ndim > 1 else args[n][None], *self._forces[1:])

    def run(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Fill results that are zero, for one state."""
        forces = self._admit(args)
        if forces is None:
            return Status.REFUSED
        arrays = [x[None] for x in args[: self._arguments]]
        into = [x[None] for x in outs]
        if not self._entry:
            self.load()
        self._entry(self._tree, *arrays, *forces, *into)
        if self._sums:
            for x in outs:
                flat = x if x.ndim == 1 else x.ravel()
                if not math.isfinite(flat.dot(flat)):
                    return Status.NOT_FINITE
        return Status.DONE

    def run_batch(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Fill results of a batch that share no memory with other arrays."""
        forces = self._admit(args)
        if forces is None:
            return Status.REFUSED
        into = outs
        if not self._look:
            rows = [rows_of(x) for x in outs]
            if any(x is None for x in rows):
                return Status.REFUSED
            into = tuple(rows)
        from spatial_v2.engine.compile.records import Record
        from spatial_v2.engine.numbers.batches import run_batch

        self._record = self._record or Record(self._tree)
        given = (*args[: self._arguments], *forces)
        finite = run_batch(self._kernel, self._record, given, into, self._look)
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
