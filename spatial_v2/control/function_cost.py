"""Costs that are functions of CasADi or JAX."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.control.costs import Instants
from spatial_v2.control.function_quantity import FunctionQuantity
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model

__all__ = ["FunctionCost"]

T = np.matrix_transpose


class FunctionCost:
    """Cost that is a function of CasADi or JAX, with exact gradient and Hessian.

    For a sum of squares use `SquareCost` of a `FunctionQuantity`, which has the approximation of
    Gauss and Newton as well.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    function : casadi.Function or callable
        As in `FunctionQuantity`, with one value.

    Raises
    ------
    ArrayShapeError
        A function with several values, or a CasADi function whose inputs have other sizes.
    SpatialError
        A CasADi function with another number of inputs or outputs, or no function at all.

    Notes
    -----
    Where the Hessian need not be exact, its negative eigenvalues are replaced by zero.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> import casadi
    >>> from spatial_v2.models import autoTree
    >>> q, qd, u = (casadi.SX.sym(name, 2) for name in ("q", "qd", "u"))
    >>> power = casadi.Function("power", [q, qd, u], [casadi.sqrt(1 + casadi.dot(qd, u) ** 2)])
    >>> cost = FunctionCost(autoTree(2), power)
    >>> cost.value(Instants(np.zeros(2), np.ones(2), np.array([0.0, 2.0]))).round(3)
    np.float64(2.236)
    """

    def __init__(self, model: Model, function: Any) -> None:
        self.quantity = FunctionQuantity(model, function)

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        y = self.quantity.value(at)
        if y.shape[-1] != 1:
            raise ArrayShapeError(
                f"function: want one value, got {y.shape[-1]}. For a sum of squares use SquareCost "
                "of a FunctionQuantity"
            )
        return np.asarray(y[..., 0])

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        gradient += self.quantity.jacobian(at)[..., 0, :]
        H = np.zeros(hessian.shape)
        self.quantity.add_hessian(at, np.ones((*at.qd.shape[:-1], 1)), H)
        if not exact:
            values, V = np.linalg.eigh(H)
            H = (V * np.maximum(values, 0.0)[..., None, :]) @ T(V)
        hessian += H
