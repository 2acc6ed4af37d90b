"""Costs of optimal control problems: half squares of weighted residuals."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.displacements import difference, logarithm
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model
from spatial_v2.model.state import check_vector

__all__ = ["ControlCost", "Cost", "Instants", "StateCost", "add_square"]


class Instants(NamedTuple):
    """States, and controls from there on, at instants of motions: leading axes (..., N)."""

    q: np.ndarray
    """Joint positions, shape (..., NQ)."""
    qd: np.ndarray
    """Joint velocities, shape (..., NV)."""
    u: np.ndarray
    """Controls, shape (..., m); m = 0 at the end of a motion."""


class Cost(Protocol):
    """Function of state and controls, with gradient and Hessian, at many instants at once.

    Any object with these two methods is a cost.

    Parameters
    ----------
    *args, **kwargs : Any
        As the object likes.

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
        """Cost at each instant, shape (...)."""

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients (..., n) and symmetric Hessians (..., n, n) in place, n = 2 NV + m.

        They are by [dq, dqd, du], where dq is an increment ``q (+) dq``. If not `exact`, the
        Hessian may be an approximation that is positive semidefinite, Gauss-Newton's for instance.
        """


def add_square(
    r: np.ndarray, J: np.ndarray, weight: Any, gradient: np.ndarray, hessian: np.ndarray
) -> None:
    """Add the derivatives of ``r . (weight r) / 2`` for a residual r (..., k), J = dr/dz."""
    T = np.matrix_transpose
    gradient += (T(J) @ (weight * r)[..., None])[..., 0]
    hessian += T(J) @ (np.asarray(weight)[..., None] * J)


class StateCost:
    """Half square of the distance to a state, ``e . W e / 2 + (qd - qd*) . V (qd - qd*) / 2``.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    q : array, shape (NQ,) or (N, NQ)
        Desired positions q*, ``e = configurationDifference(model, q*, q)``.
    weight, velocity_weight : array, shape (NV,) or (N, NV), or float
        Diagonals of W and V, at least zero.
    qd : array, shape (NV,) or (N, NV), optional
        Desired velocities qd*; zero by default.

    Raises
    ------
    ArrayShapeError
        An array of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.models import autoTree
    >>> cost = StateCost(autoTree(2), [1.0, 0.0], 10.0, 1.0)
    >>> cost.value(Instants(np.zeros(2), np.ones(2), np.zeros(0)))
    array(6.)
    """

    def __init__(
        self, model: Model, q: Any, weight: Any, velocity_weight: Any = 0.0, qd: Any = 0.0
    ) -> None:
        self.model, one = model, np.ones(model.NV)
        self.q = np.asarray(check_vector(model, "q", q, model.NQ, "q"), dtype=float)
        self.weight, self.velocity_weight, self.qd = (
            np.asarray(check_vector(model, name, x * one, model.NV, "v"), dtype=float)
            for name, x in (
                ("weight", weight), ("velocity_weight", velocity_weight), ("qd", qd),
            )
        )  # fmt: skip

    def _distance(self, at: Instants) -> np.ndarray:
        return difference(self.model, self.q, at.q)

    def value(self, at: Instants) -> np.ndarray:
        """Cost at each instant, shape (...)."""
        e, v = self._distance(at), at.qd - self.qd
        return np.asarray((self.weight * e * e + self.velocity_weight * v * v).sum(-1) / 2)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians, as of `Cost`."""
        n, e, v = self.model.NV, self._distance(at), at.qd - self.qd
        k = np.arange(n, 2 * n)
        gradient[..., n : 2 * n] += self.velocity_weight * v
        hessian[..., k, k] += self.velocity_weight
        for group, _, vs in runs(self.model):
            x, w = e[..., vs], np.broadcast_to(self.weight[..., vs], e[..., vs].shape)
            if group is LINE:
                k = np.arange(vs.start, vs.stop)
                gradient[..., vs] += w * x
                hessian[..., k, k] += w
                continue
            K, bent = logarithm(x, w * x)
            add_square(x, K, w, gradient[..., vs], block := hessian[..., vs, vs])
            if exact:
                block += (bent @ K + np.matrix_transpose(bent @ K)) / 2


class ControlCost:
    """Half square of controls, ``(u - u*) . R (u - u*) / 2``.

    Parameters
    ----------
    weight : array, shape (m,) or (N, m), or float
        Diagonal of R, at least zero.
    u : array, shape (m,) or (N, m), or float, optional
        Desired controls u*; zero by default.

    Examples
    --------
    >>> ControlCost(0.1).value(Instants(np.zeros(2), np.zeros(2), np.array([1.0, 3.0])))
    array(0.5)
    """

    def __init__(self, weight: Any, u: Any = 0.0) -> None:
        self.weight, self.u = np.asarray(weight, dtype=float), np.asarray(u, dtype=float)

    def value(self, at: Instants) -> np.ndarray:
        """Cost at each instant, shape (...)."""
        return np.asarray((self.weight * (at.u - self.u) ** 2).sum(-1) / 2)

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        """Add gradients and Hessians, as of `Cost`."""
        m = at.u.shape[-1]
        k = np.arange(hessian.shape[-1] - m, hessian.shape[-1])
        gradient[..., k] += self.weight * (at.u - self.u)
        hessian[..., k, k] += self.weight
