"""The constraint rows of a frame constraint along the axes of the base."""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.constraints.body_motion import BodyMotion
from spatial_v2.constraints.frame_error import FrameError
from spatial_v2.constraints.frame_relation import FrameRelation
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.point_end import PointEnd, reach_of_points
from spatial_v2.constraints.rows import behind
from spatial_v2.constraints.vectors import ang, applied, contract, cross, first, second
from spatial_v2.spatial import transform_parts

__all__ = ["MixedRows"]

_ANGULAR = {"w": "v", "alpha": "a", "G": "S", "w_q": "v_q", "alpha_q": "a_q", "alpha_qd": "a_v",
            "alpha_qq": "a_qq", "alpha_qv": "a_qv", "alpha_vv": "a_vv"}  # fmt: skip
"""For each quantity of `PointEnd`, the quantity of `BodyMotion` that has the corresponding angular
part.
"""


class MixedRows:
    """Constraint rows with velocity ``T^T [omega_2 - omega_1; p2' - p1']``, in a state.

    ``omega_i`` is the angular velocity of body i, ``p_i`` the origin of frame i.

    Parameters
    ----------
    ends : ((int, array), (int, array))
        Bodies, and transforms (6, 6) from them to frames 1 and 2.
    rows : array, shape (m, 6)
        The matrix T^T of directions.
    motions : Motions
        The motion of the model.
    relation, error
        Relative motion and position error of frame 2, in coordinates of frame 1.
    """

    def __init__(
        self,
        ends: tuple[tuple[int, Array], tuple[int, Array]],
        rows: Array,
        motions: Motions,
        relation: FrameRelation,
        error: FrameError,
    ) -> None:
        self.T, self.relation, self.error = constant(rows, motions.S), relation, error
        self.points = [
            PointEnd(motions, b, constant(transform_parts(X).r, motions.S)) for b, X in ends
        ]
        self.bodies = [BodyMotion(motions, b) for b, _ in ends]
        E, _ = transform_parts(constant(ends[0][1], motions.S) @ motions.pose(ends[0][0]))
        self.R = namespace(E).matrix_transpose(E)

    def get(self, name: str) -> Array:
        """Return a quantity by name: velocity ``w``, acceleration ``alpha``, Jacobian ``G`` or a
        derivative of them.

        Names are those of the attributes of `PointEnd`.
        """
        n = behind(name)
        one, two = (
            x.turn_q if name == "G_q" else ang(getattr(body, _ANGULAR[name]), n)
            for x, body in zip(self.points, self.bodies, strict=True)
        )
        p1, p2 = (getattr(x, name) for x in self.points)
        x = namespace(self.T, p1).concat([two - one, p2 - p1], axis=-1 - n)
        return applied(self.T, x, n)

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative of the Jacobian G with respect to q, summed over the rows
        with weights (..., m).

        Let c be the weights of the angular rows and omega_k the angular part of the motion subspace
        S_k. The angular rows add the derivative of ``c . (omega_l x omega_k)`` with respect to q_m,
        if joint l carries joint k, for joints k, l, m that carry the body.
        """
        xp = namespace(self.T, weight)
        f = uncolumn(xp.matrix_transpose(self.T) @ column(weight))
        total, couple = 0.0, column(f[..., :3])
        for sign, x in zip((-1.0, 1.0), self.points, strict=True):
            near = contract(cross(x.turn, couple), x.turn_q)
            far = xp.moveaxis(contract(cross(couple, x.turn), x.turn_q), -3, -2)
            total = total + sign * (x.G_qq(f[..., 3:]) + x.motions.below[..., None] * (near + far))
        return total

    @property
    def reach(self) -> np.ndarray:
        """Upper bounds (..., m) of the squared lengths of the rows of the Jacobian G; see
        `Rows.sizes`.
        """
        return reach_of_points(self.T[..., 3:], self.points, self.T[..., :3])

    def _turned(self, x: Array, n: int = 1) -> Array:
        """Rotate vectors of six entries from the axes of frame 1 to those of the base."""
        parts = [applied(self.R, y, n) for y in (ang(x, n), x[(..., slice(3, 6), *_all(n))])]
        return namespace(x).concat(parts, axis=-1 - n)

    def _with_one(self, turn: Array, x: Array, n: int = 1) -> Array:
        """Return the cross products of the three-vector `turn` with the angular and with the linear
        parts of vectors.
        """
        parts = [cross(turn, y, n) for y in (ang(x, n), x[(..., slice(3, 6), *_all(n))])]
        return namespace(x).concat(parts, axis=-1 - n)

    @property
    def e(self) -> Array:
        """The position error, rotated from the axes of frame 1 to those of the base; one column."""
        return self.T @ self._turned(self.error.e)

    @property
    def e_q(self) -> Array:
        """Derivatives of the position error with respect to q."""
        return self.T @ self._e_q

    @property
    def _e_q(self) -> Array:
        e = self._turned(self.error.e)
        own = self._turned(self.error.e_q(self.relation.in_C(self.relation.G)))
        return own + self._with_one(self.points[0].turn, e)

    @property
    def e_qq(self) -> Array:
        """Second derivatives of the position error with respect to q."""
        g, one, r = self.relation.in_C(self.relation.G), self.points[0], self.relation
        own_q = self._turned(self.error.e_q(g))
        own = self._turned(self.error.e_qq(g, r.in_C(r.G_q, 2)), 2)
        in_body = (
            own
            + self._with_one(second(one.turn), first(own_q), 2)
            + self._with_one(one.turn_q, first(self._turned(self.error.e)), 2)
            + self._with_one(first(one.turn), second(self._e_q), 2)
        )
        return applied(self.T, in_body, 2)


def _all(n: int) -> list[slice]:
    return [slice(None)] * n
