"""Constraints that keep two points at a constant distance."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, real_part
from spatial_v2.arrays.checks import as_numbers
from spatial_v2.constraints.distance_rows import DistanceRows
from spatial_v2.constraints.ends import Body, point_of
from spatial_v2.constraints.motions import Motions, at_one
from spatial_v2.constraints.point_pair import PointPair
from spatial_v2.engine.constrained import LINE, MEET
from spatial_v2.exceptions import ModelError, RankWarning, SpatialError
from spatial_v2.model import Model

__all__ = ["DistanceConstraint"]


@dataclass(frozen=True, eq=False)
class DistanceConstraint:
    """Constant distance of two points: a rod with ball joints at its ends, or a taut rope.

    The constraint has one row. Its velocity is the rate of the distance. Its multiplier lambda is
    the force [N] on body 2 at point 2, away from point 1: a strut pushes with lambda > 0, a rope
    pulls with lambda < 0. The opposite force acts on body 1.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body: its number, its name, the name of a frame of the model, or a `Frame`.
    point2 : array_like, shape (3,), optional
        The point on body 2, relative to `body2` [m]; the origin by default. Shape (2,) for a planar
        model.
    body1 : int, str or Frame, optional
        The first body; the base by default.
    point1 : array_like, shape (3,), optional
        The point on body 1, relative to `body1` [m]; the origin by default.
    distance : float, optional
        The distance [m], greater than zero. Only the position error depends on it; `placed` sets it
        to the distance at a configuration.

    Notes
    -----
    With r the vector from point 1 to point 2, the velocity of the row is ``w = d|r|/dt``, its
    acceleration ``alpha = d^2|r|/dt^2``, and its position error ``|r| - distance`` [m]. Where the
    points coincide, r has no direction, and an error is raised; in a batch the results of such
    states are NaN, and a `RankWarning` is given.

    Examples
    --------
    A point mass hangs on a rod of 2 m, which carries its weight:

    >>> import numpy as np
    >>> from spatial_v2 import KKT_FD, Model, mcI
    >>> mass = mcI(3, [0, 0, 0], np.zeros((3, 3)))
    >>> ball = Model(parent=[-1, 0], jtype=["Px", "Py"], Xtree=[np.eye(6)] * 2, I=[0 * mass, mass],
    ...              gravity=[0, -10, 0])
    >>> KKT_FD(ball, [0, -2], [0, 0], [0, 0], [DistanceConstraint(1)]).lambda_
    array([-30.])
    """

    body2: Body
    point2: Any = None
    body1: Body = -1
    point1: Any = None
    distance: Any = None

    def on(self, model: Model, name: str) -> DistanceOnModel:
        """Return the constraint resolved for a model; error messages call it `name`."""
        r1, r2 = (np.zeros(3) if x is None else x for x in (self.point1, self.point2))
        i, one = point_of(model, f"{name}.body1", self.body1, r1)
        j, two = point_of(model, f"{name}.body2", self.body2, r2)
        if i == j:
            where = "the base" if i < 0 else f"body {i}"
            raise ModelError(
                f"{name}: both points are on {where}, where their distance is constant"
            )
        distance = None
        if self.distance is not None:
            distance = x = 1 * as_numbers(self.distance, f"{name}.distance")
            if x.ndim or not np.isfinite(real_part(x)) or real_part(x) <= 0:
                raise ModelError(
                    f"{name}.distance: want a number greater than 0, got {self.distance!r}. For "
                    "points that coincide use a PointConstraint"
                )
        assert one is not None and two is not None
        return DistanceOnModel(i, one, j, two, name, distance)

    def placed(self, model: Model, q: Array) -> DistanceConstraint:
        """Return the constraint with the distance of the points at a configuration q (NQ,)."""
        rows = self.on(model, "constraint").at(at_one(model, q))
        return replace(self, distance=rows.length[..., 0, 0])


def _meet(rows: DistanceRows) -> np.ndarray:
    """Mask (...) of the states in which the points coincide up to rounding errors."""
    one, two, apart = (np.abs(np.real(x)) for x in (rows.one.p, rows.two.p, rows.length))
    rounding = MEET * (one + two).max(axis=(-2, -1), keepdims=True)
    return np.asarray(apart <= rounding)[..., 0, 0]


@dataclass(frozen=True, eq=False)
class DistanceOnModel(PointPair):
    """A distance constraint resolved for a model: bodies by number, points in body coordinates."""

    distance: Array | None

    m = 1
    """Number of constraint rows."""
    own = LINE
    """The row is along the line between the points."""
    compiled = True
    """True: kernels compute the constraint row."""
    compiled_error = 2
    """Kernels compute the position error, and its first and second derivatives."""

    @property
    def directions(self) -> Array:
        """Return the distance in place of the direction, which depends on the configuration."""
        x = 0.0 if self.distance is None else self.distance
        return np.array([[1.0, 0.0, 0.0]]) * x

    def check_place(self) -> None:
        """Raise an error if no distance is given, so that the position error is undefined."""
        if self.distance is None:
            raise ModelError(
                f"{self.name}: no distance is given, so there is no position error. Give "
                "distance=, or call placed(model, q) to set it from a configuration"
            )

    def at(self, motions: Motions) -> DistanceRows:
        """Return the constraint row in a state, or an error where the points coincide; in a batch
        the row of such a state is NaN.
        """
        rows = DistanceRows(self, *self.ends(motions))
        if not isinstance(rows.rho, np.ndarray) or rows.rho.dtype.kind not in "fc":
            return rows
        meet = _meet(rows)
        if self.tell_meeting(meet):
            rows.length = np.where(meet[..., None, None], np.nan, rows.length)
        return rows

    def tell_meeting(self, meet: np.ndarray) -> bool:
        """Return True, with a warning, if the points coincide in some states of a batch; raise an
        error if they do in a single state.
        """
        if meet.any():
            where = f" in {meet.sum()} of {meet.size} states" if meet.ndim else ""
            text = (
                f"{self.name}: its points meet{where}, so the direction between them is undefined. "
                "For points that must coincide use a PointConstraint"
            )
            if not meet.ndim:
                raise SpatialError(text)
            warnings.warn(f"{text}. The results of these states are NaN", RankWarning, stacklevel=3)
        return bool(meet.any())
