"""Functions of state and controls (quantities) for use in bounds and costs."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from spatial_v2.configuration import neutral
from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.costs import Instants, check_sizes
from spatial_v2.control.displacements import difference, logarithm
from spatial_v2.joints.groups import LINE
from spatial_v2.model import Model
from spatial_v2.model.state import check_model, check_vector

__all__ = ["Controls", "JointPositions", "JointVelocities", "Quantity"]


class Quantity(Protocol):
    """Interface of a quantity: k functions of state and controls, evaluated at many instants.

    Any object with these three methods is a quantity. The n = 2 NV + m variables of derivatives are
    z = [dq, dqd, du]: the increment dq of the configuration in ``q (+) dq``, and increments of the
    velocities and the m controls.

    Parameters
    ----------
    *args, **kwargs : Any
        Not used: a quantity may have any constructor.

    Examples
    --------
    The power of one motor at joint 0:

    >>> class Power:
    ...     def value(self, at):
    ...         return at.qd[..., :1] * at.u[..., :1]
    ...     def jacobian(self, at):
    ...         n, m = at.qd.shape[-1], at.u.shape[-1]
    ...         J = np.zeros((*at.qd.shape[:-1], 1, 2 * n + m))
    ...         J[..., 0, n], J[..., 0, 2 * n] = at.u[..., 0], at.qd[..., 0]
    ...         return J
    ...     def add_hessian(self, at, weight, hessian):
    ...         n = at.qd.shape[-1]
    ...         hessian[..., n, 2 * n] += weight[..., 0]
    ...         hessian[..., 2 * n, n] += weight[..., 0]
    >>> quantity: Quantity = Power()
    """

    def value(self, at: Instants) -> np.ndarray:
        """Compute the values at each instant, shape (..., k)."""

    def jacobian(self, at: Instants) -> np.ndarray:
        """Compute the derivatives of the values, shape (..., k, n)."""

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add the symmetric second derivatives of ``weight . value`` to `hessian` (..., n, n) in
        place.
        """


def no_rows(at: Instants, k: int) -> np.ndarray:
    """Return Jacobians (..., k, 2 NV + m) of zeros."""
    return np.zeros((*at.qd.shape[:-1], k, 2 * at.qd.shape[-1] + at.u.shape[-1]))


class JointPositions:
    """Joint positions, as displacements (..., NV) from an origin.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    origin : array, shape (NQ,), optional
        Configuration from which displacements are measured: the values are
        ``configurationDifference(model, origin, q)``. By default it is `neutral`, so that the
        values of revolute and prismatic joints are q itself.

    Raises
    ------
    ArrayShapeError
        An origin of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2.models import autoTree
    >>> at = Instants(np.array([0.1, 0.2]), np.zeros(2), np.zeros(0))
    >>> JointPositions(autoTree(2)).value(at)
    array([0.1, 0.2])
    """

    def __init__(self, model: Model, origin: Any = None) -> None:
        check_model(model)
        origin = neutral(model) if origin is None else origin
        self.model = model
        self.origin = np.array(check_vector(model, "origin", origin, model.NQ, "q"), dtype=float)

    def value(self, at: Instants) -> np.ndarray:
        """Compute the displacements; see `Quantity`."""
        check_sizes(self.model, at)
        return difference(self.model, self.origin, at.q)

    def jacobian(self, at: Instants) -> np.ndarray:
        """Compute the derivatives of the displacements; see `Quantity`."""
        J, x = no_rows(at, self.model.NV), self.value(at)
        for group, _, vs in runs(self.model):
            part = x[..., vs]
            J[..., vs, vs] = (
                np.eye(vs.stop - vs.start) if group is LINE else logarithm(part, 0 * part)[0]
            )
        return J

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add the weighted second derivatives; see `Quantity`."""
        x = self.value(at)
        for group, _, vs in runs(self.model):
            if group is not LINE:
                K, bent = logarithm(x[..., vs], weight[..., vs])
                block = bent @ K
                hessian[..., vs, vs] += (block + np.matrix_transpose(block)) / 2


class JointVelocities:
    """Joint velocities, shape (..., NV).

    Parameters
    ----------
    model : Model
        The rigid-body tree.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2.models import autoTree
    >>> at = Instants(np.zeros(2), np.array([1.0, 2.0]), np.zeros(0))
    >>> JointVelocities(autoTree(2)).value(at)
    array([1., 2.])
    """

    def __init__(self, model: Model) -> None:
        check_model(model)
        self.model = model

    def value(self, at: Instants) -> np.ndarray:
        """Return the velocities; see `Quantity`."""
        check_sizes(self.model, at)
        return at.qd

    def jacobian(self, at: Instants) -> np.ndarray:
        """Return the constant Jacobian; see `Quantity`."""
        J, n = no_rows(at, self.model.NV), self.model.NV
        J[..., range(n), range(n, 2 * n)] = 1
        return J

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add nothing: the quantity is linear, so its second derivatives are zero."""


class Controls:
    """Controls, shape (..., m), for costs; bounds on controls are arguments of `ShootingProblem`.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> Controls().value(Instants(np.zeros(2), np.zeros(2), np.array([3.0])))
    array([3.])
    """

    def value(self, at: Instants) -> np.ndarray:
        """Return the controls; see `Quantity`."""
        return at.u

    def jacobian(self, at: Instants) -> np.ndarray:
        """Return the constant Jacobian; see `Quantity`."""
        m = at.u.shape[-1]
        J = no_rows(at, m)
        J[..., range(m), range(J.shape[-1] - m, J.shape[-1])] = 1
        return J

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add nothing: the quantity is linear, so its second derivatives are zero."""
