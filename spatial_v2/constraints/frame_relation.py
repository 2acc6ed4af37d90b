"""Relative motion of two bodies in a moving frame, and its derivatives, for frame constraints."""

from __future__ import annotations

import functools
from typing import Any

from spatial_v2.arrays import Array, column, constant, namespace, uncolumn
from spatial_v2.constraints.body_motion import BodyMotion
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.vectors import applied, contract, first, motion_cross, second
from spatial_v2.spatial import crf

__all__ = ["FrameRelation"]


class FrameRelation:
    """The motion of body 2 relative to body 1, in coordinates of a frame C that body c carries.

    With ``v_r = v_2 - v_1`` and ``a_r = a_2 - a_1``, the relative velocity is ``Y v_r`` and its
    time derivative ``Y A``, with ``A = a_r - v_c x v_r`` and Y the transform to C.

    Parameters
    ----------
    motions : Motions
        The motion of the model.
    body1, body2, axes : int
        The bodies 1, 2 and c, or -1.
    X_C : array, shape (6, 6)
        Transform from c to C.

    Notes
    -----
    Attributes are w (velocity v_r), alpha (A), G (derivative of w with respect to qd), and their
    derivatives, with the variables as suffixes: q, and qd or v. Entry [:, l] is the derivative with
    respect to q_l or qd_l, entry [:, l, m] the derivative of entry [:, l] with respect to q_m or
    qd_m. They are the derivatives of coordinates in C, transformed to the axes of the base; `in_C`
    transforms them back to C.
    """

    def __init__(self, motions: Motions, body1: int, body2: int, axes: int, X_C: Array) -> None:
        self.motions = motions
        self.Y = constant(X_C, motions.S) @ motions.pose(axes)
        self.one, self.two = BodyMotion(motions, body1), BodyMotion(motions, body2)
        self.c = BodyMotion(motions, axes)
        self.G = self.two.S - self.one.S
        self.w = self._relative("v")
        self.alpha = self._relative("a") - motion_cross(self.c.v, self.w)

    def _relative(self, name: str) -> Any:
        return getattr(self.two, name) - getattr(self.one, name)

    def in_C(self, x: Array, behind: int = 1) -> Array:
        """Transform vectors (..., 6, n) or (..., 6, n, n) from the axes of the base to C."""
        return applied(self.Y, x, behind)

    @functools.cached_property
    def G_q(self) -> Array:
        """Entries [:, k, l] are the derivative of column k of the Jacobian G with respect to q_l.

        They are ``s S_l x G_k`` with ``s = [joint l carries joint k] - [joint l carries body c]``,
        where a bracket is 1 if the statement holds and else 0.
        """
        m = self.motions
        turn = motion_cross(second(m.S), first(self.G), 2)
        return (m.below - second(self.c.moves)) * turn

    @functools.cached_property
    def _alpha_l(self) -> Array:
        """Derivative of the relative acceleration A with respect to q_l, in axes at rest."""
        turn = motion_cross(self.c.v_q, self.w) + motion_cross(self.c.v, self._relative("v_q"))
        return self._relative("a_q") - turn

    @functools.cached_property
    def alpha_q(self) -> Array:
        """Derivative of the relative acceleration alpha with respect to q."""
        return self._alpha_l - motion_cross(self.c.S, self.alpha)

    @functools.cached_property
    def w_q(self) -> Array:
        """Derivative of the relative velocity w with respect to q."""
        return self._relative("v_q") - motion_cross(self.c.S, self.w)

    @functools.cached_property
    def alpha_qd(self) -> Array:
        """Derivative of the relative acceleration alpha with respect to qd."""
        turn = motion_cross(self.c.S, self.w) + motion_cross(self.c.v, self.G)
        return self._relative("a_v") - turn

    @functools.cached_property
    def alpha_qq(self) -> Array:
        """Second derivative of the relative acceleration alpha with respect to q."""
        c, w, A = self.c, first(self.w), first(self.alpha)
        v_q, S = self._relative("v_q"), c.S
        A_lm = self._relative("a_qq") - (
            motion_cross(c.v_qq, w, 2)
            + motion_cross(first(c.v_q), second(v_q), 2)
            + motion_cross(second(c.v_q), first(v_q), 2)
            + motion_cross(first(c.v), self._relative("v_qq"), 2)
        )
        S_q = first(c.moves) * self.motions.S_q
        return (
            A_lm
            - motion_cross(S_q, A, 2)
            - motion_cross(first(S), second(self._alpha_l), 2)
            - motion_cross(second(S), first(self._alpha_l), 2)
            + motion_cross(second(S), motion_cross(first(S), A, 2), 2)
        )

    @functools.cached_property
    def alpha_qv(self) -> Array:
        """Derivative of the relative acceleration alpha with respect to q_l and qd_m."""
        c, w = self.c, first(self.w)
        A_lm = self._relative("a_qv") - (
            motion_cross(c.v_qv, w, 2)
            + motion_cross(first(c.v_q), second(self.G), 2)
            + motion_cross(second(c.S), first(self._relative("v_q")), 2)
            + motion_cross(first(c.v), self._relative("v_qv"), 2)
        )
        return A_lm - motion_cross(first(c.S), second(self.alpha_qd), 2)

    @functools.cached_property
    def alpha_vv(self) -> Array:
        """Second derivative of the relative acceleration alpha with respect to qd."""
        S, G = self.c.S, self.G
        turn = motion_cross(first(S), second(G), 2) + motion_cross(second(S), first(G), 2)
        return self._relative("a_vv") - turn

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative of the Jacobian ``J = Y G`` in coordinates of C with respect
        to q, summed over its rows with weights: entry [k, l, m] is
        ``sum_c weight_c d2J_ck / (dq_l dq_m)``.
        """
        xp, m, c = namespace(self.G, weight), self.motions, self.c.moves
        f = xp.matrix_transpose(self.Y) @ column(weight)
        push = uncolumn(crf(column(xp.matrix_transpose(m.S))) @ f[..., None, :, :])
        push = xp.matrix_transpose(push)
        turns = motion_cross(second(m.S), first(m.S), 2)
        S_q = m.S_q
        carried = contract(push, S_q) - xp.moveaxis(contract(push, S_q), -3, -2)
        seen = c * xp.moveaxis(contract(push, turns), -3, -1)
        ends = self.two.moves - self.one.moves
        return ends[:, None, None] * (m.below - second(c))[..., None] * (carried + seen)
