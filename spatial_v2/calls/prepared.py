"""Prepared calls of functions with a kernel, from arguments to results.

A prepared call belongs to a function, a state of a model, and the options that a kernel's record
depends on: a frame and axes, or constraints. It is used whenever arguments and model are real
numbers, and is cached with the state of the model. ``single.new`` runs the kernel on a single state
in contiguous arrays; ``results`` accepts any numbers with any leading axes; ``fill`` writes into
preallocated arrays. Calls that are refused go to `Work.run`, which explains errors.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.arguments import convert, is_state
from spatial_v2.calls.blocks import in_threads
from spatial_v2.calls.options import get_workers
from spatial_v2.calls.steps import Results, flattened
from spatial_v2.engine.python_call import fits, may_overlap
from spatial_v2.engine.runner import Runner
from spatial_v2.engine.status import Status
from spatial_v2.engine.tree import Tree
from spatial_v2.packed.memory import allocate

_DONE = Status.DONE


class Prepared:
    """A function prepared for repeated calls with the present model and some options.

    `runner` is the prepared kernel, whose arguments and results are tuples; `finish` converts a
    tuple of new results to the return value, None if they are not valid; `results` has other steps
    to results than those of the kernel alone. Without ``explain(args, outs, lead)``, which raises
    an error or gives a warning, calls with results that are not finite are refused. `packed` is the
    prepared call with the option ``packed=True``.

    `single` has a method ``new``, which computes new results of one state: the extension's call
    once the kernel is loaded, which saves a call of Python, and before that this object.
    """

    def __init__(
        self,
        runner: Runner,
        finish: Callable[[tuple[Any, ...]], Any],
        batched: bool = True,
        results: Results | None = None,
        explain: Callable[..., None] | None = None,
        packed: Prepared | None = None,
    ) -> None:
        how = results or Results()
        self.runner, self.finish, self.packed = runner, finish, packed
        self._lengths, self._force = runner.takes.lengths, runner.takes.force
        self._batched, self._explain = batched, explain
        self._arguments = [(n,) for n in self._lengths]
        self.shapes = how.shapes or runner.takes.shapes
        self._how, self._returned = how, how.returned or finish
        self._direct = not (how.targets or how.returned or how.fill_one)
        """True if the kernel writes into arrays of the caller, which it checks itself."""
        self.single: Any = self

    def on(self, tree: Tree, explain: Callable[..., None]) -> Prepared:
        """Return the prepared call for a tree with the same joints and other numbers."""
        other = copy.copy(self)
        other.runner, other._explain = self.runner.on(tree), explain
        other.single = other.runner.single or other
        return other

    def load(self) -> None:
        """Compile the functions for single states."""
        loaded = self.runner.load()
        self.single = self if self._how.fill_one else loaded

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results of one state; None if it is refused, or results are not finite."""
        if self._how.fill_one:
            outs, targets = self._allocated(())
            return None if self._how.fill_one(targets, args) else self.finish(outs)
        made = self.runner.new(args)
        self.single = self.runner.single or self
        return made

    def run_with(self, args: tuple[Any, ...], options: dict[str, Any], workers: int = 1) -> Any:
        """Return the results of a call with options; None if they cannot be computed here."""
        if workers != 1:
            return None if options else self._run_shared(args, workers)
        if not options:
            made = self.single.new(args)
            return self.run(args) if made is None else made
        out, force = options.get("out"), 0
        if out is not None and len(options) == 1:
            outs = out if isinstance(out, tuple) else (out,)
            return None if self.fill(outs, args) else self._returned(outs)
        if self.packed and isinstance(options.get("packed"), bool):
            others = {name: x for name, x in options.items() if name != "packed"}
            return (self.packed if options["packed"] else self).run_with(args, others)
        takes_force = self._force is not None and len(args) == len(self._arguments)
        if takes_force and "f_ext" in options:
            args, force = (*args, options["f_ext"]), 1
        if len(options) != (out is not None) + force:
            return None
        return self.run_with(args, {} if out is None else {"out": out})

    def run(self, args: tuple[Any, ...]) -> Any:
        """Return new results for arguments that `single.new` refuses: of other shapes and kinds, or
        with results that are not finite; None if they cannot be computed here.
        """
        if self._is_batch(args):
            outs, targets = self._allocated(args[0].shape[:1])
            status = self.fill_batch(targets, args)
            if not status or not self._ended(status, outs, args, args[0].shape[:1]):
                return self.finish(outs)
        if is_state(args, self._arguments):  # refused by `single.new`, for what it computed
            return self._not_finite(args)
        converted = self._converted(args)
        if converted is None:
            return None
        args, lead = converted
        if not lead:
            made = self.new(args)
            return self._not_finite(args) if made is None else made
        if not self._batched:
            return None
        outs, targets = self._allocated(lead)
        status = self.fill_batch(targets, args)
        return None if status and self._ended(status, outs, args, lead) else self.finish(outs)

    def _run_shared(self, args: tuple[Any, ...], workers: int) -> Any:
        """Return new results for a batch, which threads share; None if it is not computed here."""
        converted = convert(self._lengths, self._force, args)
        plain = self._direct and self._batched and not (self._how.fill_batch or self._how.new)
        if converted is None or not converted[1] or not plain:
            return None
        args, lead = converted
        outs, targets = self._allocated(lead)

        def task(part: slice) -> Status:
            return self.fill_batch([x[part] for x in targets], [x[part] for x in args])

        ended = {*in_threads(workers, len(args[0]), task)}
        status = max(ended) if ended <= {_DONE, Status.NOT_FINITE} else Status.REFUSED
        return None if status and self._ended(status, outs, args, lead) else self.finish(outs)

    def _converted(self, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[int, ...]] | None:
        converted = convert(self._lengths, self._force, args)
        return None if converted and converted[1] and get_workers() != 1 else converted

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Write results into preallocated arrays."""
        first: Any = args[0] if args else None
        one = getattr(first, "ndim", 1) == 1
        if self._direct and one and self.single is not self:
            # the extension's call itself: a method of Python between takes a tenth longer
            status = self.single.fill(outs, args)
        elif self._direct:
            status = (self.fill_batch if self._is_batch(args) else self.runner.fill)(outs, args)
        elif self._how.returned:
            return self._copied(outs, args)
        else:
            status = self._one(outs, args) if one else Status.REFUSED
        if not status:
            return _DONE
        if status != Status.REFUSED:
            return self._ended(status, outs, args, first.shape[:-1])
        converted = self._converted(args)
        if converted is None:
            return Status.REFUSED
        args, lead = converted
        if not lead:
            return self._ended(self._one(outs, args), outs, args, lead)
        to = self._targets(outs, lead)
        if to is None:
            return Status.REFUSED
        if self._how.fill_batch and may_overlap(outs, args):
            return Status.OVERLAP
        return self._ended(self.fill_batch(to, args), to, args, lead)

    def _one(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> int:
        """Compute one state into arrays of the caller."""
        if self._direct:
            return self.runner.fill(outs, args)
        to = self._targets(outs, ())
        return Status.REFUSED if to is None else (self._how.fill_one or self.runner.fill)(to, args)

    def _copied(self, outs: tuple[Any, ...], args: tuple[Any, ...]) -> Status:
        """Compute new results and copy them into `outs`, which may overlap the arguments."""
        made = self.run_with(args, {})
        parts = made if isinstance(made, tuple) else (made,)
        fit = made is not None and len(parts) == len(outs)
        if not fit or not all(fits(x, y.shape) for x, y in zip(outs, parts, strict=True)):
            return Status.REFUSED
        if may_overlap(outs, ()):
            return Status.OVERLAP
        for x, y in zip(outs, parts, strict=True):
            x[...] = y
        return _DONE

    def fill_batch(self, outs: Sequence[Any], args: Sequence[np.ndarray]) -> Status:
        """Compute results (B, ...) of a batch, or other targets, from contiguous arrays."""
        if not self._batched:
            return Status.REFUSED
        run = self._how.fill_batch or self.runner.fill_batch
        return Status(run(tuple(outs), tuple(args)))

    def _not_finite(self, args: tuple[Any, ...]) -> Any:
        """Return new results for one state that are not finite; None if these are an error."""
        if self._explain is None:
            return None
        outs = tuple(map(np.empty, self.shapes))
        status = self.runner.fill(outs, args)
        return None if status and self._ended(status, outs, args, ()) else self.finish(outs)

    def _ended(
        self, status: int, outs: Any, args: tuple[Any, ...], lead: tuple[int, ...]
    ) -> Status:
        """Explain results that are not finite, but computed; return the status of the call."""
        if status != Status.NOT_FINITE or self._explain is None:
            return Status(status)
        if not lead and any(not (x := args[0][k : k + 4]) @ x for k in self.runner.quaternions):
            return Status.NOT_FINITE
        results = [x.reshape(*lead, *shape) for x, shape in zip(outs, self.shapes, strict=True)]
        self._explain([x for x in args if x is not None], results, lead)
        return _DONE

    def _is_batch(self, args: tuple[Any, ...]) -> bool:
        """Test for one leading axis, on one thread: the kernel checks arrays itself."""
        first: Any = args[0] if args else None
        if type(first) is not np.ndarray or first.ndim != 2 or not first.flags.c_contiguous:
            return False
        own = self._batched and self._how.fill_batch is None
        return bool(own and len(first) and get_workers() == 1)

    def _allocated(self, lead: tuple[int, ...]) -> tuple[tuple[Any, ...], Any]:
        """Return new results with leading axes, and their targets."""
        if self._how.new:
            return self._how.new(lead)
        outs = tuple([allocate((*lead, *shape)) for shape in self.shapes])
        if len(lead) < 2:
            return outs, outs
        pairs, count = zip(outs, self.shapes, strict=True), math.prod(lead)
        return outs, tuple([x.reshape(count, *shape) for x, shape in pairs])

    def _targets(self, outs: tuple[Any, ...], lead: tuple[int, ...]) -> Any:
        if self._how.targets:
            return self._how.targets(outs, lead)
        return flattened(outs, self.shapes, lead)
