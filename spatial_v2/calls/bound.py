"""Functions with model and options fixed in advance, for control loops."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np

from spatial_v2.calls.coupled import check_answer
from spatial_v2.calls.frame import validate_frame
from spatial_v2.calls.prepare import prepare
from spatial_v2.calls.signature import Function
from spatial_v2.couplings import CoupledModel
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.model_state import State
from spatial_v2.model.state import check_model


class Bound:
    """A function with the model and options fixed in advance; `Accelerated.bind` creates it.

    It is called like the function, but without the model. A call with one state in float64 arrays
    runs the kernel at once; other calls are passed to the function. An assignment to a field of the
    model takes effect at the next call.

    Parameters
    ----------
    of : Function
        The function.
    model : Model
        The model.
    options : dict, optional
        Options for every call; a call may override them by keyword.

    Attributes
    ----------
    function : callable
        The public function.
    model : Model
        The model itself, not a copy.
    options : dict
        The bound options.
    """

    __slots__ = (
        "_calls",
        "_complete",
        "_of",
        "_prepared",
        "_seen",
        "_validated",
        "function",
        "model",
        "options",
    )

    def __init__(self, of: Function, model: Model, options: dict[str, Any] | None = None) -> None:
        check_model(model)
        self._of, self.function, self.model = of, of.function, model
        self.options = dict(options or {})
        if isinstance(frame := self.options.get("frame"), Frame) and of.of_frame:
            self.options["frame"] = frame._replace(X=np.array(frame.X))
        if isinstance(model, CoupledModel):
            check_answer(of, model)
        self._prepared: Any = None
        self._seen: State | None = None
        self._complete = False
        self._validated: dict[str, Any] = {}
        for name in self.options:
            if name not in of.defaults:
                known = ", ".join(of.defaults) or "none"
                raise TypeError(
                    f"{of.name}.bind: got an unexpected option {name!r}; options that "
                    f"can be bound: {known}"
                )
        self._validate()
        self._prepare()

    def _validate(self) -> dict[str, Any]:
        """Return the bound options, checked for the present model; constraints become a set."""
        if isinstance(self.model, CoupledModel):
            return self.options
        if self.options:
            model = copy.copy(self.model)
            seen = model.checked()
            if seen is not self._seen:
                options = dict(self.options)
                if self._of.validate_constraints and "constraints" in options:
                    self._of.validate_constraints(model, options)
                elif self._of.of_frame:
                    validate_frame(model, dict(options))
                self._validated, self._seen = options, seen
        return self._validated

    def _prepare(self) -> None:
        model = copy.copy(self.model)
        if isinstance(model, CoupledModel):
            prepared: Any = model._state.calls.get(self._of)
        else:
            prepared = prepare(self._of, model)
        self._calls = dict[Any, Any]()
        others: dict[str, Any] = self._validate()
        if prepared and self._of.choose:
            prepared, _, others = prepared((), others)
        elif prepared and prepared.packed and self.options == {"packed": True}:
            prepared, others = prepared.packed, {}
        self._prepared, self._complete = prepared, prepared is not None and not others
        if prepared:
            prepared.load()
            self._calls = model._state.calls

    def __call__(self, *args: Any, out: Any = None, **kw: Any) -> Any:
        """Return the results, as new arrays or in `out`: an array, or a tuple of several."""
        if self._complete and self.model._state.calls is self._calls and not kw:
            if out is None:
                results = self._prepared.single.new(args)
                if results is None:
                    results = self._prepared.run(args)
                if results is not None:
                    return results
            elif not self._prepared.fill(out if isinstance(out, tuple) else (out,), args):
                return out
        self._check_positions(args)
        kw = {**self._validate(), **kw}
        if out is not None:
            kw["out"] = out
        result = self.function(self.model, *args, **kw)
        if self.model._state.calls is not self._calls:
            self._prepare()
        return result if out is None else out

    def _check_positions(self, args: tuple[Any, ...]) -> None:
        """Raise an error for an option that is bound and also given by position."""
        for name in self._of.options[: max(0, len(args) - len(self._of.cores))]:
            if name in self.options:
                raise TypeError(
                    f"{self._of.name}: the option {name!r} was fixed by bind, and the call gives "
                    f"it again by position; to replace it, pass it by keyword, {name}=..."
                )

    @property
    def __signature__(self) -> inspect.Signature:
        whole = list(inspect.signature(self.function).parameters.values())[1:]
        unbound = [p for p in whole if p.name not in self.options]
        return inspect.signature(self.function).replace(parameters=unbound)

    def __reduce__(self) -> tuple[Any, ...]:
        return _bind, (self.function, self.model, self.options)

    def __repr__(self) -> str:
        name = f" {self.model.name!r}" if self.model.name else ""
        return (
            f"<{self.function.__name__} of Model{name}, NQ = {self.model.NQ}, NV = {self.model.NV}"
            f"{''.join(f', {option}=...' for option in self.options)}>"
        )


def _bind(function: Any, model: Model, options: dict[str, Any]) -> Any:
    return function.bind(model, **options)
