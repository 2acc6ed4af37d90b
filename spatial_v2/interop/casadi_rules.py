"""Derivative rules of CasADi functions: a function, its Jacobians, and their Jacobians."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from derivatives import SO_pattern
from spatial_v2.interop.entries import branches
from spatial_v2.interop.operators import OPERATORS, Operator, value
from spatial_v2.interop.operators.blocks import by_swap, grid
from spatial_v2.model import Model

__all__ = ["RULES", "Level", "Rule"]

Blocks = list[Any]
"""Matrices, in the order of outputs, and for each of them that of the inputs; None for zeros."""


class Level(NamedTuple):
    """Matrices that a kernel computes, with their sparsity patterns."""

    compute: Callable[..., Blocks]
    """Function of model, arrays and options."""
    pattern: Callable[[Model], Blocks | None]
    """Function of the model that returns masks of nonzero entries; None for dense matrices."""


class Rule(NamedTuple):
    """A function with its derivatives; those along q have a column for each freedom."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    levels: tuple[Level, ...]
    """The outputs; their derivatives by each input; the derivatives of each of these."""


def _any(model: Model) -> None:
    return None


def _rule(
    op: Operator,
    *outputs: str,
    first: Callable[[Model], Blocks | None] = _any,
    second: Callable[[Model], Blocks | None] = _any,
) -> Rule:
    """A row of the table of operators with matrices for tensors."""

    def results(model: Model, *x: Any, **options: Any) -> Blocks:
        return [y[..., None] for y in value(op, model, x, **options)]

    def jacobian(model: Model, *x: Any, **options: Any) -> Blocks:
        return [block for row in op.jacobian(model, x, **options) for block in row]

    def tensors(model: Model, *x: Any, **options: Any) -> Blocks:
        return [T for rows in op.tensors(model, x, **options) for T in _stacked(rows)]

    levels = Level(results, _any), Level(jacobian, first), Level(tensors, second)
    return Rule(op.variables, outputs, levels)


def _stacked(tensors: Any) -> Blocks:
    """Jacobians of the columns of matrices, one below the other: rows (i, j), i the faster."""
    blocks = (T if T is None else np.swapaxes(T, -3, -2) for row in tensors for T in row)
    return [T if T is None else T.reshape(*T.shape[:-3], -1, T.shape[-1]) for T in blocks]


def _tree(model: Model) -> Blocks:
    return [branches(model)] * 3


def _tree_of_tensors(model: Model) -> Blocks:
    dense = []
    for p in SO_pattern(model):
        dense.append(np.zeros((model.NV,) * 3, dtype=bool))
        dense[-1][p.i, p.j, p.k] = True
    qq, vv, qv, xq = dense
    return _stacked(grid(qq, vv, qv, by_swap(xq)))


RULES: dict[str, Rule] = {
    "ID": _rule(OPERATORS["ID"], "tau", first=_tree, second=_tree_of_tensors),
    "FDab": _rule(OPERATORS["FDab"], "qdd"),
    "KKT_FD": _rule(OPERATORS["KKT_FD"], "qdd", "lambda_"),
    "Impact_dyn": _rule(OPERATORS["Impact_dyn"], "qd_plus", "impulse"),
}
"""The functions that have a kernel for CasADi, by name."""
