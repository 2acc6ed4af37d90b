"""Prepared calls of functions with a kernel, from arguments to results.

A prepared call belongs to a function and a model. It is used whenever arguments and model are real
numbers, and is cached with the state of the model. ``state.new`` runs the kernel on a single state
in contiguous arrays; ``results`` accepts any numbers with any leading axes; ``fill`` writes into
preallocated arrays. Calls that are refused go to `Work.run`, which explains errors.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from spatial_v2.calls.arguments import convert, is_state
from spatial_v2.calls.options import get_workers
from spatial_v2.engine.python_call import fits
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Tree
from spatial_v2.packed.memory import allocate

__all__ = ["Prepared", "Takes"]

_DONE = Status.DONE
Takes: TypeAlias = tuple[Sequence[int], tuple[int, ...] | None]
"""Lengths of the arguments and shape of external forces: `lengths` and `force` of
`arguments.convert`."""
Batch: TypeAlias = Callable[[tuple[Any, ...], tuple[Any, ...]], int]


class Prepared:
    """A function of vectors and matrices, prepared for repeated calls with the present model.

    Parameters
    ----------
    runner : Runner
        The prepared kernel, whose arguments and results are tuples.
    takes : Takes
        Arguments and external forces.
    finish : callable
        Converts a tuple of results to the return value.
    batched : bool or callable
        True if batches are computed in SIMD batches by the kernel; a function that fills results
        (B, ...) of a batch, given both, in place of the kernel.
    writes : bool
        True if the kernel may write directly into arrays of the caller.
    explain : callable, optional
        ``explain(args, outs, lead)`` raises an error, or gives a warning, for results that are not
        finite; without it such calls are refused.
    quaternions : sequence of int
        Places of quaternions in the configuration; no state is computed in which one is zero.

    Attributes
    ----------
    state : object
        Object whose method ``new`` computes new results of one state: the extension's call once
        the kernel is loaded, which saves a call of Python, and before that this object.
    """

    def __init__(
        self,
        runner: Runner,
        takes: Takes,
        finish: Callable[[tuple[Any, ...]], Any],
        batched: bool | Batch = True,
        writes: bool = True,
        explain: Callable[..., None] | None = None,
        quaternions: Sequence[int] = (),
    ) -> None:
        self.runner, self.finish, self.writes = runner, finish, writes
        self._lengths, self._force = takes
        self._explain, self._quaternions, self._batched = explain, quaternions, batched
        self._arguments = [(n,) for n in self._lengths]
        self.shapes = [shape for _, shape in runner.takes.results]
        self.state: Any = self

    def on(self, tree: Tree, explain: Callable[..., None]) -> Prepared:
        """Return the prepared call for a tree with the same joints and other numbers."""
        other = copy.copy(self)
        other.runner, other._explain = self.runner.on(tree), explain
        other.state = other.runner.state or other
        return other

    def load(self) -> None:
        """Compile the functions for single states."""
        self.state = self.runner.load()

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results for contiguous arrays, the arguments of one state; None if they are
        others, or if results are not finite.
        """
        made = self.runner.one(args)
        self.state = self.runner.state or self
        return made

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return the results of a call with options; None if they cannot be computed here."""
        out = options.get("out")
        if out is not None and len(options) == 1:
            outs = out if isinstance(out, tuple) else (out,)
            return None if self.fill(outs, args) else self.finish(outs)
        packed, force = options.get("packed") is True, 0
        if "f_ext" in options and self._force is not None and len(args) == len(self._lengths):
            args, force = (*args, options["f_ext"]), 1
        if len(options) != packed + (out is not None) + force:
            return None
        if out is None:
            return self.results(args, packed)
        outs = out if isinstance(out, tuple) else (out,)
        return None if self.fill(outs, args, packed) else self.finish(outs)

    def results(self, args: tuple[Any, ...], packed: bool = False) -> Any:
        """Return new results for arguments of any shape; None if they cannot be computed here."""
        if not packed and self._is_batch(args):
            outs = tuple([allocate((len(args[0]), *shape)) for shape in self.shapes])
            status = self.batch(outs, args)
            if not status or not self._ended(status, outs, args):
                return self.finish(outs)
        if not packed and self._explain and is_state(args, self._arguments):
            return self._one_filled(args)
        return self._converted(args, packed)

    def _converted(self, args: tuple[Any, ...], packed: bool) -> Any:
        """Return new results for arguments that are converted before."""
        converted = convert(self._lengths, self._force, args)
        if converted is None or (converted[1] and get_workers() != 1):
            return None
        return self._new(*converted, packed)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...], packed: bool = False) -> Status:
        """Write results into preallocated arrays."""
        if self.writes and outs and not packed:
            if self.state is not self and getattr(args[0] if args else None, "ndim", 1) == 1:
                status = self.state.fill(outs, args)
            else:
                status = (self.batch if self._is_batch(args) else self.runner.fill)(outs, args)
            if not status or not self._ended(status, outs, args):
                return _DONE
        converted = convert(self._lengths, self._force, args)
        if converted is None or (converted[1] and get_workers() != 1):
            return Status.REFUSED
        return self._fill(outs, *converted, packed)

    def batch(self, outs: Sequence[np.ndarray], args: Sequence[np.ndarray]) -> Status:
        """Write results (B, ...) of a batch, or rows of values, from contiguous arrays."""
        if not self._batched:
            return Status.REFUSED
        run = self._batched if callable(self._batched) else self.runner.batch
        return Status(run(tuple(outs), tuple(args)))

    def _one_filled(self, args: tuple[Any, ...]) -> Any:
        """Return new results for one state that need not be finite; None if there are none."""
        outs = tuple(map(np.empty, self.shapes))
        status = self.runner.fill(outs, args)
        return None if status and self._ended(status, outs, args, ()) else self.finish(outs)

    def _ended(
        self, status: int, outs: Any, args: tuple[Any, ...], lead: tuple[int, ...] | None = None
    ) -> Status:
        """Explain results that are not finite, but computed; return the status of the call."""
        if status != Status.NOT_FINITE or self._explain is None:
            return Status(status)
        lead = args[0].shape[:-1] if lead is None else lead
        if not lead and any(not (x := args[0][k : k + 4]) @ x for k in self._quaternions):
            return Status.NOT_FINITE
        results = [x.reshape(*lead, *shape) for x, shape in zip(outs, self.shapes, strict=True)]
        self._explain([x for x in args if x is not None], results, lead)
        return _DONE

    def _is_batch(self, args: tuple[Any, ...]) -> bool:
        """Test if there is one leading axis, for SIMD batches on one thread by the kernel, which
        checks arrays itself.
        """
        first: Any = args[0] if args else None
        batch = type(first) is np.ndarray and first.ndim == 2 and first.flags.c_contiguous
        return bool(batch and len(first) and self._batched is True and get_workers() == 1)

    def _new(self, args: tuple[Any, ...], lead: tuple[int, ...], packed: bool) -> Any:
        """Return new results for a state, or for a batch whose leading axes are flattened."""
        if packed or (lead and not self._batched):
            return None
        if not lead:
            made = self.new(args)
            return self._one_filled(args) if made is None else made
        outs = tuple([allocate((*lead, *shape)) for shape in self.shapes])
        flat = self._flat(outs, lead)
        status = self.batch(flat, args)
        return None if status and self._ended(status, flat, args, lead) else self.finish(outs)

    def _flat(self, outs: tuple[Any, ...], lead: tuple[int, ...]) -> tuple[Any, ...]:
        """Return views of contiguous results (*lead, ...) with flattened leading axes."""
        if len(lead) == 1:
            return outs
        states = math.prod(lead)
        return tuple([x.reshape(states, *s) for x, s in zip(outs, self.shapes, strict=True)])

    def _fill(
        self, outs: tuple[Any, ...], args: tuple[Any, ...], lead: tuple[int, ...], packed: bool
    ) -> Status:
        """Write results for a state or a flattened batch into preallocated arrays."""
        if packed or not self.writes or not outs:
            return Status.REFUSED
        if not lead:
            status = self.runner.fill(outs, args)
            return self._ended(status, outs, args, lead) if status else _DONE
        right = len(outs) == len(self.shapes) and all(
            fits(x, (*lead, *shape)) for x, shape in zip(outs, self.shapes, strict=True)
        )
        flat = self._flat(outs, lead)
        return self._ended(self.batch(flat, args), flat, args, lead) if right else Status.REFUSED
