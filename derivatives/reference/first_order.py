"""First derivatives of inverse and forward dynamics: complex step, central differences."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from derivatives.reference.chain_rule import FirstOrder
from derivatives.reference.complex_step import STEP, directions_first
from derivatives.reference.functions import FunctionName, Variable, as_state, function_of, moved
from spatial_v2.model import Model

__all__ = ["first_order_complex", "first_order_difference"]


def first_order_complex(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    u: ArrayLike,
    function: FunctionName = "ID",
    *,
    step: float = STEP,
) -> FirstOrder:
    """Compute first derivatives of ID or FD by complex steps.

    Parameters
    ----------
    model : Model
        The rigid-body tree, with or without geared rotors.
    q, qd, u : array_like, shapes (..., NQ), (..., NV), (..., NV)
        State; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        Inverse or forward dynamics.
    step : float
        Step h.

    Returns
    -------
    FirstOrder
        ``dq, dqd, du``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> first_order_complex(autoTree(2), [0.1, 0.2], [1, 2], [0, 0]).dq.round(3)
    array([[ 0.  , -3.92],
           [ 0.  ,  0.49]])
    """
    f, state = function_of(function), as_state(model, q, qd, u)
    dx = 1j * step * directions_first(state.qd, np.eye(model.NV))

    def by(variable: Variable) -> np.ndarray:
        y = f.evaluate(model, *moved(model, state, variable, dx))
        return np.moveaxis(y.imag / step, 0, -1)

    return FirstOrder(by("q"), by("qd"), by("u"))


def first_order_difference(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    u: ArrayLike,
    function: FunctionName = "ID",
    *,
    h: float = 1e-5,
) -> FirstOrder:
    """Compute first derivatives of ID or FD by central differences.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q, qd, u : array_like, shapes (..., NQ), (..., NV), (..., NV)
        State; `u` is qdd for ID and tau for FD.
    function : {"ID", "FD"}
        Inverse or forward dynamics.
    h : float
        Step.

    Returns
    -------
    FirstOrder
        ``dq, dqd, du``.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> first_order_difference(autoTree(2), [0.1, 0.2], [1, 2], [0, 0]).dq.round(3)
    array([[ 0.  , -3.92],
           [ 0.  ,  0.49]])
    """
    f, state = function_of(function), as_state(model, q, qd, u)
    dx = h * directions_first(state.qd, np.eye(model.NV))

    def by(variable: Variable) -> np.ndarray:
        ahead, behind = (moved(model, state, variable, d) for d in (dx, -dx))
        difference = f.evaluate(model, *ahead) - f.evaluate(model, *behind)
        return np.moveaxis(difference / (2 * h), 0, -1)

    return FirstOrder(by("q"), by("qd"), by("u"))
