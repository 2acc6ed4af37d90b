"""Derivatives of the exponential and logarithm of rotations and poses, to second order.

J(x) is the right Jacobian of the exponential, ``exp(x + b) = exp(x) exp(J b + ...)``; K(x) is its
inverse; X(x) = Ad(exp(-x)) transforms displacements before the motion exp(x) to displacements after
it. This file has J, K, X, and derivatives of J and K. For a rotation vector w, all of them are
matrices ``M(w) = 1 + a(s) W + b(s) W^2`` with ``W = skew(w)`` and ``s = w . w``. By the principle
of transference a twist [w; v] is the dual rotation vector ``w + eps v`` with ``eps^2 = 0``, and its
matrix is ``[M, 0; M_v, M]``, where M_v is the derivative of M(w) in the direction v. Selig,
"Geometric Fundamentals of Robotics" (2005).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.arrays import Array, block, combination, constant, namespace
from spatial_v2.arrays.entire_derivatives import entire_derivatives, quotient_derivatives
from spatial_v2.spatial import crm
from spatial_v2.three_d import cross_matrix

__all__ = [
    "Matrix",
    "bracket",
    "bracket_form",
    "bracket_tensor",
    "exponential",
    "exponential_derivatives",
    "logarithm",
    "logarithm_derivatives",
    "transport",
]

_E = np.array([cross_matrix(e) for e in np.eye(3)])
"""The cross matrices ``E_k = skew(e_k)`` of the unit vectors e_k."""
_EE = _E[:, None] @ _E + _E @ _E[:, None]
"""``E_k E_l + E_l E_k`` for the cross matrices ``E_k = skew(e_k)`` of the unit vectors."""

_BRACKETS = {
    n: np.array([crm(e) for e in np.eye(6)]).transpose(1, 0, 2)[:n, :n, :n] for n in (3, 6)
}

Coefficient = tuple[Array, Array, Array]
"""A function of ``s = w . w``, its first and its second derivative, arrays (..., 1, 1)."""


class Matrix(NamedTuple):
    """Coefficients a, b of a matrix ``M = 1 + a W + b W^2`` with W the cross matrix of a rotation
    vector.
    """

    a: Coefficient
    b: Coefficient


def _dot(w: Array, v: Array) -> Array:
    """Return ``w . v`` with shape (..., 1, 1), to multiply matrices."""
    return namespace(w).sum(w * v, axis=-1, keepdims=True)[..., None]


def transport(x: Array) -> Array:
    """Return the matrix ``X = Ad(exp(-x))`` (..., n, n) of displacements, for rotation vectors x
    (..., 3) or twists (..., 6).
    """
    f = entire_derivatives(_dot(x[..., :3], x[..., :3]))
    minus = -f["sinc"][0], -f["sinc"][1], -f["sinc"][2]
    return _matrix(Matrix(minus, f["cosc"]), x)


def exponential(x: Array) -> Array:
    """Return the right Jacobian J(x) of the exponential, shape (..., n, n), n = 3 or 6."""
    return _matrix(_exponential(x), x)


def exponential_derivatives(x: Array) -> Array:
    """Return the derivatives of J(x) of `exponential`, shape (..., n, n, n): entry [i, j, k] is the
    derivative of J_ij with respect to x_k.
    """
    return _derivatives(_exponential(x), x)


def logarithm(x: Array) -> Array:
    """Return K(x), the inverse of the right Jacobian of the exponential, shape (..., n, n), for
    rotations by at most pi.
    """
    return _matrix(_logarithm(x), x)


def logarithm_derivatives(x: Array) -> Array:
    """Return the derivatives of K(x) of `logarithm`, shape (..., n, n, n): entry [i, j, k] is the
    derivative of K_ij with respect to x_k.
    """
    return _derivatives(_logarithm(x), x)


def bracket(y: Array) -> Array:
    """Return the matrix ad(y) (..., n, n) of the Lie bracket: ``ad(y) z = [y, z]``."""
    return combination(y, _BRACKETS[y.shape[-1]].transpose(1, 0, 2))


def bracket_form(p: Array) -> Array:
    """Return the matrix B (..., n, n) with ``y . B z = p . [y, z]`` for all y and z, where [y, z]
    is the Lie bracket.
    """
    return combination(p, _BRACKETS[p.shape[-1]])


def bracket_tensor(like: Array) -> Array:
    """Return the structure constants c (n, n, n) of the Lie bracket, ``[y, z]_i = y . c[i] z``, as
    an array of the kind of `like`, whose last axis has length n.
    """
    return constant(_BRACKETS[like.shape[-1]], like)


def _exponential(x: Array) -> Matrix:
    f = entire_derivatives(_dot(x[..., :3], x[..., :3]))
    minus = -f["cosc"][0], -f["cosc"][1], -f["cosc"][2]
    return Matrix(minus, f["sincc"])


def _logarithm(x: Array) -> Matrix:
    c = quotient_derivatives(_dot(x[..., :3], x[..., :3]))
    zero = 0 * c[0]
    return Matrix(((zero + 1) / 2, zero, zero), c)


def _matrix(m: Matrix, x: Array) -> Array:
    """Return the matrix M(x) with coefficients `m`, for rotation vectors x (..., 3) or twists (...,
    6).
    """
    w = x[..., :3]
    W = cross_matrix(w)
    M = constant(np.eye(3), w) + m.a[0] * W + m.b[0] * (W @ W)
    if x.shape[-1] == 3:
        return M
    v = x[..., 3:]
    return block((M, 0 * M), (_along(m, w, v), M))


def _along(m: Matrix, w: Array, v: Array) -> Array:
    """Return the derivative of the matrix M(w) with coefficients `m` in the direction v."""
    W, V, wv = cross_matrix(w), cross_matrix(v), 2 * _dot(w, v)
    rate = wv * m.a[1] * W + wv * m.b[1] * (W @ W)
    return rate + m.a[0] * V + m.b[0] * (W @ V + V @ W)


def _derivatives(m: Matrix, x: Array) -> Array:
    """Return the derivatives of the matrix M(x) with respect to the entries of x, along a new last
    axis.
    """
    xp, w = namespace(x), x[..., :3]
    M_w = _by_axis(m, w)
    if x.shape[-1] == 3:
        return xp.moveaxis(M_w, -3, -1)
    zero = 0 * M_w
    by_w = block((M_w, zero), (_by_axis_along(m, w, x[..., 3:]), M_w))
    by_v = block((zero, zero), (M_w, zero))
    return xp.moveaxis(xp.concat([by_w, by_v], axis=-3), -3, -1)


def _by_axis(m: Matrix, w: Array) -> Array:
    """Return the derivatives of the matrix M(w) with respect to w_k, shape (..., k, 3, 3)."""
    W = cross_matrix(w)[..., None, :, :]
    E, w_k = constant(_E, w), 2 * w[..., :, None, None]
    a, b = ([c[..., None] for c in coefficients] for coefficients in m)
    return w_k * (a[1] * W + b[1] * (W @ W)) + a[0] * E + b[0] * (E @ W + W @ E)


def _by_axis_along(m: Matrix, w: Array, v: Array) -> Array:
    """Return the derivatives with respect to w_k of M_v, the derivative of M(w) in the direction v,
    shape (..., k, 3, 3).
    """
    W, V = (cross_matrix(y)[..., None, :, :] for y in (w, v))
    E, w_k, v_k = constant(_E, w), 2 * w[..., :, None, None], 2 * v[..., :, None, None]
    wv = 2 * _dot(w, v)[..., None]
    a, b = ([c[..., None] for c in coefficients] for coefficients in m)
    WW, WV, EW = W @ W, W @ V + V @ W, E @ W + W @ E
    of_s = v_k * (a[1] * W + b[1] * WW) + w_k * (a[1] * V + b[1] * WV)
    bent = w_k * wv * (a[2] * W + b[2] * WW) + wv * (a[1] * E + b[1] * EW)
    return of_s + bent + b[0] * combination(v, _EE)
