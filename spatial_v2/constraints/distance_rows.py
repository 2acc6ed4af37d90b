"""The row of a distance constraint, and its derivatives."""

from __future__ import annotations

import functools
from typing import Protocol

import numpy as np

from spatial_v2.arrays import Array, constant, namespace, uncolumn
from spatial_v2.constraints.half_square import HalfSquare
from spatial_v2.constraints.point_end import PointEnd, reach_of_points
from spatial_v2.constraints.vectors import contract, first, second

__all__ = ["DistanceRows"]


class _Placed(Protocol):
    @property
    def distance(self) -> Array | None:
        """The distance that the constraint maintains."""

    def check_place(self) -> None:
        """Raise an error if no distance is given."""


class DistanceRows(HalfSquare):
    """The row of a distance constraint in a state.

    With the length ``l = sqrt(2 rho)``, the row has velocity ``w = sigma / l`` and acceleration
    ``alpha = tau / l - sigma^2 / l^3``. Their derivatives follow by the chain rule.

    Parameters
    ----------
    of
        The constraint, which has the distance.
    one, two : PointEnd
        Motions of point 1 and point 2.
    """

    def __init__(self, of: _Placed, one: PointEnd, two: PointEnd) -> None:
        super().__init__(one, two)
        self.of, self.length = of, namespace(self.rho).sqrt(2 * self.rho)

    @functools.cached_property
    def _by(self) -> dict[str, Array]:
        """First and second partial derivatives of the acceleration alpha with respect to rho (r),
        sigma (s) and tau (t).
        """
        x = 1 / self.length
        s, t, x3 = self.sigma, self.tau, x**3
        return {
            "t": x, "s": -2 * s * x3, "r": -t * x3 + 3 * s * s * x3 * x**2,
            "tr": -x3, "ss": -2 * x3, "sr": 6 * s * x3 * x**2,
            "rr": 3 * t * x3 * x**2 - 15 * s * s * x3 * x**4,
        }  # fmt: skip

    def get(self, name: str) -> Array:
        """Return a quantity by name: velocity ``w``, acceleration ``alpha``, Jacobian ``G`` or a
        derivative of them.

        Names are those of the attributes of `PointEnd`.
        """
        value: Array = getattr(self, f"_{name}")
        return value

    @property
    def _w(self) -> Array:
        return self.sigma / self.length

    @property
    def _alpha(self) -> Array:
        return self.tau / self.length - self.sigma * self.sigma / self.length**3

    @functools.cached_property
    def _G(self) -> Array:
        return self.rho_l / self.length

    @property
    def _w_q(self) -> Array:
        return self.sigma_l / self.length - self.sigma * self.rho_l / self.length**3

    @property
    def _G_q(self) -> Array:
        both = first(self.rho_l) * second(self.rho_l)
        return self.rho_lm / first(self.length) - both / first(self.length) ** 3

    @property
    def _alpha_q(self) -> Array:
        d = self._by
        return d["t"] * self.tau_l + d["s"] * self.sigma_l + d["r"] * self.rho_l

    @property
    def _alpha_qd(self) -> Array:
        return self._by["t"] * self.tau_v + self._by["s"] * self.rho_l

    @property
    def _alpha_qq(self) -> Array:
        d = {name: first(x) for name, x in self._by.items()}
        r, s, t = self.rho_l, self.sigma_l, self.tau_l
        return (
            d["t"] * self.tau_lm + d["s"] * self.sigma_lm + d["r"] * self.rho_lm
            + d["tr"] * _both(t, r) + d["ss"] * _both(s, s) / 2
            + d["sr"] * _both(s, r) + d["rr"] * _both(r, r) / 2
        )  # fmt: skip

    @property
    def _alpha_qv(self) -> Array:
        d = {name: first(x) for name, x in self._by.items()}
        r, s, t = self.rho_l, self.sigma_l, self.tau_v
        T = namespace(r).matrix_transpose
        return (
            d["t"] * self.tau_lv + d["s"] * T(self.rho_lm)
            + d["tr"] * first(r) * second(t) + d["ss"] * first(s) * second(r)
            + d["sr"] * first(r) * second(r)
        )  # fmt: skip

    @property
    def _alpha_vv(self) -> Array:
        both = first(self.rho_l) * second(self.rho_l)
        return first(self._by["t"]) * self.tau_vv + first(self._by["ss"]) * both

    def G_qq(self, weight: Array) -> Array:
        """Return the second derivative of the Jacobian G with respect to q times a weight (..., 1):
        entry [k, l, m] is ``weight d2G_k / (dq_l dq_m)``.
        """
        xp, r, J, G_q = namespace(weight, self.J), self.rho_l, self.J, self._part("G_q")
        bent = contract(J, G_q)
        rho = self.two.G_qq(uncolumn(self.r)) - self.one.G_qq(uncolumn(self.r))
        rho = rho + bent + xp.moveaxis(bent, -3, -2) + xp.moveaxis(bent, -3, -1)
        x = (1 / self.length)[..., None]
        r1, pairs = r[..., 0, :], self.rho_lm[..., 0, :, :]
        thrice = (
            pairs[..., :, :, None] * r1[..., None, None, :]
            + pairs[..., :, None, :] * r1[..., None, :, None]
            + pairs[..., None, :, :] * r1[..., :, None, None]
        )
        cube = r1[..., :, None, None] * r1[..., None, :, None] * r1[..., None, None, :]
        return weight[..., None, None] * (rho * x - thrice * x**3 + 3 * cube * x**5)

    @property
    def reach(self) -> np.ndarray:
        """Upper bound (..., 1) of the squared length of the row of the Jacobian G; see
        `Rows.sizes`.
        """
        T = namespace(self.r).matrix_transpose
        return reach_of_points(T(self.r) / self.length, (self.one, self.two))

    @property
    def e(self) -> Array:
        """Position error: distance of the points minus the constant distance; one column."""
        self.of.check_place()
        return self.length - constant(self.of.distance, self.length)

    @property
    def e_q(self) -> Array:
        """Derivatives of the position error with respect to q: the Jacobian of the constraint."""
        return self._G

    @property
    def e_qq(self) -> Array:
        """Second derivatives of the position error with respect to q: the derivatives of the
        Jacobian.
        """
        return self._G_q


def _both(x: Array, y: Array) -> Array:
    """Symmetric products ``x_l y_m + x_m y_l``."""
    return first(x) * second(y) + second(x) * first(y)
