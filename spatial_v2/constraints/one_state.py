"""A fast path for `KKT_FD` of one state, which calls the kernel directly."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from spatial_v2.calls.arguments import is_state
from spatial_v2.calls.joints import watched_arrays
from spatial_v2.calls.plain import fits, may_overlap
from spatial_v2.calls.status import Status
from spatial_v2.constraints.ConstraintSet import constraint_set
from spatial_v2.constraints.forward import make_plan
from spatial_v2.engine.tree import NO_FORCE
from spatial_v2.model import Model

__all__ = ["OneState", "one_state"]


def one_state(of: Any, model: Model) -> OneState | None:
    """Return the fast path of `KKT_FD` for single states, or None if the model has rotors."""
    return None if model.has_rotors else OneState(of, model)


class OneState:
    """Fast path of `KKT_FD` for one state, with the methods of `calls.plan.Plan`.

    Attributes
    ----------
    finish : callable
        Converts a tuple of results to the return value.
    """

    __slots__ = ("_model", "_of", "_shapes", "finish")

    def __init__(self, of: Any, model: Model) -> None:
        self._model, self._of = weakref.ref(model), of
        self._shapes = (model.NQ,), (model.NV,), (model.NV,)
        self.finish: Callable[[tuple[Any, ...]], Any] = of.finish

    def load(self) -> None:
        """Do nothing: the kernel is loaded when the constraints are known."""

    def new(self, args: tuple[Any, ...]) -> Any:
        """Return new results, or None if this fast path does not handle the arguments."""
        found = self._compute(args)
        return found and self.finish(found)

    def _compute(self, args: tuple[Any, ...]) -> tuple[np.ndarray, np.ndarray] | None:
        """Compute accelerations and multipliers; None for arguments that are not handled."""
        model = self._model()
        if len(args) != 4 or model is None or not is_state(args[:3], self._shapes):
            return None
        seen = model.checked()
        if seen.kept.get(self._of) is not self:
            return None
        state = [x[None] for x in args[:3]]
        held = constraint_set(model, args[3], seen)
        if not held.is_plain:
            return None
        made = make_plan(model, held, seen)
        qdd, force, verdict = np.empty(model.NV), np.empty(held.m), np.empty(1, dtype=np.int64)
        columns = qdd[None, :, None], force[None, :, None]
        made.run(made.of, *state, NO_FORCE, NO_FORCE, *columns, verdict)
        return None if verdict[0] else (qdd, force)

    def called(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return results for the options `constraints` and `out`; None if there are others."""
        count, out = len(options), options.get("out")
        if "constraints" in options:
            args, count = (*args, options["constraints"]), count - 1
        if out is None:
            return None if count else self.new(args)
        if count > 1 or not isinstance(out, tuple) or self.fill(out, args):
            return None
        return self.finish(out)

    def results(self, args: tuple[Any, ...], packed: bool = False) -> Any:
        """Return None: batches and other layouts are not handled here."""
        return None

    def fill(self, outs: tuple[Any, ...], args: tuple[Any, ...], packed: bool = False) -> Status:
        """Write results into `outs`, which may overlap the arguments, not the model's arrays."""
        model = self._model()
        found = None if packed or model is None or len(outs) != 2 else self._compute(args)
        if found is None or not all(fits(x, y.shape) for x, y in zip(outs, found, strict=True)):
            return Status.REFUSED
        if may_overlap(outs, watched_arrays(cast("Model", model))):
            return Status.OVERLAP
        for x, y in zip(outs, found, strict=True):
            x[...] = y
        return Status.DONE
