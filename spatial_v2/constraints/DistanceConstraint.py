"""Two points at a constant distance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from spatial_v2.arrays import Array, as_array, real_part
from spatial_v2.constraints.distance_rows import DistanceRows
from spatial_v2.constraints.ends import Body, point_of
from spatial_v2.constraints.motions import Motions, at_rest
from spatial_v2.constraints.point_pair import PointPair
from spatial_v2.exceptions import ModelError, SpatialError
from spatial_v2.model import Model

__all__ = ["DistanceConstraint"]

MEET = 16 * np.finfo(float).eps
"""Distance of points that meet, in proportion to how far from the base they are."""


@dataclass(frozen=True, eq=False)
class DistanceConstraint:
    """Two points stay at a distance: a rod with ball joints at its ends, a taut rope.

    One row. Its velocity is the rate of the distance, its multiplier lambda the force [N] on body 2
    at its point, away from point 1: a strut pushes with lambda > 0, a rope pulls with lambda < 0.
    Body 1 feels the opposite.

    Parameters
    ----------
    body2 : int, str or Frame
        The second body: its number, its name, the name of a frame of the model, or a `Frame`.
    point2 : array_like, shape (3,), optional
        Its point, relative to `body2` [m]; the origin by default. Of a planar model (2,).
    body1 : int, str or Frame, optional
        The first body; the base by default.
    point1 : array_like, shape (3,), optional
        Its point; the origin by default.
    distance : float, optional
        The distance [m], greater than zero. It matters for the position error alone; `placed` takes
        it from a configuration.

    Notes
    -----
    With r the vector from point 1 to point 2, ``w = d|r|/dt``, ``alpha = d^2|r|/dt^2`` and the
    position error ``|r| - distance`` [m]. Points that meet have no direction from one to the other,
    and are refused. Rows of this kind use the reference implementation, not a kernel.

    Examples
    --------
    A pendulum of a point mass on a rod of 2 m: the rod carries it.

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
        """The constraint of a model; `name` is what messages call it."""
        r1, r2 = (np.zeros(3) if x is None else x for x in (self.point1, self.point2))
        i, one = point_of(model, f"{name}.body1", self.body1, r1)
        j, two = point_of(model, f"{name}.body2", self.body2, r2)
        if i == j:
            where = "the base" if i < 0 else f"body {i}"
            raise ModelError(f"{name}: both points are on {where}: it keeps them as they are")
        if self.distance is not None:
            x = as_array(self.distance)
            if x.ndim or not np.isfinite(real_part(x)) or real_part(x) <= 0:
                raise ModelError(
                    f"{name}.distance: want a number greater than 0, got {self.distance!r}; points "
                    "that meet are a PointConstraint"
                )
        assert one is not None and two is not None
        return DistanceOnModel(i, one, j, two, name, self.distance)

    def placed(self, model: Model, q: Array) -> DistanceConstraint:
        """The constraint with the distance that the points have at a configuration q (NQ,)."""
        rows = self.on(model, "constraint").at(Motions(model, *at_rest(model, q)))
        return replace(self, distance=rows.length[..., 0, 0])


def _meet(rows: DistanceRows) -> bool:
    """Return whether points are no further apart than rounding puts them."""
    one, two, apart = (np.abs(np.real(x)) for x in (rows.one.p, rows.two.p, rows.length))
    rounding = MEET * (one + two).max(axis=(-2, -1), keepdims=True)
    return bool((apart <= rounding).any())


@dataclass(frozen=True, eq=False)
class DistanceOnModel(PointPair):
    """A distance constraint of a model."""

    distance: Array | None

    m = 1
    """Number of rows."""
    compiled = False
    """There is no kernel for it."""
    compiled_error = -1
    """There is no kernel for its position error."""

    @property
    def directions(self) -> Array:
        """The row has no constant direction."""
        return np.zeros((1, 3))

    def check_place(self) -> None:
        """Raise an error unless the position error is defined."""
        if self.distance is None:
            raise ModelError(
                f"{self.name}: no distance, hence no position error; give it, or let placed(model, "
                "q) take it from a configuration"
            )

    def at(self, motions: Motions) -> DistanceRows:
        """The rows in a state."""
        rows = DistanceRows(self, *self.ends(motions))
        if isinstance(rows.rho, np.ndarray) and rows.rho.dtype.kind in "fc" and _meet(rows):
            raise SpatialError(
                f"{self.name}: its points meet, and there is no direction from one to the other; "
                "points that shall meet are a PointConstraint"
            )
        return rows
