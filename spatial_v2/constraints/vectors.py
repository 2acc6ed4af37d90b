"""Products of motion vectors and three-vectors whose components are not on the last axis.

Vectors of n variables are an array (..., 6, n) or (..., 3, n), vectors of pairs of variables an
array (..., 6, n, n). The argument `behind` is the number of these last axes, 1 or 2. x[l] is the
vector of variable l, x[l, m] that of a pair.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.arrays import Array, namespace, real_part

__all__ = [
    "ang",
    "applied",
    "contract",
    "cross",
    "first",
    "lin",
    "motion_cross",
    "second",
    "squared_reach",
]


def _rows(x: Array, begin: int, end: int, behind: int) -> Array:
    return x[(..., slice(begin, end), *[slice(None)] * behind)]


def ang(x: Array, behind: int = 1) -> Array:
    """Return the angular parts of motion vectors with `behind` axes after their components."""
    return _rows(x, 0, 3, behind)


def lin(x: Array, p: Array, behind: int = 1) -> Array:
    """Return the velocities at points p (..., 3, 1, ...) of motions x: ``x_lin + x_ang x p``."""
    return _rows(x, 3, 6, behind) + cross(ang(x, behind), p, behind)


def cross(a: Array, b: Array, behind: int = 1) -> Array:
    """Return the cross products a x b of three-vectors."""
    a0, a1, a2 = (_rows(a, k, k + 1, behind) for k in range(3))
    b0, b1, b2 = (_rows(b, k, k + 1, behind) for k in range(3))
    parts = [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    return namespace(a, b).concat(parts, axis=-1 - behind)


def motion_cross(a: Array, b: Array, behind: int = 1) -> Array:
    """Return the spatial cross products a x b of motion vectors."""
    wa, wb = ang(a, behind), ang(b, behind)
    va, vb = _rows(a, 3, 6, behind), _rows(b, 3, 6, behind)
    low = cross(wa, vb, behind) + cross(va, wb, behind)
    return namespace(a, b).concat([cross(wa, wb, behind), low], axis=-1 - behind)


def applied(A: Array, x: Array, behind: int = 1) -> Array:
    """Return the products A x of a matrix A (..., m, d) with vectors x (..., d, n[, n])."""
    if behind == 1:
        return A @ x
    xp = namespace(A, x)
    y = A @ xp.reshape(x, (*x.shape[:-2], x.shape[-2] * x.shape[-1]))
    return xp.reshape(y, (*y.shape[:-1], *x.shape[-2:]))


def first(x: Array) -> Array:
    """Append an axis, so that x[l] broadcasts over m in arrays of pairs [l, m]."""
    return x[..., :, None]


def second(x: Array) -> Array:
    """Insert an axis, so that x[m] broadcasts over l in arrays of pairs [l, m]."""
    return x[..., None, :]


def contract(x: Array, y: Array) -> Array:
    """Return ``sum_c x[c, k] y[c, l, m]`` as an array (..., k, l, m)."""
    xp = namespace(x, y)
    n, m = y.shape[-2:]
    flat = xp.matrix_transpose(x) @ xp.reshape(y, (*y.shape[:-2], n * m))
    return xp.reshape(flat, (*flat.shape[:-1], n, m))


def squared_reach(Y: Array, S: Array, length: float) -> np.ndarray:
    """Return upper bounds ``sum_l |y|^2 |s_l|^2`` of the squared lengths of the rows of ``Y S``,
    with y a row of Y and s_l a column of S.

    Y (..., m, 6) has forces as rows, S (..., 6, n) has motions as columns. Couples are divided by
    the robot's own `length`, and rotations multiplied by it, so that the bound does not depend on
    the unit of length.
    """
    unit = np.array([length] * 3 + [1.0] * 3)
    y, s = np.asarray(real_part(Y)) / unit, np.asarray(real_part(S)) * unit[:, None]
    return np.asarray((y * y).sum(axis=-1) * (s * s).sum(axis=(-2, -1))[..., None])
