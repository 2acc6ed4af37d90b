"""The motion of a point on a body and its derivatives, for constraints between points."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from spatial_v2.arrays import Array, column, namespace, real_part
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.vectors import ang, contract, cross, first, lin, second, squared_reach
from spatial_v2.model.scale import own_length
from spatial_v2.spatial import transform_parts

__all__ = ["PointEnd", "reach_of_points"]


class PointEnd:
    """Velocity w, acceleration alpha and Jacobian G of a point p on a body, along the axes of the
    base, and their derivatives.

    The columns of the Jacobian are ``G_k = lin_p(S_k)``, the velocity at p of the motion S_k of
    joint k. `turn` has the angular parts of S_k. Both are zero for joints that do not carry the
    body.

    Parameters
    ----------
    motions : Motions
        The motion of the model.
    body : int
        The body, or -1.
    point : array, shape (3,)
        The point in body coordinates [m].

    Notes
    -----
    Suffixes q, and qd or v, name the variables of derivatives. Entry [:, l] is the derivative with
    respect to q_l or qd_l, entry [:, l, m] the derivative of entry [:, l] with respect to q_m or
    qd_m.
    """

    def __init__(self, motions: Motions, body: int, point: Array) -> None:
        self.motions = motions
        xp = namespace(motions.S)
        E, r = transform_parts(motions.pose(body))
        self.p = column(r) + xp.matrix_transpose(E) @ column(point)
        self.moves = motions.moves(body)
        S, self.psid, self.psidd, self.Sd = (
            self.moves * x for x in (motions.S, motions.psid, motions.psidd, motions.Sd)
        )
        v, a = motions.v(body), motions.a(body)
        self.turn, self.G = ang(S), lin(S, self.p)
        self.w = lin(v, self.p)
        self.alpha = lin(a, self.p) + cross(ang(v), self.w)

    @functools.cached_property
    def w_q(self) -> Array:
        """Derivative of the point's velocity w with respect to q."""
        return lin(self.psid, self.p) + cross(self.turn, self.w)

    @functools.cached_property
    def alpha_q(self) -> Array:
        """Derivative of the point's acceleration alpha with respect to q."""
        turn = 2 * cross(ang(self.psid), self.w)
        return lin(self.psidd, self.p) + turn + cross(self.turn, self.alpha)

    @functools.cached_property
    def alpha_qd(self) -> Array:
        """Derivative of the point's acceleration alpha with respect to qd."""
        return lin(self.psid + self.Sd, self.p) + 2 * cross(self.turn, self.w)

    @functools.cached_property
    def G_q(self) -> Array:
        """Entries [:, k, l] are the derivative of column k of the Jacobian G with respect to q_l.

        They are ``turn_l x G_k``, or ``turn_k x G_l`` if joint k is an ancestor of joint l.
        """
        xp, m = namespace(self.G), self.motions
        near = m.below * cross(second(self.turn), first(self.G), 2)
        far = xp.matrix_transpose(m.beyond) * cross(first(self.turn), second(self.G), 2)
        return near + far

    def _pairs(self, x: Array) -> Array:
        """Set entries [:, l, m] of x to zero unless joint l carries the body."""
        return first(self.moves) * x

    def _lin_q(self, x: Array, x_q: Array) -> Array:
        """Return the derivative with respect to q_m of ``lin_p(x_l)``, the velocity at the point p
        of the motion x_l.
        """
        turn = cross(first(ang(x)), second(self.G), 2)
        return lin(self._pairs(x_q), first(self.p), 2) + turn

    @functools.cached_property
    def turn_q(self) -> Array:
        """Derivative of turn_l, the angular part of the motion subspace S_l, with respect
        to q_m.
        """
        return ang(self._pairs(self.motions.S_q), 2)

    @functools.cached_property
    def w_qq(self) -> Array:
        """Second derivative of the point's velocity w with respect to q."""
        turn = cross(self.turn_q, first(self.w), 2)
        moved = cross(first(self.turn), second(self.w_q), 2)
        return self._lin_q(self.psid, self.motions.psid_q) + turn + moved

    @functools.cached_property
    def alpha_qq(self) -> Array:
        """Second derivative of the point's acceleration alpha with respect to q."""
        m, w, alpha = self.motions, first(self.w), first(self.alpha)
        return (
            self._lin_q(self.psidd, m.psidd_q)
            + 2 * cross(ang(self._pairs(m.psid_q), 2), w, 2)
            + 2 * cross(first(ang(self.psid)), second(self.w_q), 2)
            + cross(self.turn_q, alpha, 2)
            + cross(first(self.turn), second(self.alpha_q), 2)
        )

    @functools.cached_property
    def alpha_qv(self) -> Array:
        """Derivative of the point's acceleration alpha with respect to q_l and qd_m."""
        m, w = self.motions, first(self.w)
        return (
            lin(self._pairs(m.psidd_v), first(self.p), 2)
            + 2 * cross(ang(self._pairs(m.psid_v), 2), w, 2)
            + 2 * cross(first(ang(self.psid)), second(self.G), 2)
            + cross(first(self.turn), second(self.alpha_qd), 2)
        )

    @functools.cached_property
    def alpha_vv(self) -> Array:
        """Second derivative of the point's acceleration alpha with respect to qd."""
        m = self.motions
        rate = lin(self._pairs(m.psid_v + m.S_q), first(self.p), 2)
        return rate + 2 * cross(first(self.turn), second(self.G), 2)

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative of the Jacobian G with respect to q, summed over its rows
        with weights (..., 3): entry [k, l, m] is ``sum_c weight_c d2G_ck / (dq_l dq_m)``.
        """
        xp, m = namespace(self.G, weight), self.motions
        T, force = xp.matrix_transpose, column(weight)
        turning = contract(cross(self.G, force), self.turn_q)
        moving = xp.moveaxis(contract(cross(force, self.turn), self.G_q), -3, -2)
        near = turning + moving
        far = xp.moveaxis(near, -3, -2)
        return m.below[..., None] * near + T(m.beyond)[..., None] * far


def reach_of_points(
    D: Array, points: Sequence[PointEnd], couples: Array | None = None
) -> np.ndarray:
    """Return upper bounds (..., m) of the squared lengths of the rows of a constraint Jacobian; see
    `Rows.sizes`. The rows are forces along directions D at points.

    Parameters
    ----------
    D : array, shape (..., m, 3)
        Forces of the constraint rows on the points, for unit multipliers, in base coordinates.
    points : sequence of PointEnd
        Points at which the forces act.
    couples : array, shape (m, 3), optional
        Couples of the constraint rows on the bodies.
    """
    force, total = np.asarray(real_part(D)), np.zeros(())
    for x in points:
        couple = np.cross(np.asarray(real_part(x.p))[..., 0][..., None, :], force)
        if couples is not None:
            couple = couple + np.asarray(real_part(couples))
        Y = np.concatenate([couple, np.broadcast_to(force, couple.shape)], axis=-1)
        S, length = x.moves * x.motions.S, own_length(x.motions.model)
        total = total + squared_reach(Y, S, length)
    return total
