"""Prepared calls (`Plan`) of functions with a kernel, from arguments to results.

A plan belongs to a function and a model. It is used whenever arguments and model are real numbers,
and is cached with the state of the model. ``new`` runs the kernel on a single state in
contiguous arrays; ``results`` accepts any numbers with any leading axes; ``fill`` writes into
preallocated arrays. Calls that a plan refuses go to `Work.run`, which explains errors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.arguments import convert, is_state
from spatial_v2.calls.options import get_workers
from spatial_v2.calls.plain import Plain, fits
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Tree
from spatial_v2.packed.memory import allocate

__all__ = ["KernelPlan", "Plan"]

_DONE = Status.DONE


class Plan:
    """A function prepared for repeated calls with the present model.

    Parameters
    ----------
    single : Single or Plain
        The prepared kernel, whose arguments and results are tuples.
    wide : Single, Plain or None
        The prepared kernel for batches; None if states are not computed in SIMD batches.
    takes : tuple
        Lengths of the arguments and shape of external forces: `lengths` and `force` of
        `arguments.convert`.
    finish : callable
        Converts a tuple of results to the return value.

    Attributes
    ----------
    new : callable
        Function of a tuple of contiguous arrays, the arguments of one state. It returns new
        results, or None if it cannot compute them.
    """

    single: Any
    finish: Callable[[tuple[Any, ...]], Any]
    new: Callable[[tuple[Any, ...]], Any]

    def __init__(
        self,
        single: Any,
        wide: Any,
        takes: tuple[Sequence[int], tuple[int, ...] | None],
        finish: Callable[[tuple[Any, ...]], Any],
    ) -> None:
        self.single, self.wide, self.finish = single, wide, finish
        self._lengths, self._force = takes
        self.quick = not isinstance(single, Plain)
        """True if `single` is of the extension, which checks arguments: no conversion is needed."""

    def load(self) -> None:
        """Compile the functions for single states."""
        self.single.load()

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return the results of a call with options; None if this plan cannot compute them."""
        out = options.get("out")
        if out is not None and len(options) == 1:
            outs = out if isinstance(out, tuple) else (out,)
            return None if self.fill(outs, args) else self.finish(outs)
        packed, given = options.get("packed") is True, 0
        if "f_ext" in options and self._force is not None and len(args) == len(self._lengths):
            args, given = (*args, options["f_ext"]), 1
        if len(options) != packed + (out is not None) + given:
            return None
        if out is None:
            return self.results(args, packed)
        outs = out if isinstance(out, tuple) else (out,)
        return None if self.fill(outs, args, packed) else self.finish(outs)

    def results(self, args: tuple[Any, ...], packed: bool = False) -> Any:
        """Return new results for arguments of any shape; None if this plan cannot compute them."""
        found = convert(self._lengths, self._force, args)
        if found is None or (found[1] and get_workers() != 1):
            return None
        return self._new(*found, packed)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...], packed: bool = False) -> Status:
        """Write results into preallocated arrays, or into the values of packed tensors."""
        if self.quick:
            status = self._fill(outs, args, (), packed)
            if status is not Status.REFUSED:
                return status
        found = convert(self._lengths, self._force, args)
        if found is None or (found[1] and get_workers() != 1):
            return Status.REFUSED
        return self._fill(outs, *found, packed)

    def batch(self, outs: Sequence[np.ndarray], args: Sequence[np.ndarray]) -> Status:
        """Write results (B, ...) of a batch, or rows of values, from contiguous arrays."""
        return Status(self.wide.batch(tuple(outs), tuple(args))) if self.wide else Status.REFUSED

    def _new(self, args: tuple[Any, ...], lead: tuple[int, ...], packed: bool) -> Any:
        """Return new results for a state, or for a batch whose leading axes are flattened."""
        raise NotImplementedError

    def _fill(
        self, outs: tuple[Any, ...], args: tuple[Any, ...], lead: tuple[int, ...], packed: bool
    ) -> Status:
        """Write results for a state or a flattened batch into preallocated arrays."""
        raise NotImplementedError


class KernelPlan(Plan):
    """A prepared call of a function whose results are vectors and matrices.

    Parameters
    ----------
    single, takes, finish
        See `Plan`.
    fills : bool
        True if the kernel may write directly into arrays of the caller.
    batched : bool
        True if batches are computed in SIMD batches.
    explain : callable, optional
        ``explain(args, outs, lead)`` raises an error, or gives a warning, for results that are not
        finite; without it such calls are refused.
    turning : sequence of slice
        Quaternions in the configuration; no state is computed in which one is zero.
    """

    def __init__(
        self,
        single: Any,
        takes: Any,
        finish: Any,
        fills: bool,
        batched: bool,
        explain: Callable[..., None] | None = None,
        turning: Sequence[slice] = (),
    ) -> None:
        super().__init__(single, single if batched else None, takes, finish)
        self._explain, self._turning = explain, turning
        self.shapes, self.fills = single.shapes, fills
        self._state = [(n,) for n in self._lengths]
        self.new = self._first if self.quick else self._one

    def load(self) -> None:
        super().load()
        if self.quick:
            self.new = self.single.new

    def on(self, tree: Tree, explain: Callable[..., None]) -> KernelPlan | None:
        """Return the plan for a tree with the same joints and other numbers, if that is simple."""
        if not self.quick:
            return None
        takes, batched = (self._lengths, self._force), self.wide is not None
        given = self.finish, self.fills, batched, explain, self._turning
        return KernelPlan(self.single.on(tree), takes, *given)

    def _one(self, args: tuple[Any, ...]) -> Any:
        return self.single.new(args) if is_state(args, self._state) else None

    def _first(self, args: tuple[Any, ...]) -> Any:
        found = self.single.new(args)
        if self.single.loaded:
            self.new = self.single.new
        return found

    def results(self, args: tuple[Any, ...], packed: bool = False) -> Any:
        if self.quick and not packed and self._is_batch(args):
            outs = tuple([allocate((len(args[0]), *shape)) for shape in self.shapes])
            status = self.single.batch(outs, args)
            if not status or not self._ended(status, outs, args):
                return self.finish(outs)
        if self.quick and not packed and self._explain and is_state(args, self._state):
            return self._one_filled(args)
        return super().results(args, packed)

    def _one_filled(self, args: tuple[Any, ...]) -> Any:
        """Return new results for one state that need not be finite; None if there are none."""
        outs = tuple(map(np.empty, self.shapes))
        status = self.single.fill(outs, args)
        return None if status and self._ended(status, outs, args, ()) else self.finish(outs)

    def _ended(
        self, status: int, outs: Any, args: tuple[Any, ...], lead: tuple[int, ...] | None = None
    ) -> Status:
        """Explain results that are not finite, but computed; return the status of the call."""
        if status != Status.NOT_FINITE or self._explain is None:
            return Status(status)
        lead = args[0].shape[:-1] if lead is None else lead
        if not lead and any(not args[0][x] @ args[0][x] for x in self._turning):
            return Status.NOT_FINITE
        results = [x.reshape(*lead, *shape) for x, shape in zip(outs, self.shapes, strict=True)]
        self._explain([x for x in args if x is not None], results, lead)
        return _DONE

    def _is_batch(self, args: tuple[Any, ...]) -> bool:
        """Test if there is one leading axis, for SIMD batches on one thread."""
        first: Any = args[0] if args else None
        batch = type(first) is np.ndarray and first.ndim == 2 and first.flags.c_contiguous
        return bool(batch and len(first) and self.wide and get_workers() == 1)

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...], packed: bool = False) -> Status:
        if self.quick and self.fills and outs and not packed:
            several = args and getattr(args[0], "ndim", 1) == 2 and self._is_batch(args)
            run = self.single.batch if several else self.single.fill
            status = run(outs, args)
            if not status or not self._ended(status, outs, args):
                return _DONE
        return super().fill(outs, args, packed)

    def _new(self, args: tuple[Any, ...], lead: tuple[int, ...], packed: bool) -> Any:
        if packed or (lead and not self.wide):
            return None
        if not lead:
            found = self.single.new(args)
            return self._one_filled(args) if found is None else found
        outs = tuple([allocate((*lead, *shape)) for shape in self.shapes])
        flat = self._flat(outs, lead)
        status = (self.single.batch if self.quick else self.single.run_batch)(flat, args)
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
        if packed or not self.fills or not outs:
            return Status.REFUSED
        if not lead:
            status = self.single.fill(outs, args)
            return self._ended(status, outs, args, lead) if status else _DONE
        right = len(outs) == len(self.shapes) and all(
            fits(x, (*lead, *shape)) for x, shape in zip(outs, self.shapes, strict=True)
        )
        flat = self._flat(outs, lead)
        return self._ended(self.batch(flat, args), flat, args, lead) if right else Status.REFUSED
