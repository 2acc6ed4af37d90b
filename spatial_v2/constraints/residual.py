"""Residual of constraint rows: their acceleration minus the one that Baumgarte gains ask for."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.constraints.kkt import KKT, Scales
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.rank_texts import Named

__all__ = ["Gains", "Residual", "Wanted"]


class Gains(NamedTuple):
    """Gains of Baumgarte stabilisation: rows with velocity w and position error e get
    ``a* = -Kd w - Kp e``.
    """

    Kp: np.ndarray
    """Gains (m,) of the position errors e [1/s^2]."""
    Kd: np.ndarray
    """Gains (m,) of the velocities w [1/s]."""


Wanted: TypeAlias = tuple[Any, Any] | None
"""Gains (Kp, Kd), arrays of one number for each row, or None."""


class Residual:
    """The residual ``alpha - a* = alpha + Kd w + Kp e`` of constraint rows, and its derivatives.

    w is the velocity of the rows, alpha their acceleration and e their position error; a* is the
    desired acceleration and Kp, Kd the gains. Suffixes name the variables of derivatives: _q and
    _qd, and for second derivatives _qq, _qv and _vv with v for qd. The subclasses define w, alpha,
    the Jacobian G and their derivatives; see `Rows`.
    """

    gains: Gains | None
    """Gains of the errors; None if the desired acceleration is zero."""
    like: Array
    m: list[int]
    alpha: Array
    alpha_q: Array
    alpha_qd: Array
    alpha_qq: Array
    alpha_qv: Array
    alpha_vv: Array
    w: Array
    w_q: Array
    G: Array
    G_q: Array

    def at_rest(self, qdd: Array) -> Residual:
        """Return the rows in the same configuration, at zero velocity, with other accelerations."""
        raise NotImplementedError

    @property
    def sizes(self) -> np.ndarray | None:
        """Squared lengths of the rows of the Jacobian G relative to upper bounds;
        see `Rows.sizes`.
        """
        raise NotImplementedError

    @property
    def least_pivots(self) -> np.ndarray | None:
        """Sizes up to which pivots of the inertia matrix are rounding errors; see
        `Rows.least_pivots`.
        """
        raise NotImplementedError

    @property
    def distances(self) -> np.ndarray | None:
        """The distance that a unit of each velocity variable stands for; see
        `model.scale.distances`.
        """
        raise NotImplementedError

    @property
    def motion(self) -> Array:
        """The joint velocities qd of the state."""
        raise NotImplementedError

    @property
    def named(self) -> Named:
        """Names of constraints and joints, for messages."""
        raise NotImplementedError

    def _gain(self, k: int, axes: int) -> Array:
        """Return Kp (k = 0) or Kd (k = 1) with as many axes appended as `axes` says, for
        broadcasting.
        """
        assert self.gains is not None
        return constant(self.gains[k][(slice(None), *[None] * axes)], self.like)

    def _errors(self, name: str, axes: int) -> Array:
        """Return gain times position error, ``Kp e``, or a derivative of it; the error is not
        computed if Kp is zero.
        """
        assert self.gains is not None
        return self._gain(0, axes) * getattr(self, name) if self.gains.Kp.any() else 0.0

    @property
    def residual(self) -> Array:
        """The residual ``alpha + Kd w + Kp e`` of acceleration alpha, velocity w and position error
        e; one column.
        """
        if self.gains is None:
            return self.alpha
        return self.alpha + self._gain(1, 1) * self.w + self._errors("e", 1)

    @property
    def residual_q(self) -> Array:
        """Derivatives of the residual with respect to q."""
        if self.gains is None:
            return self.alpha_q
        return self.alpha_q + self._gain(1, 1) * self.w_q + self._errors("e_q", 1)

    @property
    def residual_qd(self) -> Array:
        """Derivatives of the residual with respect to qd."""
        return self.alpha_qd if self.gains is None else self.alpha_qd + self._gain(1, 1) * self.G

    @property
    def residual_qq(self) -> Array:
        """Second derivatives of the residual with respect to q.

        The second derivatives of the velocity w are those of the acceleration alpha at zero
        velocity, with qd in place of qdd.
        """
        if self.gains is None:
            return self.alpha_qq
        rate = self._gain(1, 2) * self.at_rest(self.motion).alpha_qq
        return self.alpha_qq + rate + self._errors("e_qq", 2)

    @property
    def residual_qv(self) -> Array:
        """Second derivatives of the residual with respect to q and qd."""
        if self.gains is None:
            return self.alpha_qv
        return self.alpha_qv + self._gain(1, 2) * namespace(self.like).matrix_transpose(self.G_q)

    @property
    def residual_vv(self) -> Array:
        """Second derivatives of the residual with respect to qd."""
        return self.alpha_vv

    def second(self, weight: Array) -> tuple[Array, Array, Array]:
        """Compute second derivatives of the weighted sum ``weight . residual``: with respect to
        (q, q), (q, qd) and (qd, qd).
        """
        tensors = self.residual_qq, self.residual_qv, self.residual_vv
        qq, qv, vv = (_weighted(x, weight) for x in tensors)
        return qq, qv, vv

    def pushed(self, weight: Array) -> Array:
        """Return the derivatives of the joint forces ``G^T weight`` for constant weights of the
        rows: entry [k, l] is the derivative of ``(G^T weight)_k`` with respect to q_l.
        """
        return _weighted(self.G_q, weight)

    def first(self, kkt: KKT, G_q_lambda: Array, ID_q: Array, ID_qd: Array) -> list[Array]:
        """Compute the derivatives of qdd with respect to q, qd and tau, then those of the
        multipliers lambda, for independent rows.
        """
        one = constant(np.eye(ID_q.shape[-1]), ID_q)
        (P, L), (Q, Lv), (U, Lt) = kkt.each(
            (G_q_lambda - ID_q, -self.residual_q), (-ID_qd, -self.residual_qd), (one, 0 * self.G)
        )
        return [P, Q, U, L, Lv, Lt]

    def kkt(self, H: Array, damping: float = 0.0, rank: Rank = "raise", quiet: bool = False) -> KKT:
        """Return the KKT equations with the Jacobian of these constraint rows."""
        scales = Scales(self.sizes, self.distances, self.least_pivots)
        return KKT(H, self.G, damping, rank, self.named, scales, quiet)


def _weighted(tensor: Array, weight: Array) -> Array:
    """Contract the first axis of a tensor with weights: ``sum_c weight[c] tensor[c, k, l]``."""
    return namespace(tensor, weight).sum(tensor * weight[..., :, None, None], axis=-3)
