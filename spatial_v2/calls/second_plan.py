"""Prepared calls of `FD_SO_derivatives` for models without rotors."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.calls.direct import runner
from spatial_v2.calls.joints import watched_arrays
from spatial_v2.calls.loading import compiled_function, load_kernel
from spatial_v2.calls.plain import fits, may_overlap
from spatial_v2.calls.plan import Plan
from spatial_v2.calls.prepared import kernel_tree, prepare
from spatial_v2.calls.second_order import SecondOrder, sums_for
from spatial_v2.calls.signature import Function
from spatial_v2.calls.status import Status
from spatial_v2.calls.tensor_plan import addresses
from spatial_v2.engine.numbers.cache_lines import MANY
from spatial_v2.model import Model
from spatial_v2.packed.memory import allocate

__all__ = ["SecondPlan", "plan_maker"]


class SecondPlan(Plan):
    """Prepared call that computes the tensors of one state at once, and those of a batch in blocks.

    Parameters
    ----------
    tensors : SecondOrder
        Object that fills the tensors of batches.
    of : Function
        The function.
    model : Model
        The model, without rotors.
    """

    def __init__(self, tensors: SecondOrder, of: Function, model: Model) -> None:
        from spatial_v2.engine.algorithms.FD_SO_derivatives import FD_SO_derivatives
        from spatial_v2.engine.tensors.dense import apart

        patterns, self._sums = model.checked().keep("fd_so", lambda: sums_for(model))
        self._second, self._apart, self._model = FD_SO_derivatives, apart, model
        self._tensors = tensors
        n, whole = model.NV, not model.is_planar
        self._tree, self._n, self._past = kernel_tree(model), n, n**3 >= MANY
        self._parts = [(n, n)] * 3 + [(pattern.nnz + 1,) for pattern in patterns]
        self._watched = watched_arrays(model)
        self._taken = addresses(self._watched)
        self._room: list[tuple[np.ndarray, ...]] = []
        single = runner(
            load_kernel("FD_SO_derivatives_parts"),
            model,
            self._tree,
            self._watched,
            np.zeros(0, dtype=np.int64),
            [("q", model.NQ), ("v", n), ("v", n)],
            [model.NB if whole else -1] * 2,
            [(("n",) * len(shape), shape) for shape in self._parts],
        )
        takes = (model.NQ, n, n), (model.NB, 6) if whole else ()
        super().__init__(single, takes, of.finish)
        self.new = self._state if self.quick else self.results

    def _fill_state(self, args: tuple[Any, ...], outs: Sequence[np.ndarray]) -> Status:
        """Compute the tensors of one state in preallocated arrays."""
        try:
            parts = self._room.pop()
        except IndexError:
            parts = tuple(map(np.zeros, self._parts))
        status = Status(self.single.run(parts, args))
        if not status and not self._apart(tuple(outs), args[0], self._taken):
            status = Status.OVERLAP
        if not status:
            n, given = self._n, [x[None] for x in parts[:6]]
            flat = [out.reshape(1, n, n * n) for out in outs]
            self._second(self._tree, self._sums, self._past, args[0][None], *given, *flat)
        self._room.append(parts)
        return status

    def _state(self, args: tuple[Any, ...]) -> Any:
        """Return new tensors for one state."""
        outs = tuple([allocate((self._n,) * 3) for _ in range(4)])
        return None if self._fill_state(args, outs) else self.finish(outs)

    def _new(self, args: tuple[Any, ...], lead: tuple[int, ...], packed: bool) -> Any:
        if packed or not lead:
            return None if packed else self._state(args)
        outs = tuple([allocate((*lead, *(self._n,) * 3)) for _ in range(4)])
        return None if self._fill_batch(args, outs, lead) else self.finish(outs)

    def _fill_batch(
        self, args: tuple[Any, ...], outs: Sequence[np.ndarray], lead: tuple[int, ...]
    ) -> Status:
        """Compute the tensors of a batch in `outs`, at the accelerations of forward dynamics."""
        of, n, states = self._tensors, self._n, math.prod(lead)
        dynamics = prepare(of.dynamics.work, self._model)
        qdd, none = np.empty((states, n)), np.zeros((0, 0, 6))
        status = dynamics.fill((qdd,), args) if dynamics else Status.REFUSED
        if not status:
            flat = [x.reshape(states, n, n, n) for x in outs]
            state = [*args[:3], qdd, *(args[3:] or (none,)), none]
            of.fill_at(self._model, state, flat, True)
        return status

    def _fill(
        self, outs: tuple[Any, ...], args: tuple[Any, ...], lead: tuple[int, ...], packed: bool
    ) -> Status:
        shape = (*lead, *(self._n,) * 3)
        if packed or len(outs) != 4 or not all(fits(out, shape) for out in outs):
            return Status.REFUSED
        if not lead:
            return self._fill_state(args, outs)
        if may_overlap(outs, (*args, *self._watched)):
            return Status.OVERLAP
        return self._fill_batch(args, outs, lead)


def plan_maker(tensors: SecondOrder) -> Callable[[Function, Model], SecondPlan | None]:
    """Return a function that creates a `SecondPlan`, or returns None.

    It returns None for models with rotors, and where kernels cannot be compiled.
    """

    def make(of: Function, model: Model) -> SecondPlan | None:
        if model.has_rotors or compiled_function("FD_SO_derivatives_parts") is None:
            return None
        return SecondPlan(tensors, of, model)

    return make
