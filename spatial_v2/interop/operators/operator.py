"""One row of the table of operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from spatial_v2.arrays import Array
from spatial_v2.model import Model

__all__ = ["Blocks", "Operator"]

Blocks: TypeAlias = Sequence[Sequence[Any]]
"""Arrays in rows and columns; None where all entries are zero."""


class Operator(NamedTuple):
    """A function of states with what its derivatives are.

    The state is ``x = (q, ...)`` in the order of `variables`. Every derivative along q has NV
    columns, along the joints' degrees of freedom, as everywhere in this library; `rates` says how
    that becomes a derivative with respect to the NQ entries of q. All arrays have leading axes;
    weights are a tuple, an array of the shape of each result.
    """

    name: str
    """The name of the function."""
    function: Callable[..., Any]
    """The function itself: ``function(model, *x, **options)``."""
    variables: tuple[str, ...]
    """Names of its arguments; the first is q."""
    results: tuple[tuple[str, ...], ...]
    """Core dimensions of each result: v for NV, m for rows of constraints."""
    jacobian: Callable[..., Blocks]
    """``jacobian(model, x, **options)[r][a]``: result r by variable a."""
    gradient: Callable[..., Sequence[Array]]
    """``gradient(model, x, weights, **options)[a]``: the weighted sum of results by variable a."""
    hessian: Callable[..., Blocks]
    """``hessian(model, x, weights, **options)[a][b]``: entry [j, k] is the derivative by component
    k of variable b of that by component j of variable a, of the weighted sum of results."""
    tensors: Callable[..., Blocks]
    """``tensors(model, x, **options)[r][a][b]``: the same of each component of result r."""

    kernels: Mapping[str, Any] = {}
    """Products that are one kernel, by name: functions ``f(model, *x, *groups, f_ext)``."""

    def size(self, model: Model, result: int, rows: int) -> tuple[int, ...]:
        """The core shape of a result, with so many rows of constraints."""
        return tuple({"v": model.NV, "m": rows}[d] for d in self.results[result])
