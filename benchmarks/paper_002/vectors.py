"""Spatial vectors for `benchmarks.paper_002.idsva`: products that write into their last argument.

A transform X is [E 0; B E], as rows of a (6, 6) array.
"""

from __future__ import annotations

import math

import numba as nb

__all__ = [
    "add_transformed",
    "bias",
    "crf",
    "crm",
    "forces_to_parent",
    "joint",
    "motion_from_parent",
    "motion_to_ground",
    "product",
    "times",
    "to_ground",
]


@nb.njit
def times(A, x, factor, out):  # type: ignore[no-untyped-def]
    """Compute ``factor A x`` for a matrix A (6, 6)."""
    for i in range(6):
        s = 0.0
        for k in range(6):
            s += A[i, k] * x[k]
        out[i] = factor * s


@nb.njit
def cross(a, b, c, first, second, out, at):  # type: ignore[no-untyped-def]
    """Add ``c a[first:] x b[second:]``, of vectors of three entries, to ``out[at:]``."""
    out[at] += c * (a[first + 1] * b[second + 2] - a[first + 2] * b[second + 1])
    out[at + 1] += c * (a[first + 2] * b[second] - a[first] * b[second + 2])
    out[at + 2] += c * (a[first] * b[second + 1] - a[first + 1] * b[second])


@nb.njit
def crm(v, m, out):  # type: ignore[no-untyped-def]
    """Compute ``v x m`` for motion vectors v and m."""
    out[:] = 0.0
    cross(v, m, 1.0, 0, 0, out, 0)
    cross(v, m, 1.0, 0, 3, out, 3)
    cross(v, m, 1.0, 3, 0, out, 3)


@nb.njit
def crf(v, f, out):  # type: ignore[no-untyped-def]
    """Compute ``v x* f`` for a motion vector v and a force f."""
    out[:] = 0.0
    cross(v, f, 1.0, 0, 0, out, 0)
    cross(v, f, 1.0, 3, 3, out, 0)
    cross(v, f, 1.0, 0, 3, out, 3)


@nb.njit
def joint(q, Xtree, X):  # type: ignore[no-untyped-def]
    """Compute the transform X from the parent of a revolute joint about z."""
    c, s = math.cos(q), math.sin(q)
    for k in range(6):
        for b in (0, 3):
            X[b, k] = c * Xtree[b, k] + s * Xtree[b + 1, k]
            X[b + 1, k] = c * Xtree[b + 1, k] - s * Xtree[b, k]
            X[b + 2, k] = Xtree[b + 2, k]


@nb.njit
def product(X, Y, out):  # type: ignore[no-untyped-def]
    """Compute ``X Y`` of two transforms, by blocks."""
    for i in range(3):
        for k in range(3):
            e, b = 0.0, 0.0
            for m in range(3):
                e += X[i, m] * Y[m, k]
                b += X[i + 3, m] * Y[m, k] + X[i, m] * Y[m + 3, k]
            out[i, k], out[i + 3, k + 3], out[i + 3, k], out[i, k + 3] = e, e, b, 0.0


@nb.njit
def motion_from_parent(X, m, out):  # type: ignore[no-untyped-def]
    """Compute ``X m`` for a transform X and a motion vector m."""
    for i in range(3):
        w, v = 0.0, 0.0
        for k in range(3):
            w += X[i, k] * m[k]
            v += X[i + 3, k] * m[k] + X[i, k] * m[k + 3]
        out[i], out[i + 3] = w, v


@nb.njit
def motion_to_ground(X, m, out):  # type: ignore[no-untyped-def]
    """Compute ``X^-1 m`` for a transform X and a motion vector m."""
    for i in range(3):
        w, v = 0.0, 0.0
        for k in range(3):
            w += X[k, i] * m[k]
            v += X[k + 3, i] * m[k] + X[k, i] * m[k + 3]
        out[i], out[i + 3] = w, v


@nb.njit
def forces_to_parent(X, j, F, count):  # type: ignore[no-untyped-def]
    """Replace the first `count` forces in F by ``X[j]^T F``."""
    for m in range(count):
        n0, n1, n2, f0, f1, f2 = F[m, 0], F[m, 1], F[m, 2], F[m, 3], F[m, 4], F[m, 5]
        for i in range(3):
            couple = X[j, 0, i] * n0 + X[j, 1, i] * n1 + X[j, 2, i] * n2
            F[m, i] = couple + X[j, 3, i] * f0 + X[j, 4, i] * f1 + X[j, 5, i] * f2
            F[m, i + 3] = X[j, 0, i] * f0 + X[j, 1, i] * f1 + X[j, 2, i] * f2


@nb.njit
def add_transformed(X, A, out):  # type: ignore[no-untyped-def]
    """Add ``X^T A X`` to `out`, column by column."""
    for k in range(6):
        column(A, X, k, out)


@nb.njit
def to_ground(X, A, out):  # type: ignore[no-untyped-def]
    """Compute ``X^T A X``."""
    out[:] = 0.0
    add_transformed(X, A, out)


@nb.njit
def column(A, X, k, out):  # type: ignore[no-untyped-def]
    """Add column k of ``X^T A X`` to `out`."""
    first = k - k % 3
    for i in range(6):
        s = 0.0
        for m in range(first, 6):
            s += A[i, m] * X[m, k]
        for j in range(6):
            out[j, k] += X[i, j] * s


@nb.njit
def bias(I, v, a, t, B, f):  # type: ignore[no-untyped-def]
    """Compute ``f = I a + v x* I v`` and ``B = (v x* I - I v x + (I v) bar x*) / 2``, with four
    vectors t as workspace.
    """
    times(I, v, 1.0, t[0])
    times(I, a, 1.0, f)
    crf(v, t[0], t[1])
    for k in range(6):
        f[k] += t[1, k]
    for k in range(6):
        t[1, :] = 0.0
        t[1, k] = 1.0
        crm(v, t[1], t[2])
        times(I, t[2], -0.5, t[3])
        crf(v, I[k], t[2])
        for m in range(6):
            B[m, k] = t[3, m] + 0.5 * t[2, m]
        crf(t[1], t[0], t[2])
        for m in range(6):
            B[m, k] += 0.5 * t[2, m]
