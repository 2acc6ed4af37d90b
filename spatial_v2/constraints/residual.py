"""The accelerations of rows less the wanted ones: zero, or those that pull errors back."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np

from spatial_v2.arrays import Array, constant, namespace
from spatial_v2.constraints.kkt import KKT
from spatial_v2.constraints.rank import Rank

__all__ = ["Gains", "Residual", "Wanted"]


class Gains(NamedTuple):
    """Baumgarte stabilisation: the rows get the acceleration ``-Kd w - Kp e``."""

    Kp: np.ndarray
    """Gains (m,) of the position error [1/s^2]."""
    Kd: np.ndarray
    """Gains (m,) of the velocity [1/s]."""


Wanted: TypeAlias = tuple[Any, Any] | None
"""Gains (Kp, Kd), arrays of one number for each row, or None."""


class Residual:
    """``alpha + Kd w + Kp e`` of rows in a state, its derivatives, and the equations of a motion.

    Names end in the variables of derivatives, _q and _qd, or two of them, v being qd. Attributes
    that `Rows` has are those of the rows.
    """

    gains: Gains | None
    """The gains of the errors; None for rows whose acceleration is to be zero."""
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
        """The rows in the same configuration at rest, with other accelerations and no gains."""
        raise NotImplementedError

    @property
    def sizes(self) -> np.ndarray | None:
        """Squared lengths of the rows over those that they could have; see `Rows`."""
        raise NotImplementedError

    @property
    def motion(self) -> Array:
        """The velocities qd of the state."""
        raise NotImplementedError

    def _gain(self, k: int, axes: int) -> Array:
        """Kp (k = 0) or Kd with the given number of axes after that of the rows."""
        assert self.gains is not None
        return constant(self.gains[k][(slice(None), *[None] * axes)], self.like)

    def _errors(self, name: str, axes: int) -> Array:
        """``Kp e`` or a derivative of it; e is not asked for where no gain wants it."""
        assert self.gains is not None
        return self._gain(0, axes) * getattr(self, name) if self.gains.Kp.any() else 0.0

    @property
    def residual(self) -> Array:
        """``alpha + Kd w + Kp e``, one column."""
        if self.gains is None:
            return self.alpha
        return self.alpha + self._gain(1, 1) * self.w + self._errors("e", 1)

    @property
    def residual_q(self) -> Array:
        """Derivatives along q."""
        if self.gains is None:
            return self.alpha_q
        return self.alpha_q + self._gain(1, 1) * self.w_q + self._errors("e_q", 1)

    @property
    def residual_qd(self) -> Array:
        """Derivatives with respect to qd."""
        return self.alpha_qd if self.gains is None else self.alpha_qd + self._gain(1, 1) * self.G

    @property
    def residual_qq(self) -> Array:
        """Second derivatives along q; w has those of alpha at rest, with qd as acceleration."""
        if self.gains is None:
            return self.alpha_qq
        rate = self._gain(1, 2) * self.at_rest(self.motion).alpha_qq
        return self.alpha_qq + rate + self._errors("e_qq", 2)

    @property
    def residual_qv(self) -> Array:
        """Derivatives along q, then with respect to qd."""
        if self.gains is None:
            return self.alpha_qv
        return self.alpha_qv + self._gain(1, 2) * namespace(self.like).matrix_transpose(self.G_q)

    @property
    def residual_vv(self) -> Array:
        """Second derivatives with respect to qd."""
        return self.alpha_vv

    def second(self, weight: Array) -> tuple[Array, Array, Array]:
        """Second derivatives of ``weight . residual``: along q, mixed, with respect to qd."""
        tensors = self.residual_qq, self.residual_qv, self.residual_vv
        qq, qv, vv = (_weighted(x, weight) for x in tensors)
        return qq, qv, vv

    def pushed(self, weight: Array) -> Array:
        """Derivatives [k, l] of ``(G^T weight)_k`` along q_l at constant weight."""
        return _weighted(self.G_q, weight)

    def first(self, kkt: KKT, G_q_lambda: Array, ID_q: Array, ID_qd: Array) -> list[Array]:
        """Derivatives of qdd, then of lambda, along q, qd and tau, for independent rows."""
        one = constant(np.eye(ID_q.shape[-1]), ID_q)
        (P, L), (Q, Lv), (U, Lt) = kkt.each(
            (G_q_lambda - ID_q, -self.residual_q), (-ID_qd, -self.residual_qd), (one, 0 * self.G)
        )
        return [P, Q, U, L, Lv, Lt]

    def kkt(self, H: Array, damping: float = 0.0, rank: Rank = "raise", quiet: bool = False) -> KKT:
        """The KKT matrix of these rows."""
        return KKT(H, self.G, damping, rank, self.m, self.sizes, quiet=quiet)


def _weighted(tensor: Array, weight: Array) -> Array:
    """``sum_c weight[c] tensor[c, k, l]``."""
    return namespace(tensor, weight).sum(tensor * weight[..., :, None, None], axis=-3)
