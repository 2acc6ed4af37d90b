"""Constraints between a point of one body and a point of another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.constraints.ends import Body, check_span, point_of
from spatial_v2.constraints.motions import Motions, at_one
from spatial_v2.constraints.point_end import reach_of_points
from spatial_v2.constraints.point_pair import PointPair
from spatial_v2.constraints.rows import behind
from spatial_v2.constraints.vectors import applied
from spatial_v2.exceptions import ArrayShapeError, ModelError
from spatial_v2.model import Model
from spatial_v2.spatial import transform_parts

__all__ = ["PointConstraint"]


@dataclass(frozen=True, eq=False)
class PointConstraint:
    """Equal velocities of two points in all or some directions: a ball joint, a contact, a rail.

    The velocity of the constraint rows is ``p2' - p1'`` in base coordinates (three rows; two for a
    planar model), or its components along `directions`. The multipliers lambda are the force [N] on
    body 2 at the point; the opposite force acts on body 1.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body: its number, its name, the name of a frame of the model, or a `Frame`.
    point2 : array_like, shape (3,), optional
        The point on body 2, relative to `body2` [m]; the origin by default. Shape (2,) for a planar
        model.
    body1 : int, str or Frame, optional
        The first body; the base by default, and then lambda is the force of the ground on body 2.
    point1 : array_like, shape (3,), optional
        The point on body 1, relative to `body1` [m]. If body 1 is the base, only the position error
        depends on it; see `placed`.
    directions : array_like, shape (k, 3), optional
        Directions of the k <= 3 constraint rows, constant in base coordinates; for instance the
        normal of a frictionless plane.

    Notes
    -----
    The acceleration of the rows is the classical acceleration ``p2'' - p1''``. A constraint force
    may have any sign; callers must check that a contact does not pull.

    Examples
    --------
    >>> from spatial_v2 import autoTree, constraint_jacobian
    >>> tip = PointConstraint(2, [1.0, 0.0, 0.0])
    >>> constraint_jacobian(autoTree(3), [0.0, 0.0, 0.0], [tip])
    array([[0., 0., 0.],
           [3., 2., 1.],
           [0., 0., 0.]])
    """

    body2: Body
    point2: Any = None
    body1: Body = -1
    point1: Any = None
    directions: Any = None

    def on(self, model: Model, name: str) -> PointOnModel:
        """Return the constraint resolved for a model; error messages call it `name`."""
        point2 = np.zeros(3) if self.point2 is None else self.point2
        i, r1 = point_of(model, f"{name}.body1", self.body1, self.point1)
        j, r2 = point_of(model, f"{name}.body2", self.body2, point2)
        if i == j:
            hint = "the rows are zero" if i < 0 else "they do not move relative to each other"
            raise ModelError(f"{name}: both points are on {_body(i)}: {hint}")
        if i >= 0 and r1 is None:
            raise ModelError(
                f"{name}.point1: want the coordinates of the point on body {i}, got None"
            )
        D = np.eye(3)
        if self.directions is not None:
            D = 1 * as_numbers(self.directions, f"{name}.directions")
        if self.directions is None and model.is_planar:
            D = D[:2]
        if model.is_planar and D.ndim == 2 and D.shape[-1] == 2:
            D = np.concatenate([D, np.zeros((len(D), 1))], axis=1)
        if D.ndim != 2 or D.shape[-1] != 3 or not 1 <= len(D) <= 3:
            raise ArrayShapeError(
                f"{name}.directions: want shape (k, 3), k <= 3, got {tuple(D.shape)}"
            )
        check_span(f"{name}.directions", D.T)
        return PointOnModel(i, r1, j, r2, name, D)

    def placed(self, model: Model, q: Array) -> PointConstraint:
        """Return the constraint with point 1 where point 2 is at a configuration q (NQ,)."""
        complete = replace(self, point1=np.zeros(3)) if self.point1 is None else self
        of, motions = complete.on(model, "constraint"), at_one(model, q)
        _, two = of.ends(motions)
        E, r = transform_parts(motions.pose(of.body1))
        return replace(self, body1=of.body1, point1=uncolumn(E @ (two.p - column(r))))


def _body(i: int) -> str:
    return "the base" if i < 0 else f"body {i}"


@dataclass(frozen=True, eq=False)
class PointOnModel(PointPair):
    """A point constraint resolved for a model; the rows of the matrix D (m, 3) are the constrained
    directions.
    """

    D: Array

    compiled = True
    """True: kernels can compute the constraint rows."""
    compiled_error = 2
    """2: kernels compute the position error and its first and second derivatives."""

    @property
    def m(self) -> int:
        """Number of constraint rows."""
        return len(self.D)

    @property
    def directions(self) -> Array:
        """Directions of the rows (m, 3) in base coordinates."""
        return self.D

    def check_place(self) -> None:
        """Raise an error if point 1 is unknown, so that the position error is undefined."""
        if self.point1 is None:
            raise ModelError(
                f"{self.name}: no point1 is given, so there is no position error. Give the point "
                "on the base, or call placed(model, q) to set it from a configuration"
            )

    def at(self, motions: Motions) -> PointRows:
        """Return the constraint rows in a state."""
        return PointRows(self, motions)


class PointRows:
    """The constraint rows of a point constraint in a state: ``D`` times the motion of point 2
    relative to point 1.
    """

    def __init__(self, relation: PointOnModel, motions: Motions) -> None:
        self.relation, self.D = relation, constant(relation.D, motions.S)
        self.one, self.two = relation.ends(motions)

    def get(self, name: str) -> Array:
        """Return a quantity by name: velocity ``w``, acceleration ``alpha``, Jacobian ``G`` or a
        derivative of them.

        Names are those of the attributes of `PointEnd`.
        """
        x = getattr(self.two, name) - getattr(self.one, name)
        return applied(self.D, x, behind(name))

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative of the Jacobian G with respect to q, summed over the rows
        with weights (..., m).
        """
        force = uncolumn(np.swapaxes(self.D, -1, -2) @ column(weight))
        return self.two.G_qq(force) - self.one.G_qq(force)

    @property
    def reach(self) -> np.ndarray:
        """Upper bounds (..., m) of the squared lengths of the rows of the Jacobian G; see
        `Rows.sizes`.
        """
        return reach_of_points(self.D, (self.one, self.two))

    @property
    def e(self) -> Array:
        """Position error ``D (p2 - p1)``, with p1, p2 the points and D the constrained directions;
        one column.
        """
        self.relation.check_place()
        return self.D @ (self.two.p - self.one.p)

    @property
    def e_q(self) -> Array:
        """Derivatives of the position error with respect to q: the Jacobian of the constraint."""
        return self.get("G")

    @property
    def e_qq(self) -> Array:
        """Second derivatives of the position error with respect to q: the derivatives of the
        Jacobian.
        """
        return self.get("G_q")
