"""Motion of one body and its derivatives to second order, after `body_motion_derivatives`."""

from __future__ import annotations

import functools

from spatial_v2.arrays import Array
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.vectors import first, motion_cross, second

__all__ = ["BodyMotion"]


class BodyMotion:
    """Velocity v and acceleration a of a body along the base's axes, and their derivatives.

    Parameters
    ----------
    motions : Motions
        The motion of the model.
    body : int
        The body, or -1.

    Notes
    -----
    v is the velocity, a the acceleration; suffixes q and v name the variables of derivatives, q and
    qd. Entry [:, l] is the derivative with respect to q_l or qd_l, entry [:, l, m] the derivative
    of entry [:, l] with respect to q_m or qd_m. Derivatives are zero unless joints l and m carry
    the body.
    """

    def __init__(self, motions: Motions, body: int) -> None:
        self.motions, self.moves = motions, motions.moves(body)
        self.v, self.a = motions.v(body), motions.a(body)
        self.S = self.moves * motions.S

    def _own(self, *terms: Array) -> Array:
        return self.moves * sum(terms[1:], terms[0])

    def _pairs(self, *terms: Array) -> Array:
        return first(self.moves) * second(self.moves) * sum(terms[1:], terms[0])

    @functools.cached_property
    def v_q(self) -> Array:
        """Derivative of the velocity v with respect to q: ``psid_l - v x S_l``; S and psid as in
        `GroundFrame`.
        """
        m = self.motions
        return self._own(m.psid, -motion_cross(self.v, m.S))

    @functools.cached_property
    def a_q(self) -> Array:
        """Derivative of the acceleration a with respect to q: ``psidd_l - v x psid_l - a x S_l``;
        S, psid and psidd as in `GroundFrame`.
        """
        m = self.motions
        return self._own(m.psidd, -motion_cross(self.v, m.psid), -motion_cross(self.a, m.S))

    @functools.cached_property
    def a_v(self) -> Array:
        """Derivative of the acceleration a with respect to qd: ``psid_l + Sd_l - v x S_l``; S, Sd
        and psid as in `GroundFrame`.
        """
        m = self.motions
        return self._own(m.psid, m.Sd, -motion_cross(self.v, m.S))

    @functools.cached_property
    def v_qq(self) -> Array:
        """Second derivative of the velocity v with respect to q."""
        m = self.motions
        return self._pairs(
            m.psid_q,
            -motion_cross(second(self.v_q), first(m.S), 2),
            -motion_cross(first(self.v), m.S_q, 2),
        )

    @functools.cached_property
    def v_qv(self) -> Array:
        """Derivative of the velocity v with respect to q_l and qd_m."""
        m = self.motions
        return self._pairs(m.psid_v, -motion_cross(second(m.S), first(m.S), 2))

    @functools.cached_property
    def a_qq(self) -> Array:
        """Second derivative of the acceleration a with respect to q."""
        m, v, a = self.motions, first(self.v), first(self.a)
        return self._pairs(
            m.psidd_q,
            -motion_cross(second(self.v_q), first(m.psid), 2),
            -motion_cross(v, m.psid_q, 2),
            -motion_cross(second(self.a_q), first(m.S), 2),
            -motion_cross(a, m.S_q, 2),
        )

    @functools.cached_property
    def a_qv(self) -> Array:
        """Derivative of the acceleration a with respect to q_l and qd_m."""
        m = self.motions
        return self._pairs(
            m.psidd_v,
            -motion_cross(second(m.S), first(m.psid), 2),
            -motion_cross(first(self.v), m.psid_v, 2),
            -motion_cross(second(self.a_v), first(m.S), 2),
        )

    @functools.cached_property
    def a_vv(self) -> Array:
        """Second derivative of the acceleration a with respect to qd."""
        m = self.motions
        return self._pairs(m.psid_v, m.S_q, -motion_cross(second(m.S), first(m.S), 2))
