"""The rows of a point constraint, and their derivatives."""

from __future__ import annotations

import functools

from spatial_v2.arrays import Array, column, namespace
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.vectors import ang, cross, first, lin, second
from spatial_v2.spatial import transform_parts

__all__ = ["PointEnd"]


class PointEnd:
    """The motion of a point p of a body, along the base's axes.

    With ``j_k = lin_p(S_k)``, ``w_k`` the angular part of S_k, all for joints that carry the body.

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
    Entry [:, l] is the derivative along q_l, or by qd_l; [:, l, m] the derivative of that along q_m
    or by qd_m. Accelerations are those with minus gravity; in differences of two ends it cancels.
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
        self.w, self.G = ang(S), lin(S, self.p)
        self.u = lin(v, self.p)
        self.alpha = lin(a, self.p) + cross(ang(v), self.u)

    @functools.cached_property
    def u_q(self) -> Array:
        """Derivative of the velocity u."""
        return lin(self.psid, self.p) + cross(self.w, self.u)

    @functools.cached_property
    def alpha_q(self) -> Array:
        """Derivative of the acceleration alpha along q."""
        turn = 2 * cross(ang(self.psid), self.u)
        return lin(self.psidd, self.p) + turn + cross(self.w, self.alpha)

    @functools.cached_property
    def alpha_qd(self) -> Array:
        """Derivative of alpha by qd."""
        return lin(self.psid + self.Sd, self.p) + 2 * cross(self.w, self.u)

    @functools.cached_property
    def G_q(self) -> Array:
        """Derivatives [:, k, l] of G_k along q_l: ``w_l x j_k``, or ``w_k x j_l`` for l beyond k."""
        xp, m = namespace(self.G), self.motions
        near = m.below * cross(second(self.w), first(self.G), 2)
        far = xp.matrix_transpose(m.beyond) * cross(first(self.w), second(self.G), 2)
        return near + far

    def _pairs(self, x: Array) -> Array:
        """Vectors of pairs [l, m], where joint l carries the body."""
        return first(self.moves) * x

    def _lin_q(self, x: Array, x_q: Array) -> Array:
        """Derivative of ``lin_p(x_l)`` along q_m."""
        turn = cross(first(ang(x)), second(self.G), 2)
        return lin(self._pairs(x_q), first(self.p), 2) + turn

    @functools.cached_property
    def w_q(self) -> Array:
        """Derivative of w_l along q_m."""
        return ang(self._pairs(self.motions.S_q), 2)

    @functools.cached_property
    def alpha_qq(self) -> Array:
        """Second derivative of alpha along q."""
        m, u, alpha = self.motions, first(self.u), first(self.alpha)
        return (
            self._lin_q(self.psidd, m.psidd_q)
            + 2 * cross(ang(self._pairs(m.psid_q), 2), u, 2)
            + 2 * cross(first(ang(self.psid)), second(self.u_q), 2)
            + cross(self.w_q, alpha, 2)
            + cross(first(self.w), second(self.alpha_q), 2)
        )

    @functools.cached_property
    def alpha_qv(self) -> Array:
        """Derivative of alpha along q_l and by qd_m."""
        m, u = self.motions, first(self.u)
        return (
            lin(self._pairs(m.psidd_v), first(self.p), 2)
            + 2 * cross(ang(self._pairs(m.psid_v), 2), u, 2)
            + 2 * cross(first(ang(self.psid)), second(self.G), 2)
            + cross(first(self.w), second(self.alpha_qd), 2)
        )

    @functools.cached_property
    def alpha_vv(self) -> Array:
        """Second derivative of alpha by qd."""
        m = self.motions
        rate = lin(self._pairs(m.psid_v + m.S_q), first(self.p), 2)
        return rate + 2 * cross(first(self.w), second(self.G), 2)
