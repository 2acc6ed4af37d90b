"""Position errors of frame constraints, from the relative pose of two frames, with derivatives."""

from __future__ import annotations

from typing import Protocol

from spatial_v2.arrays import Array, column, namespace
from spatial_v2.arrays.entire import cotc_derivatives
from spatial_v2.constraints.vectors import ang, applied, cross, first, lin, motion_cross, second
from spatial_v2.three_d import rotation_to_rotation_vector

__all__ = ["FrameError", "LogError", "SineError"]


class FrameError(Protocol):
    """Position error (six entries) of a frame constraint, in the axes of one frame.

    Its derivatives are functions of g (..., 6, NV), the derivative of the relative velocity of the
    frames with respect to qd in these axes, and of g_q (..., 6, NV, NV), the derivative of g with
    respect to q.
    """

    e: Array
    """The error as one column (..., 6, 1)."""

    def e_q(self, g: Array) -> Array:
        """Return the derivatives of the error with respect to q, shape (..., 6, NV)."""

    def e_qq(self, g: Array, g_q: Array) -> Array:
        """Return the second derivatives of the error with respect to q, (..., 6, NV, NV)."""


class SineError:
    """Position error ``[inv_skew(R); p]``: axis times sine of the angle, and displacement.

    The sine vanishes near pi, where this error cannot be used.

    Parameters
    ----------
    R, p : array, shapes (..., 3, 3), (..., 3, 1)
        The pose of one frame in coordinates of the other, in whose axes the error is.
    sign : float
        1 if R and p are the pose of frame 2; -1 if they are the pose of frame 1, which reverses the
        sign of the error and of the relative velocity.
    """

    def __init__(self, R: Array, p: Array, sign: float) -> None:
        xp = namespace(R)
        v = xp.concat([R[..., [2], [1]] - R[..., [1], [2]], R[..., [0], [2]] - R[..., [2], [0]],
                       R[..., [1], [0]] - R[..., [0], [1]]], axis=-1)  # fmt: skip
        self.R, self.p, self.sign = R, p, sign
        self.e = sign * xp.concat([0.5 * column(v), p], axis=-2)

    def e_q(self, g: Array) -> Array:
        """Return the derivatives of the error with respect to q: `_M` applied to the
        columns of g.
        """
        return self._M(g, 1)

    def _M(self, g: Array, n: int) -> Array:
        """Multiply the columns of g by the matrix M that maps relative velocity to the rate of the
        error: ``[(tr(R) - R) g_ang / 2; g_lin - p x g_ang]``, with R, p the relative pose.
        """
        R, p = self.R, self.p
        trace = (R[..., 0, 0] + R[..., 1, 1] + R[..., 2, 2])[(..., *[None] * (n + 1))]
        top = 0.5 * (trace * ang(g, n) - applied(R, ang(g, n), n))
        return namespace(g).concat([top, lin(g, p if n == 1 else first(p), n)], axis=-1 - n)

    def e_qq(self, g: Array, g_q: Array) -> Array:
        """Return the second derivatives of the error with respect to q, by the product rule."""
        R, p, s = self.R, self.p, self.sign
        v = 2 * s * self.e[..., :3, :]
        w, g_w = s * second(ang(g)), first(ang(g))
        trace = -namespace(g).sum(w * first(v), axis=-3, keepdims=True)
        moved = cross(w, first(p), 2) + s * second(g[..., 3:, :])
        top = 0.5 * (trace * g_w - cross(w, first(R @ ang(g)), 2))
        rate = namespace(g).concat([top, -cross(moved, g_w, 2)], axis=-3)
        return rate + self._M(g_q, 2)


class LogError:
    """Position error log6: the twist that moves one frame to the other in one second.

    Let x be this twist and v the velocity of the other frame in these axes. Then ``dx/dt = J v``
    with ``J = 1 - ad / 2 + a ad^2 + b ad^4``, where ``ad y`` is the motion cross product ``x x y``,
    ``a = c - s c'``, ``b = -c'``, c is `cotc` as a function of ``s = phi . phi``, and phi is the
    rotation vector. The arguments are those of `SineError`.
    """

    def __init__(self, R: Array, p: Array, sign: float) -> None:
        xp = namespace(R, p)
        phi = column(rotation_to_rotation_vector(xp.matrix_transpose(R)))
        self.s = xp.sum(phi * phi, axis=-2, keepdims=True)
        self.c, self.c1, self.c2 = cotc_derivatives(self.s)
        turned = cross(phi, p)
        self.x = xp.concat([phi, p - turned / 2 + self.c * cross(phi, turned)], axis=-2)
        self.sign, self.e = sign, sign * self.x
        self.a, self.b = self.c - self.s * self.c1, -self.c1

    def _powers(self, g: Array) -> list[Array]:
        """Return the list g, ``ad g``, ..., ``ad^4 g``, with ad the cross product of motions with
        the twist of the error.
        """
        powers = [g]
        for _ in range(4):
            powers.append(motion_cross(self.x, powers[-1]))
        return powers

    def e_q(self, g: Array) -> Array:
        """Return the derivatives of the error with respect to q: the matrix J times the columns of
        g.
        """
        y = self._powers(g)
        return y[0] - y[1] / 2 + self.a * y[2] + self.b * y[4]

    def e_qq(self, g: Array, g_q: Array) -> Array:
        """Return the second derivatives of the error with respect to q, by the product rule."""
        y, x, d = self._powers(g), first(self.x), self.sign * second(self.e_q(g))
        rate, rates = g_q, [g_q]
        for k in range(4):
            rate = motion_cross(d, first(y[k]), 2) + motion_cross(x, rate, 2)
            rates.append(rate)
        s_m = 2 * namespace(g).sum(first(self.x[..., :3, :]) * d[..., :3, :, :], -3, keepdims=True)
        a, b, s, c2 = (first(z) for z in (self.a, self.b, self.s, self.c2))
        turned = -s_m * c2 * (s * first(y[2]) + first(y[4]))
        return rates[0] - rates[1] / 2 + a * rates[2] + b * rates[4] + turned
