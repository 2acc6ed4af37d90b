"""Costs that are functions of a quantity: quadratic costs, and smooth bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.control.checks import as_floats, check_limit, check_order, check_quantity
from spatial_v2.control.costs import Instants, add_square, weighted_square
from spatial_v2.control.quantities import Quantity
from spatial_v2.exceptions import SpatialError

__all__ = ["SoftBounds", "SquareCost"]


class SquareCost:
    """Quadratic cost ``(c - c*) . W (c - c*) / 2`` of a quantity c with desired value c*.

    Parameters
    ----------
    quantity : Quantity
        A function c of state and controls with k values.
    weight : array, shape (k,) or (N, k), or float
        Diagonal of W, at least zero.
    target : array, shape (k,) or (N, k), or float, optional
        Desired values c*; zero by default.

    Examples
    --------
    >>> from spatial_v2.control import Controls, Instants
    >>> SquareCost(Controls(), 2.0).value(Instants(np.zeros(2), np.zeros(2), np.ones(3)))
    array(3.)
    """

    def __init__(self, quantity: Quantity, weight: Any, target: Any = 0.0) -> None:
        check_quantity(quantity)
        self.quantity = quantity
        self.weight, self.target = as_floats(weight, "weight"), as_floats(target, "target")

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        return np.asarray(weighted_square(self._off(at), self.weight) / 2)

    def _off(self, at: Instants) -> np.ndarray:
        return np.asarray(self.quantity.value(at) - self.target)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        r = self._off(at)
        add_square(r, self.quantity.jacobian(at), self.weight, gradient, hessian)
        if exact:
            self.quantity.add_hessian(at, self.weight * r, hessian)


class SoftBounds:
    """Barrier function that keeps a quantity within bounds; it grows without limit outside them.

    Parameters
    ----------
    quantity : Quantity
        A function of state and controls with k values.
    lower, upper : array, shape (k,) or (N, k), or float, optional
        The bounds; infinite by default.
    weight : float, optional
        Factor of the logarithm.
    margin : float, optional
        Distance from a bound below which a parabola replaces the logarithm.

    Raises
    ------
    SpatialError
        Bounds that are equal, cross, or are NaN, or a weight or margin that is not positive.

    Notes
    -----
    Let d be the distance from a bound, negative outside it. The cost is ``-weight log(d / margin)``
    if d is greater than the margin, and the parabola
    ``weight (((d - 2 margin) / margin)^2 - 1) / 2`` otherwise. At the margin both have the same
    value and first two derivatives. This relaxed barrier is finite everywhere: Hauser and Saccon,
    "A barrier function method for the optimization of trajectory functionals with constraints"
    (2006).

    Examples
    --------
    >>> from spatial_v2.control import Controls, Instants
    >>> cost = SoftBounds(Controls(), upper=1.0, weight=2.0, margin=0.5)
    >>> cost.value(Instants(np.zeros(2), np.zeros(2), np.array([0.5])))
    array(0.)
    """

    def __init__(
        self, quantity: Quantity, lower: Any = -np.inf, upper: Any = np.inf,
        weight: float = 1.0, margin: float = 1e-2,
    ) -> None:  # fmt: skip
        check_quantity(quantity)
        check_limit(weight, "weight")
        check_limit(margin, "margin")
        self.quantity, self.weight, self.margin = quantity, float(weight), float(margin)
        self.lower, self.upper = as_floats(lower, "lower"), as_floats(upper, "upper")
        check_order(self.lower, self.upper, strictly=True)
        if not (0 < self.weight < np.inf and 0 < self.margin < np.inf):
            raise SpatialError(
                f"weight, margin: want finite positive numbers, got {self.weight} and {self.margin}"
            )

    def _barrier(self, distance: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute the barrier and its first two derivatives as functions of the distance from a
        bound; zero at infinite distances.
        """
        x = np.where(np.isinf(distance), 1.0, distance / self.margin)
        inside, y = x > 1, np.maximum(x, 1.0)
        value = np.where(inside, -np.log(y), ((x - 2) ** 2 - 1) / 2)
        slope = np.where(inside, -1 / y, x - 2) / self.margin
        bend = np.where(inside, 1 / y**2, 1.0) / self.margin**2
        finite = np.isfinite(distance) | np.isnan(distance)
        return (
            value * self.weight * finite,
            slope * self.weight * finite,
            bend * self.weight * finite,
        )

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        c = self.quantity.value(at)
        return np.asarray(
            (self._barrier(c - self.lower)[0] + self._barrier(self.upper - c)[0]).sum(-1)
        )

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        c, J = self.quantity.value(at), self.quantity.jacobian(at)
        _, up, bend_up = self._barrier(c - self.lower)
        _, down, bend_down = self._barrier(self.upper - c)
        bend, slope = bend_up + bend_down, up - down
        add_square(slope / bend_or_one(bend), J, bend, gradient, hessian)
        if exact:
            self.quantity.add_hessian(at, slope, hessian)


def bend_or_one(bend: np.ndarray) -> np.ndarray:
    """Replace zero curvatures by one, to allow division by them."""
    return np.where(bend == 0, 1.0, bend)
