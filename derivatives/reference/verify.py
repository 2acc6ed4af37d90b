"""Comparison of methods for derivatives: error metrics and times."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.bicomplex_step import second_order_bicomplex
from derivatives.reference.chain_rule import chain_rule, second_order_chain_rule
from derivatives.reference.checks import one_of
from derivatives.reference.finite_difference import finite_diff_1, finite_diff_2
from derivatives.reference.first_order import first_order_complex, first_order_difference
from derivatives.reference.functions import FUNCTIONS, FunctionName, State, as_state, function_of
from derivatives.reference.metrics import Errors, errors
from spatial_v2.arrays import Array
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["METHODS", "TRUTH", "Row", "verify"]

Method = Callable[..., Sequence[np.ndarray]]


def _first_analytic(
    model: Model, q: Array, qd: Array, u: Array, function: FunctionName
) -> Sequence[Array]:
    return FUNCTIONS[function].derivatives(model, q, qd, u)


def _second_analytic(
    model: Model, q: Array, qd: Array, u: Array, function: FunctionName
) -> Sequence[Array]:
    return FUNCTIONS[function].second_derivatives(model, q, qd, u)


METHODS: dict[str, tuple[Method | None, Method | None]] = {
    "analytic": (_first_analytic, _second_analytic),
    "chain-rule": (chain_rule, second_order_chain_rule),
    "finite-diff-1": (first_order_difference, finite_diff_1),
    "finite-diff-2": (None, finite_diff_2),
    "complex-step": (first_order_complex, None),
    "bicomplex": (None, second_order_bicomplex),
}
"""Functions of each method, by its name: one for first and one for second derivatives; None if the
method has none.
"""

TRUTH = "complex-step", "bicomplex"
"""The methods taken as exact for derivatives of first and of second order."""


@shown_in_notebooks
class Row(NamedTuple):
    """One row of the comparison: errors and time of a method.

    Attributes
    ----------
    method, quantity : str
        Name of the method, and of the derivative, or "all" for all derivatives of one order.
    errors : Errors
        Errors against the complex step (first order) or the bicomplex step (second order).
    seconds : float
        Time per state for all derivatives of this order.
    """

    method: str
    quantity: str
    errors: Errors
    seconds: float


def _run(
    method: Method, model: Model, states: list[State], function: FunctionName
) -> tuple[list[np.ndarray], float]:
    """Return derivatives stacked over the states, and seconds per state; one call before is
    untimed.
    """
    method(model, *states[0], function)
    start = time.perf_counter()
    blocks_of_states = [method(model, *state, function) for state in states]
    seconds = (time.perf_counter() - start) / len(states)
    return [np.stack(blocks) for blocks in zip(*blocks_of_states, strict=True)], seconds


def verify(
    model: Model,
    states: tuple[ArrayLike, ArrayLike, ArrayLike],
    function: FunctionName = "ID",
    methods: Iterable[str] = ("analytic", "chain-rule", "finite-diff-2"),
    *,
    orders: Iterable[int] = (1, 2),
) -> list[Row]:
    """Compare methods for derivatives of ID or FD with the complex and the bicomplex step.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    states : tuple (q, qd, u) of arrays, shapes (..., NQ), (..., NV), (..., NV)
        States of evaluation; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        Inverse or forward dynamics.
    methods : iterable of str
        Names from `METHODS`.
    orders : iterable of int
        Orders of derivatives: 1, 2 or both.

    Returns
    -------
    list of Row
        For each order and method, one row for each derivative and one row "all".

    Raises
    ------
    SpatialError
        An unknown method or function.

    Notes
    -----
    The metrics (40)-(43) of Singh, Russell, Wensing (2023), Section V-C.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> rows = verify(autoTree(2), ([0.1, 0.2], [1, 2], [0, 0]), methods=["chain-rule"], orders=[2])
    >>> [row.quantity for row in rows if row.method == "chain-rule"]
    ['d2tau_dq', 'd2tau_dqd', 'd2tau_cross', 'dM_dq', 'all']
    >>> rows[-1].errors.rmsre < 1e-13
    True
    """
    check_model(model)
    methods, orders = list(methods), list(orders)
    names = function_of(function)
    for name in methods:
        one_of("methods", name, METHODS)
    for number in orders:
        one_of("orders", number, (1, 2))
    batch = as_state(model, *states)
    flat = [x.reshape(-1, x.shape[-1]) for x in batch]
    each = [State(*x) for x in zip(*flat, strict=True)]
    rows = []
    for order in orders:
        named = [m for m in methods if METHODS[m][order - 1] is not None]
        quantities = (names.first, names.second)[order - 1]
        truth = None
        for name in dict.fromkeys([TRUTH[order - 1], *named]):
            method = METHODS[name][order - 1]
            assert method is not None
            blocks, seconds = _run(method, model, each, function)
            truth = blocks if truth is None else truth
            differences = [errors(A, B) for A, B in zip(blocks, truth, strict=True)]
            differences.append(
                errors(*(np.concatenate([b.ravel() for b in x]) for x in (blocks, truth)))
            )
            rows += [
                Row(name, quantity, e, seconds)
                for quantity, e in zip([*quantities, "all"], differences, strict=True)
            ]
    return rows
