"""A function with its first and second derivatives, as an entry of the table of operators."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from spatial_v2.arrays import Array
from spatial_v2.calls.signature import count_rotors
from spatial_v2.couplings.free import free_tree
from spatial_v2.model import Model

__all__ = ["Blocks", "Operator"]

Blocks: TypeAlias = Sequence[Sequence[Any]]
"""Rows of blocks, each an array, or None if all its entries are zero."""


def not_computed(*args: Any, **options: Any) -> Blocks:
    """Stand for the second derivatives of an operator that has only first ones."""
    raise NotImplementedError


class Operator(NamedTuple):
    """A function of the state together with its first and second derivatives.

    The state is ``x = (q, ...)`` in the order of `variables`. Every derivative with respect to q
    has NV columns, along the joints' degrees of freedom; `spatial_v2.interop.tangent` converts it
    to a derivative with respect to the NQ entries of q. All arrays may have leading axes; weights
    are a tuple with an array for each result, of its shape.
    """

    name: str
    """The name of the function."""
    function: Callable[..., Any]
    """The function itself: ``function(model, *x, **options)``."""
    variables: tuple[str, ...]
    """Names of the function's vector arguments; the first is q."""
    results: tuple[tuple[str, ...], ...]
    """Core dimensions of each result: v for NV, m for the number of constraint rows, 6 for
    spatial vectors, p and r for the parameters of links and of rotors.
    """
    jacobian: Callable[..., Blocks]
    """``jacobian(model, x, **options)[r][a]``: derivative of result r with respect to variable
    a.
    """
    gradient: Callable[..., Sequence[Array]]
    """``gradient(model, x, weights, **options)[a]``: derivative of the weighted sum of the results
    with respect to variable a.
    """
    hessian: Callable[..., Blocks] = not_computed
    """``hessian(model, x, weights, **options)[a][b]``: second derivatives of the weighted sum of
    results. Entry [j, k] is the derivative with respect to component k of variable b of the
    derivative with respect to component j of variable a.
    """
    tensors: Callable[..., Blocks] = not_computed
    """``tensors(model, x, **options)[r][a][b]``: second derivatives [..., j, k] of each component
    of result r, ordered as in `hessian`.
    """

    kernels: Mapping[str, Any] = {}
    """Products that a single kernel computes, by name: ``f(model, *x, *groups, f_ext)``."""

    composed: Mapping[str, Callable[..., Sequence[Any]]] = {}
    """Products composed of values of other operators, by name, for tools that compile arrays of
    any kind: ``f(call, x, groups)``, where ``call(name, *arrays)`` returns such a value.
    """
    order: int = 2
    """Order of the highest derivatives along the state that are computed."""
    constant: tuple[int, ...] = ()
    """Numbers of the variables along which nothing is differentiated."""

    @property
    def home(self) -> str:
        """Name of the package that has the function."""
        return str(self.function.__module__).partition(".")[0]

    def size(self, model: Model, result: int, rows: int) -> tuple[int, ...]:
        """Return the core shape of a result, given the number of constraint rows."""
        sizes = {"v": model.NV, "m": rows, "6": 3 if model.is_planar else 6}
        tree = free_tree(model)
        sizes |= {"p": 10 * tree.NB, "r": 10 * count_rotors(tree)}
        return tuple(sizes[d] for d in self.results[result])
