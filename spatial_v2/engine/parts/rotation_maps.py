"""Exponential and logarithm of rotations and poses, with derivatives to second order.

The formulas are those of `joints.groups` and `joints.tangent`. For rotation vectors w they are
matrices ``M = 1 + a(s) W + b(s) W^2`` with ``W = skew(w)`` and ``s = w . w``; for twists [w; v]
they are ``[M, 0; M_v, M]`` with the derivative M_v of M along v.
"""

import math

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.tree import Floats

TRANSPORT, EXPONENTIAL, LOGARITHM = range(3)
TERMS = 14
"""Number of terms of the series, enough for s up to four."""


@part
def family(s: float, f: Floats) -> None:
    """Compute the functions ``f_n = sum_k (-s)^k / (2k + n)!`` for n = 0 .. 8.

    f_1, f_2 and f_3 are sinc, cosc and sincc of `arrays.entire`.
    """
    if s < 4.0:
        for n in (7, 8):
            total = 1.0
            for k in range(n + 2 * TERMS - 2, n - 2, -2):
                total = 1.0 - s * total / ((k + 1) * (k + 2))
            f[n] = total / (5040.0 if n == 7 else 40320.0)
        factor = 720.0
        for n in range(6, -1, -1):
            f[n] = 1.0 / factor - s * f[n + 2]
            factor /= max(n, 1)
    else:
        theta, factor = math.sqrt(s), 1.0
        f[0], f[1] = math.cos(theta), math.sin(theta) / theta
        for n in range(7):
            factor *= max(n, 1)
            f[n + 2] = (1.0 / factor - f[n]) / s


@part
def with_derivatives(f: Floats, n: int, sign: float, y: Floats) -> None:
    """Compute ``sign * f_n``, from f of `family`, and its first two derivatives by s."""
    y[0] = sign * f[n]
    y[1] = sign * (n * f[n + 2] - f[n + 1]) / 2
    y[2] = sign * (n * (n + 2) * f[n + 4] - (2 * n + 1) * f[n + 3] + f[n + 2]) / 4


@part
def coefficients(kind: int, s: float, f: Floats, a: Floats, b: Floats) -> None:
    """Compute the coefficients a and b of a matrix M, with their first two derivatives by s."""
    family(s, f)
    if kind == TRANSPORT:
        with_derivatives(f, 1, -1.0, a)
        with_derivatives(f, 2, 1.0, b)
    elif kind == EXPONENTIAL:
        with_derivatives(f, 2, -1.0, a)
        with_derivatives(f, 3, 1.0, b)
    else:
        with_derivatives(f, 3, 0.5, b)
        with_derivatives(f, 4, 1.0, a)
        top0, top1, top2 = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        with_derivatives(f, 2, 1.0, a)
        b[0] = top0 / a[0]
        b[1] = (top1 - b[0] * a[1]) / a[0]
        b[2] = (top2 - 2 * b[1] * a[1] - b[0] * a[2]) / a[0]
        a[0], a[1], a[2] = 0.5, 0.0, 0.0


@part
def cross(x: Floats, y: Floats, z: Floats) -> None:
    """Compute the cross product z = x x y."""
    z[0] = x[1] * y[2] - x[2] * y[1]
    z[1] = x[2] * y[0] - x[0] * y[2]
    z[2] = x[0] * y[1] - x[1] * y[0]


@part
def matrix(a: float, b: float, w: Floats, M: Floats) -> None:
    """Add a W + b W^2 to M, where W is the cross product matrix of w."""
    s = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        M[i, k] += a * w[j]
        M[i, j] -= a * w[k]
        for l in range(3):
            M[i, l] += b * (w[i] * w[l] - (s if i == l else 0.0))


@part
def matrix_along(da: float, db: float, a: float, b: float, w: Floats, v: Floats, M: Floats) -> None:
    """Add da W + db W^2 + a V + b (W V + V W), the derivative of `matrix` along v, to M."""
    matrix(da, db, w, M)
    matrix(a, 0.0, v, M)
    wv = w[0] * v[0] + w[1] * v[1] + w[2] * v[2]
    for i in range(3):
        for l in range(3):
            M[i, l] += b * (v[i] * w[l] + w[i] * v[l] - (2 * wv if i == l else 0.0))


@part
def weighted(a: Floats, b: Floats, w: Floats, p: Floats, t: Floats, D: Floats) -> None:
    """Add ``d (p . M e_j) / dw_k`` to D[j, k], with M of `matrix`; t is scratch space (2, 3)."""
    cross(p, w, t[0])
    cross(t[0], w, t[1])
    pw = p[0] * w[0] + p[1] * w[1] + p[2] * w[2]
    for j in range(3):
        slope = 2 * (a[1] * t[0, j] + b[1] * t[1, j])
        D[j, (j + 1) % 3] -= a[0] * p[(j + 2) % 3]
        D[j, (j + 2) % 3] += a[0] * p[(j + 1) % 3]
        D[j, j] += b[0] * pw
        for k in range(3):
            D[j, k] += slope * w[k] + b[0] * (w[j] * p[k] - 2 * p[j] * w[k])


@part
def weighted_along(
    a: Floats, b: Floats, w: Floats, v: Floats, p: Floats, t: Floats, D: Floats
) -> None:
    """Add the derivative along v of the result of `weighted` to D; t is scratch space (4, 3)."""
    pw, pv, rate = 0.0, 0.0, 0.0
    for i in range(3):
        pw, pv, rate = pw + p[i] * w[i], pv + p[i] * v[i], rate + 2 * w[i] * v[i]
    cross(p, w, t[0])
    cross(t[0], w, t[1])
    cross(t[0], v, t[2])
    cross(p, v, t[0])
    cross(t[0], w, t[3])
    for j in range(3):
        bent = a[1] * t[0, j] + b[1] * (t[2, j] + t[3, j])
        cross(p, w, t[0])
        slope = a[1] * t[0, j] + b[1] * t[1, j]
        bent += rate * (a[2] * t[0, j] + b[2] * t[1, j])
        cross(p, v, t[0])
        D[j, (j + 1) % 3] -= a[1] * rate * p[(j + 2) % 3]
        D[j, (j + 2) % 3] += a[1] * rate * p[(j + 1) % 3]
        D[j, j] += b[1] * rate * pw + b[0] * pv
        for k in range(3):
            D[j, k] += 2 * (v[k] * slope + w[k] * bent)
            D[j, k] += b[1] * rate * (w[j] * p[k] - 2 * p[j] * w[k])
            D[j, k] += b[0] * (v[j] * p[k] - 2 * p[j] * v[k])


@part
def turn(q: Floats, sign: float, x: Floats, y: Floats) -> None:
    """Rotate the vector x by the quaternion q, or by its inverse if `sign` is -1: ``y = R x``."""
    s = 2.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    w, a, b, c = sign * q[0], q[1], q[2], q[3]
    k0, k1, k2 = b * x[2] - c * x[1], c * x[0] - a * x[2], a * x[1] - b * x[0]
    y[0] = x[0] + s * (w * k0 + b * k2 - c * k1)
    y[1] = x[1] + s * (w * k1 + c * k0 - a * k2)
    y[2] = x[2] + s * (w * k2 + a * k1 - b * k0)
