"""Two points on bodies of a model, the data of constraints between points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from spatial_v2.arrays import Array, constant
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.point_end import PointEnd
from spatial_v2.spatial import xlt

__all__ = ["PointPair"]


@dataclass(frozen=True, eq=False)
class PointPair:
    """Two points in coordinates of their bodies, and the name of the constraint for messages."""

    body1: int
    point1: Array | None
    body2: int
    point2: Array
    name: str

    own = -1
    """Code of the axes of the rows: those of the base; see `Relation.own`."""

    @property
    def _points(self) -> tuple[Array, Array]:
        return np.zeros(3) if self.point1 is None else self.point1, self.point2

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms (6, 6) from the bodies to the points."""
        one, two = self._points
        return xlt(one), xlt(two)

    def ends(self, motions: Motions) -> tuple[PointEnd, PointEnd]:
        """Return the motions of both points in a state."""
        one, two = (constant(x, motions.S) for x in self._points)
        return PointEnd(motions, self.body1, one), PointEnd(motions, self.body2, two)
