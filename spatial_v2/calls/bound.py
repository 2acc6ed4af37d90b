"""Ways straight to the kernel: what plain calls with options take, and what `bind` gives."""

from __future__ import annotations

import inspect
from typing import Any

from spatial_v2.calls.prepared import Page, prepare
from spatial_v2.calls.prepared_tensors import PreparedTensors
from spatial_v2.model import Model

__all__ = ["Bound", "quickly"]


def quickly(prepared: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """The result of a call with ``packed=True``, ``out=`` or both; None for any other."""
    packed, out = options.get("packed") is True, options.get("out")
    if len(options) != packed + (out is not None):
        return None
    if not packed or isinstance(prepared, PreparedTensors):
        if out is None:
            return prepared.packed(args)
        outs = out if isinstance(out, tuple) else (out,)
        fill = prepared.fill_packed if packed else prepared.fill
        if not fill(args, outs):
            return prepared.finish(outs)
    return None


class Bound:
    """An accelerated function of one model, ready for control loops; `Accelerated.bind` makes it.

    It is called as the function is, without the model. A call with one state in arrays of doubles
    goes straight to the kernel; any other goes the way of the function. An edit of the model, in
    place or by assignment, counts at the next call, or is an error there.

    Parameters
    ----------
    page : Page
        The function.
    model : Model
        The model.

    Attributes
    ----------
    function : callable
        The function.
    model : Model
        The model, by reference.
    """

    __slots__ = ("_new", "_page", "_prepared", "_snapshot", "function", "model")

    def __init__(self, page: Page, model: Model) -> None:
        if not isinstance(model, Model):
            raise TypeError(f"model: want a spatial_v2.Model, got {type(model).__name__}")
        self._page, self.function, self.model = page, page.function, model
        self._prepare()

    def _prepare(self) -> None:
        self._prepared: Any = prepare(self._page, self.model)
        self._snapshot: Any = self
        if self._prepared:
            self._prepared.load()
            self._new, self._snapshot = self._prepared.new, self.model.checked()

    def __call__(self, *args: Any, out: Any = None, **kw: Any) -> Any:
        """The function's results, new ones, or `out`, filled: an array, or a tuple of several."""
        if self.model._snapshot is self._snapshot and not kw:
            if out is None:
                results = self._new(args)
                if results is None:
                    results = self._prepared.many(args)
                if results is not None:
                    return results
            elif not self._prepared.fill(args, out if isinstance(out, tuple) else (out,)):
                return out
        return self._otherwise(args, out, kw)

    def _otherwise(self, args: tuple[Any, ...], out: Any, kw: dict[str, Any]) -> Any:
        kw = kw if out is None else {**kw, "out": out}
        known = self._prepared and self.model._snapshot is self._snapshot
        result = quickly(self._prepared, args, kw) if known and kw else None
        if result is None:
            result = self.function(self.model, *args, **kw)
            self._prepare()
        return result if out is None else out

    @property
    def __signature__(self) -> inspect.Signature:
        whole = inspect.signature(self.function)
        return whole.replace(parameters=list(whole.parameters.values())[1:])

    def __reduce__(self) -> tuple[Any, ...]:
        return _bind, (self.function, self.model)

    def __repr__(self) -> str:
        name = f" {self.model.name!r}" if self.model.name else ""
        return (
            f"<{self.function.__name__} of Model{name}, NQ = {self.model.NQ}, NV = {self.model.NV}>"
        )


def _bind(function: Any, model: Model) -> Any:
    return function.bind(model)
