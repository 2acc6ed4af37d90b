"""The rows of a frame constraint in a state, and their derivatives."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.constraints.frame_error import FrameError
from spatial_v2.constraints.frame_relation import FrameRelation
from spatial_v2.constraints.rows import behind
from spatial_v2.constraints.vectors import applied, squared_reach
from spatial_v2.model.scale import own_length

__all__ = ["FrameRows"]


class FrameRows:
    """The constraint rows of a frame constraint in a state: a `FrameRelation` multiplied by
    ``T^T``, with T the constrained directions.
    """

    def __init__(self, rows: Array, relation: FrameRelation, error: FrameError) -> None:
        self.T, self.relation, self.error = constant(rows, relation.G), relation, error

    def get(self, name: str) -> Array:
        """Return a quantity by name: velocity ``w``, acceleration ``alpha``, Jacobian ``G`` or a
        derivative of them.

        Names are those of the attributes of `FrameRelation`.
        """
        n = behind(name)
        return applied(self.T, self.relation.in_C(getattr(self.relation, name), n), n)

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative of the Jacobian G with respect to q, summed over the rows
        with weights (..., m).
        """
        T = namespace(self.T).matrix_transpose
        return self.relation.G_qq(uncolumn(T(self.T) @ column(weight)))

    @property
    def reach(self) -> np.ndarray:
        """Upper bounds (..., m) of the squared lengths of the rows of the Jacobian G; see
        `Rows.sizes`.
        """
        one, two = self.relation.one, self.relation.two
        Y = self.T @ self.relation.Y
        length = own_length(one.motions.model)
        return np.asarray(squared_reach(Y, one.S, length) + squared_reach(Y, two.S, length))

    @property
    def e(self) -> Array:
        """The position error, one column."""
        return self.T @ self.error.e

    @property
    def e_q(self) -> Array:
        """Derivatives of the position error with respect to q."""
        return self.T @ self.error.e_q(self.relation.in_C(self.relation.G))

    @property
    def e_qq(self) -> Array:
        """Second derivatives of the position error with respect to q."""
        r = self.relation
        return applied(self.T, self.error.e_qq(r.in_C(r.G), r.in_C(r.G_q, 2)), 2)
