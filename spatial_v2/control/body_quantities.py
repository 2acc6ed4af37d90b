"""Quantities of the whole robot: the position of its centre of mass, and contact forces."""

from __future__ import annotations

from typing import Any

import numpy as np

from derivatives import ID_derivatives, KKT_FO_derivatives, modKKT_second_derivatives
from spatial_v2.configuration import neutral
from spatial_v2.constraints import KKT_FD
from spatial_v2.constraints.ConstraintSet import Constraints, constraint_set
from spatial_v2.control.checks import as_floats
from spatial_v2.control.costs import Instants
from spatial_v2.control.quantities import no_rows
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics import ID, EnerMo
from spatial_v2.dynamics.weightless import unsprung
from spatial_v2.exceptions import ArrayShapeError
from spatial_v2.model import Model
from spatial_v2.model.state import check_model

__all__ = ["CentreOfMass", "ContactForce"]

T = np.matrix_transpose


class CentreOfMass:
    """Position of the centre of mass in base coordinates: (..., 3), or (..., 2) for planar models.

    Parameters
    ----------
    model : Model
        The model; coupled ones too.

    Raises
    ------
    ModelError
        No body has mass.

    Notes
    -----
    The potential energy in a gravitational field -w, with w a constant vector, is
    ``mass (cm . w)``. Its first derivatives are therefore the joint forces at rest, and its second
    derivatives are the derivatives of these forces.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2.models import autoTree
    >>> CentreOfMass(autoTree(2)).value(Instants(np.zeros(2), np.zeros(2), np.zeros(0)))
    array([1., 0., 0.])
    """

    def __init__(self, model: Model) -> None:
        check_model(model)
        mass = EnerMo(model, neutral(model), np.zeros(model.NV)).mass
        self.model = model
        bodies = unsprung(model)
        self.unit = [
            bodies.replace(gravity=-x / mass) for x in np.eye(len(free_tree(model).gravity))
        ]

    def value(self, at: Instants) -> np.ndarray:
        """Compute the positions; see `Quantity`."""
        return np.asarray(EnerMo(self.model, at.q, 0 * at.qd).cm)

    def jacobian(self, at: Instants) -> np.ndarray:
        """Compute the derivatives along q; see `Quantity`."""
        J, none = no_rows(at, len(self.unit)), 0 * at.qd
        for i, x in enumerate(self.unit):
            J[..., i, : self.model.NV] = ID(x, at.q, none, none)
        return J

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add the weighted second derivatives along q; see `Quantity`."""
        n, none = self.model.NV, 0 * at.qd
        for i, x in enumerate(self.unit):
            H = weight[..., i, None, None] * ID_derivatives(x, at.q, none, none).dtau_dq
            hessian[..., :n, :n] += (H + T(H)) / 2


class ContactForce:
    """Contact forces: the multipliers lambda (..., m) of `KKT_FD`.

    Parameters
    ----------
    model : Model
        The rigid-body tree.
    constraints : list of PointConstraint or FrameConstraint, or ConstraintSet
        The active constraints, those of the contact phase.
    actuation : array, shape (NV, number of controls), optional
        As in `ShootingProblem`; the identity by default.
    rows : array, shape (k, m), optional
        Matrix that maps the multipliers to k linear functions of them, for instance the faces of
        friction cones. The values then have shape (..., k).
    baumgarte : tuple of two floats, optional
        As in `ShootingProblem`.
    damping : float, optional
        As in `ShootingProblem`.

    Raises
    ------
    ArrayShapeError
        Rows or an actuation of the wrong shape.

    Examples
    --------
    >>> from spatial_v2.control import Instants
    >>> from spatial_v2 import PointConstraint
    >>> from spatial_v2.models import autoTree
    >>> tip = PointConstraint(1, [1.0, 0.0, 0.0], directions=[[0, 1, 0]])
    >>> force = ContactForce(autoTree(2), [tip])
    >>> force.value(Instants(np.array([0.3, 0.4]), np.zeros(2), np.zeros(2))).shape
    (1,)
    """

    def __init__(
        self, model: Model, constraints: Constraints, actuation: Any = None, rows: Any = None,
        baumgarte: tuple[float, float] | None = None, damping: float = 0.0,
    ) -> None:  # fmt: skip
        self.model, self.held = model, constraint_set(model, constraints)
        n, m = model.NV, self.held.m
        self.S = np.eye(n) if actuation is None else as_floats(actuation, "actuation")
        self.rows = np.eye(m) if rows is None else as_floats(rows, "rows")
        if self.rows.shape[1:] != (m,):
            raise ArrayShapeError(f"rows: want shape (k, {m}), got {self.rows.shape}")
        if self.S.ndim != 2 or len(self.S) != n:
            raise ArrayShapeError(f"actuation: want {n} rows, got shape {self.S.shape}")
        self.how: Any = {"baumgarte": baumgarte, "damping": damping, "rank": "nan"}

    def _state(self, at: Instants) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return at.q, at.qd, at.u @ self.S.T

    def value(self, at: Instants) -> np.ndarray:
        """Compute the forces; see `Quantity`."""
        forces = KKT_FD(self.model, *self._state(at), self.held, **self.how)[1]
        return np.asarray(forces @ self.rows.T)

    def jacobian(self, at: Instants) -> np.ndarray:
        """Compute the derivatives of the forces; see `Quantity`."""
        d = KKT_FO_derivatives(self.model, *self._state(at), self.held, **self.how)
        parts = d.dlambda_dq, d.dlambda_dqd, d.dlambda_dtau @ self.S
        return np.asarray(self.rows @ np.concatenate(parts, axis=-1))

    def add_hessian(self, at: Instants, weight: np.ndarray, hessian: np.ndarray) -> None:
        """Add the second derivatives of the weighted forces; see `Quantity`."""
        n, none = self.model.NV, np.zeros((*weight.shape[:-1], self.model.NV))
        nu = weight @ self.rows
        d = modKKT_second_derivatives(self.model, *self._state(at), none, nu, self.held, **self.how)
        by_u = self.S.T @ d.H_tauq
        hessian[..., :n, :n] += (d.H_qq + T(d.H_qq)) / 2
        hessian[..., n : 2 * n, n : 2 * n] += d.H_qdqd
        hessian[..., n : 2 * n, :n] += d.H_qdq
        hessian[..., :n, n : 2 * n] += T(d.H_qdq)
        hessian[..., 2 * n :, :n] += by_u
        hessian[..., :n, 2 * n :] += T(by_u)
