"""Constraints between a point of one body and a point of another."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, column, constant, uncolumn
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.constraints.ends import Body, check_span, point_of
from spatial_v2.constraints.motions import Motions, at_rest
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
    """Two points move alike, or do so along some directions: a ball joint, a contact, a rail.

    The velocity of the rows is ``p2' - p1'`` in base coordinates, three rows (of a planar model
    two), or its components along `directions`. Their multiplier lambda is the force [N] on body 2
    at the point; body 1 feels the opposite.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body: its number, its name, the name of a frame of the model, or a `Frame`.
    point2 : array_like, shape (3,), optional
        Its point, relative to `body2` [m]; the origin by default. Of a planar model (2,).
    body1 : int, str or Frame, optional
        The first body; the base by default, and then lambda is what the ground does to body 2.
    point1 : array_like, shape (3,), optional
        Its point. On the base it matters for the position error alone; see `placed`.
    directions : array_like, shape (k, 3), optional
        Rows that are constant in base coordinates, k <= 3: the normal of a frictionless plane.

    Notes
    -----
    The acceleration of the rows is the classical one, ``p2'' - p1''``. A constraint can pull as
    well as push; whether a contact does pull is for the caller to see.

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
        """The constraint of a model; `name` is what messages call it."""
        point2 = np.zeros(3) if self.point2 is None else self.point2
        i, r1 = point_of(model, f"{name}.body1", self.body1, self.point1)
        j, r2 = point_of(model, f"{name}.body2", self.body2, point2)
        if i == j:
            hint = "the rows are zero" if i < 0 else "it keeps them as they are: leave it out"
            raise ModelError(f"{name}: both points are on {_body(i)}: {hint}")
        if i >= 0 and r1 is None:
            raise ModelError(f"{name}.point1: say where on body {i} the point is")
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
        """The constraint with point 1 moved to point 2 at a configuration q (NQ,)."""
        given = replace(self, point1=np.zeros(3)) if self.point1 is None else self
        of, motions = given.on(model, "constraint"), Motions(model, *at_rest(model, q))
        _, two = of.ends(motions)
        E, r = transform_parts(motions.pose(of.body1))
        return replace(self, body1=of.body1, point1=uncolumn(E @ (two.p - column(r))))


def _body(i: int) -> str:
    return "the base" if i < 0 else f"body {i}"


@dataclass(frozen=True, eq=False)
class PointOnModel(PointPair):
    """A point constraint of a model."""

    D: Array

    compiled = True
    """Kernels know its rows."""
    compiled_error = 2
    """Kernels know its position error with two derivatives."""

    @property
    def m(self) -> int:
        """Number of rows."""
        return len(self.D)

    @property
    def directions(self) -> Array:
        """Rows (m, 3) along the base's axes."""
        return self.D

    def check_place(self) -> None:
        """Raise an error unless the position error is defined."""
        if self.point1 is None:
            raise ModelError(
                f"{self.name}: no point1, hence no position error; say where the ground's point "
                "is, or let placed(model, q) take it from a configuration"
            )

    def at(self, motions: Motions) -> PointRows:
        """The rows in a state."""
        return PointRows(self, motions)


class PointRows:
    """The rows of a point constraint in a state: ``D (end 2 - end 1)``."""

    def __init__(self, relation: PointOnModel, motions: Motions) -> None:
        self.relation, self.D = relation, constant(relation.D, motions.S)
        self.one, self.two = relation.ends(motions)

    def get(self, name: str) -> Array:
        """Velocity ``w``, ``alpha``, ``G`` or a derivative of theirs; see `PointEnd`."""
        x = getattr(self.two, name) - getattr(self.one, name)
        return applied(self.D, x, behind(name))

    def G_qq(self, weight: Array) -> Array:
        """Sum over the rows of weight (..., m) times the second derivative of G."""
        force = uncolumn(np.swapaxes(self.D, -1, -2) @ column(weight))
        return self.two.G_qq(force) - self.one.G_qq(force)

    @property
    def reach(self) -> np.ndarray:
        """Squared lengths (..., m) that the rows could have at most; see `Rows.sizes`."""
        return reach_of_points(self.D, (self.one, self.two))

    @property
    def e(self) -> Array:
        """``D (p2 - p1)``, one column."""
        self.relation.check_place()
        return self.D @ (self.two.p - self.one.p)

    @property
    def e_q(self) -> Array:
        """Its derivatives along q: G."""
        return self.get("G")

    @property
    def e_qq(self) -> Array:
        """Its second derivatives along q: those of G."""
        return self.get("G_q")
