"""Two points on bodies of a model, which constraints between points refer to."""

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
    """Bodies of a model by number, points in their coordinates, and the name in messages."""

    body1: int
    point1: Array | None
    body2: int
    point2: Array
    name: str

    own = -1
    """The axes of the rows are those of neither body."""

    @property
    def _points(self) -> tuple[Array, Array]:
        return np.zeros(3) if self.point1 is None else self.point1, self.point2

    @property
    def frames(self) -> tuple[Array, Array]:
        """Transforms to the points."""
        one, two = self._points
        return xlt(one), xlt(two)

    def ends(self, motions: Motions) -> tuple[PointEnd, PointEnd]:
        """The motions of the points."""
        one, two = (constant(x, motions.S) for x in self._points)
        return PointEnd(motions, self.body1, one), PointEnd(motions, self.body2, two)
