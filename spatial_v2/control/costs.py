"""Interface of the costs of optimal control problems, and the cost of the controls."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from spatial_v2.control.checks import as_floats
from spatial_v2.model import Model
from spatial_v2.model.state import check_vector

__all__ = [
    "ControlCost",
    "Cost",
    "Instants",
    "add_square",
    "check_sizes",
    "diagonal",
    "weighted_square",
]


class Instants(NamedTuple):
    """States at N instants of motions, and the controls from each instant to the next."""

    q: np.ndarray
    """Joint positions, shape (..., NQ)."""
    qd: np.ndarray
    """Joint velocities, shape (..., NV)."""
    u: np.ndarray
    """Controls, shape (..., m); m = 0 at the end of a motion."""


def check_sizes(model: Model, at: Instants) -> None:
    """Raise an error if states are not of the size of a model's states."""
    for name, x, n in (("q", at.q, model.NQ), ("qd", at.qd, model.NV)):
        if x.shape[-1] != n:
            check_vector(model, name, x, n, "q" if name == "q" else "v")


class Cost(Protocol):
    """Interface of a cost: a function of state and controls, evaluated at many instants at once.

    Any object with these two methods is a cost. The leading axes (...) of running costs are (B, N)
    for B problems with N intervals; those of terminal costs are (B,), or none for a single problem.

    Parameters
    ----------
    *args, **kwargs : Any
        Not used: a cost may have any constructor.

    Examples
    --------
    A cost that is linear in the first control:

    >>> class Price:
    ...     def value(self, at):
    ...         return at.u[..., 0]
    ...     def add_derivatives(self, at, gradient, hessian, exact):
    ...         gradient[..., -at.u.shape[-1]] += 1.0
    >>> cost: Cost = Price()
    """

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients (..., n) and symmetric Hessians (..., n, n) of the cost in place; n = 2 NV
        + m.

        The n variables are [dq, dqd, du]: the increment dq of the configuration in ``q (+) dq``,
        and increments of the velocities and the m controls. Unless `exact` is True, the Hessian may
        be a positive semidefinite approximation, for instance that of Gauss and Newton.
        """


def add_square(
    r: np.ndarray, J: np.ndarray, weight: Any, gradient: np.ndarray, hessian: np.ndarray
) -> None:
    """Add the derivatives of the cost ``r . (weight r) / 2`` for residuals r (..., k) with Jacobian
    J.
    """
    T = np.matrix_transpose
    gradient += (T(J) @ (weight * r)[..., None])[..., 0]
    hessian += T(J) @ (np.asarray(weight)[..., None] * J)


def weighted_square(r: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Compute ``r . W r`` for residuals r (..., k) and the diagonal of W, shape (k,), (N, k) or
    ().
    """
    if weight.ndim < 2 < r.ndim:
        return np.asarray(r * r @ (weight if weight.size > 1 else np.full(r.shape[-1], weight)))
    return np.asarray(np.vecdot(weight * r, r))


def diagonal(hessian: np.ndarray) -> np.ndarray:
    """Return the diagonals (..., n) of matrices (..., n, n) as a view that can be written to."""
    diagonals: np.ndarray = np.einsum("...ii->...i", hessian)
    return diagonals


class ControlCost:
    """Quadratic cost ``(u - u*) . R (u - u*) / 2`` of the controls u, with desired values u*.

    Parameters
    ----------
    weight : array, shape (m,) or (N, m), or float
        Diagonal of R, at least zero.
    u : array, shape (m,) or (N, m), or float, optional
        Desired controls u*; zero by default.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> ControlCost(0.1).value(Instants(np.zeros(2), np.zeros(2), np.array([1.0, 3.0])))
    array(0.5)
    """

    def __init__(self, weight: Any, u: Any = 0.0) -> None:
        self.weight, self.u = as_floats(weight, "weight"), as_floats(u, "u")

    def value(self, at: Instants) -> np.ndarray:
        """Compute the cost at each instant, shape (...)."""
        return np.asarray(weighted_square(at.u - self.u, self.weight) / 2)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians; see `Cost`."""
        first = hessian.shape[-1] - at.u.shape[-1]
        gradient[..., first:] += self.weight * (at.u - self.u)
        diagonal(hessian)[..., first:] += self.weight
