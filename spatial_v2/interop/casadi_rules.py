"""Derivative rules of CasADi functions: outputs, first derivatives, second derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from derivatives import (
    FD_derivatives,
    ID_derivatives,
    SO_pattern,
    frame_derivatives,
    frame_SO_derivatives,
)
from spatial_v2.frames import FrameJacobian
from spatial_v2.interop.entries import branches
from spatial_v2.interop.operators import OPERATORS, Operator, value
from spatial_v2.interop.operators.blocks import by_swap, grid
from spatial_v2.model import Model

__all__ = ["RULES", "Level", "Rule"]

Blocks = list[Any]
"""Matrices for each pair of output and input, inputs in the inner loop; None for zero blocks."""


class Level(NamedTuple):
    """Matrices that a kernel computes, with their sparsity patterns."""

    compute: Callable[..., Blocks]
    """Function of the model, the arrays of the state and options that returns the matrices."""
    pattern: Callable[[Model], Blocks | None]
    """Function of the model that returns masks of nonzero entries, or None for dense matrices."""


class Rule(NamedTuple):
    """A function with its derivatives, which have a column for each velocity variable."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    levels: tuple[Level, ...]
    """Level 0: the outputs. Level 1: their first derivatives. Level 2: second derivatives."""


def _any(model: Model) -> None:
    return None


def _rule(
    op: Operator,
    *outputs: str,
    first: Callable[[Model], Blocks | None] = _any,
    second: Callable[[Model], Blocks | None] = _any,
) -> Rule:
    """Make a `Rule` from an `Operator`, with tensors reshaped to matrices."""

    def results(model: Model, *x: Any, **options: Any) -> Blocks:
        return [y[..., None] for y in value(op, model, x, **options)]

    def jacobian(model: Model, *x: Any, **options: Any) -> Blocks:
        return [block for row in op.jacobian(model, x, **options) for block in row]

    def tensors(model: Model, *x: Any, **options: Any) -> Blocks:
        return [T for rows in op.tensors(model, x, **options) for T in _stacked(rows)]

    levels = Level(results, _any), Level(jacobian, first), Level(tensors, second)
    return Rule(op.variables, outputs, levels)


def _rule_of_derivatives(
    op: Operator,
    function: Callable[..., Any],
    *outputs: str,
    first: Callable[[Model], Blocks | None] = _any,
    second: Callable[[Model], Blocks | None] = _any,
) -> Rule:
    """Make a `Rule` for the first derivatives of an `Operator` with one result."""

    def results(model: Model, *x: Any, **options: Any) -> Blocks:
        return list(function(model, *x, **options))

    def tensors(model: Model, *x: Any, **options: Any) -> Blocks:
        (rows,) = op.tensors(model, x, **options)
        return _stacked(rows[: len(outputs)])

    return Rule(op.variables, outputs, (Level(results, first), Level(tensors, second)))


def _frame_jacobian(model: Model, q: Any, **options: Any) -> Blocks:
    return [FrameJacobian(model, q, **options)]


def _frame_first(model: Model, q: Any, **options: Any) -> Blocks:
    return _stacked([[frame_derivatives(model, q, **options).dJ_dq]])


def _frame_second(model: Model, q: Any, **options: Any) -> Blocks:
    T = frame_SO_derivatives(model, q, **options).d2J_dq
    rows = np.moveaxis(T, (-2, -3, -4), (-4, -3, -2))
    return [rows.reshape(*T.shape[:-4], -1, T.shape[-1])]


def _stacked(tensors: Any) -> Blocks:
    """Reshape tensors [i, j, k] to matrices with rows (i, j), i varying fastest, and columns k."""
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
    "ID_derivatives": _rule_of_derivatives(
        OPERATORS["ID"],
        ID_derivatives,
        "dtau_dq",
        "dtau_dqd",
        first=lambda model: _tree(model)[:2],
        second=lambda model: _tree_of_tensors(model)[:6],
    ),
    "FD_derivatives": _rule_of_derivatives(
        OPERATORS["FDab"], FD_derivatives, "dqdd_dq", "dqdd_dqd", "dqdd_dtau"
    ),
    "FrameJacobian": Rule(
        ("q",),
        ("J",),
        (Level(_frame_jacobian, _any), Level(_frame_first, _any), Level(_frame_second, _any)),
    ),
}
"""Derivative rules of the functions that have a kernel for CasADi, by name."""
