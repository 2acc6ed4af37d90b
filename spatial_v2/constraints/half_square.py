"""Half the squared distance of two points, its rates, and their derivatives."""

from __future__ import annotations

import functools
from typing import Any

from spatial_v2.arrays import Array, namespace
from spatial_v2.constraints.point_end import PointEnd
from spatial_v2.constraints.vectors import first, second

__all__ = ["HalfSquare"]


class HalfSquare:
    """Half the squared distance of two points, ``rho = r . r / 2``, and its rates, in a state.

    The vector r leads from point 1 to point 2; u and a are its first and second time derivatives.
    The time derivatives of rho are ``sigma = r . u`` and ``tau = r . a + u . u``. Suffixes name the
    variables of derivatives: _l and _m stand for q_l and q_m, _v for qd.

    Parameters
    ----------
    one, two : PointEnd
        Motions of point 1 and point 2.
    """

    def __init__(self, one: PointEnd, two: PointEnd) -> None:
        self.one, self.two = one, two
        self.r, self.u, self.a = two.p - one.p, self._part("w"), self._part("alpha")
        self.J = self._part("G")
        self.rho = self._dot(self.r, self.r) / 2
        self.sigma = self._dot(self.r, self.u)
        self.tau = self._dot(self.r, self.a) + self._dot(self.u, self.u)

    def _part(self, name: str) -> Any:
        return getattr(self.two, name) - getattr(self.one, name)

    def _dot(self, x: Array, y: Array) -> Array:
        """Dot products (..., 1, n) of vectors (..., 3, 1) and (..., 3, n)."""
        return namespace(x, y).sum(x * y, axis=-2, keepdims=True)

    def _dots(self, x: Array, y: Array) -> Array:
        """Dot products (..., 1, n, n) of arrays that broadcast to (..., 3, n, n)."""
        return namespace(x, y).sum(x * y, axis=-3, keepdims=True)

    def _along(self, x: Array, name: str) -> Array:
        """Dot products of x (..., 3, 1) with the second derivatives (..., 3, n, n) that `name`
        selects: those of r, u or a.
        """
        return self._dots(first(x), self._part(name))

    def _pairs(self, x: Array, y: Array) -> Array:
        """Symmetric dot products ``x_l . y_m + x_m . y_l`` for all pairs l, m of variables."""
        return self._dots(first(x), second(y)) + self._dots(second(x), first(y))

    @functools.cached_property
    def rho_l(self) -> Array:
        """Derivative of ``rho = r . r / 2`` along q, which is also that of its rate sigma with
        respect to qd.
        """
        return self._dot(self.r, self.J)

    @functools.cached_property
    def sigma_l(self) -> Array:
        """Derivative of sigma, the first time derivative of rho, with respect to q."""
        return self._dot(self.r, self._part("w_q")) + self._dot(self.u, self.J)

    @functools.cached_property
    def tau_l(self) -> Array:
        """Derivative of tau, the second time derivative of rho, with respect to q."""
        turn = self._dot(self.a, self.J) + 2 * self._dot(self.u, self._part("w_q"))
        return self._dot(self.r, self._part("alpha_q")) + turn

    @functools.cached_property
    def tau_v(self) -> Array:
        """Derivative of tau, the second time derivative of rho, with respect to qd."""
        return self._dot(self.r, self._part("alpha_qd")) + 2 * self._dot(self.u, self.J)

    @functools.cached_property
    def rho_lm(self) -> Array:
        """Second derivative of ``rho = r . r / 2`` with respect to q."""
        return self._along(self.r, "G_q") + self._pairs(self.J, self.J) / 2

    @property
    def sigma_lm(self) -> Array:
        """Second derivative of sigma, the first time derivative of rho, with respect to q."""
        turn = self._pairs(self.J, self._part("w_q"))
        return self._along(self.r, "w_qq") + turn + self._along(self.u, "G_q")

    @property
    def tau_lm(self) -> Array:
        """Second derivative of tau, the second time derivative of rho, with respect to q."""
        w_q = self._part("w_q")
        return (
            self._along(self.r, "alpha_qq")
            + self._pairs(self.J, self._part("alpha_q"))
            + self._along(self.a, "G_q")
            + self._pairs(w_q, w_q)
            + 2 * self._along(self.u, "w_qq")
        )

    @property
    def tau_lv(self) -> Array:
        """Derivative of tau, the second time derivative of rho, with respect to q_l and qd_m."""
        T = namespace(self.J).matrix_transpose
        return (
            self._along(self.r, "alpha_qv")
            + self._dots(first(self.J), second(self._part("alpha_qd")))
            + 2 * self._dots(first(self._part("w_q")), second(self.J))
            + 2 * T(self._along(self.u, "G_q"))
        )

    @property
    def tau_vv(self) -> Array:
        """Derivative of tau, the second time derivative of rho, with respect to qd_l and qd_m."""
        return self._along(self.r, "alpha_vv") + self._pairs(self.J, self.J)
