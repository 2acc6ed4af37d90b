"""Factors L diag(d) L^T of small symmetric matrices, which may be indefinite."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import Six, add, plus, six, store, times
from spatial_v2.engine.tree import Floats

__all__ = ["deflate", "ldl", "ldl_columns", "ldl_solve"]


@part
def ldl(D: Floats, n: int) -> None:
    """Factor the leading n x n block in place: L below the diagonal, 1 / d on it, d L^T above it,
    with a diagonal d.

    Only the lower triangle is read.
    """
    for c in range(n):
        x = D[c, c]
        for k in range(c):
            x -= D[c, k] * D[k, c]
        D[c, c] = 1.0 / x
        for r in range(c + 1, n):
            x = D[r, c]
            for k in range(c):
                x -= D[r, k] * D[k, c]
            D[c, r] = x
            D[r, c] = x * D[c, c]


@inline
def _solve_six(D: Floats, x: Six) -> Six:
    """Solve as `ldl_solve`, for a joint with six degrees of freedom."""
    a, b, c, d, e, f = x
    b -= D[1, 0] * a
    c -= D[2, 0] * a + D[2, 1] * b
    d -= D[3, 0] * a + D[3, 1] * b + D[3, 2] * c
    e -= D[4, 0] * a + D[4, 1] * b + D[4, 2] * c + D[4, 3] * d
    f -= D[5, 0] * a + D[5, 1] * b + D[5, 2] * c + D[5, 3] * d + D[5, 4] * e
    f *= D[5, 5]
    e = D[4, 4] * e - D[5, 4] * f
    d = D[3, 3] * d - D[4, 3] * e - D[5, 3] * f
    c = D[2, 2] * c - D[3, 2] * d - D[4, 2] * e - D[5, 2] * f
    b = D[1, 1] * b - D[2, 1] * c - D[3, 1] * d - D[4, 1] * e - D[5, 1] * f
    a = D[0, 0] * a - D[1, 0] * b - D[2, 0] * c - D[3, 0] * d - D[4, 0] * e - D[5, 0] * f
    return a, b, c, d, e, f


@part
def ldl_solve(D: Floats, n: int, x: Floats) -> None:
    """Solve a linear system for the vector x, in place, with the factors in D."""
    if n == 6:
        store(_solve_six(D, six(x)), x)
        return
    for r in range(n):
        for k in range(r):
            x[r] -= D[r, k] * x[k]
    for r in range(n - 1, -1, -1):
        x[r] *= D[r, r]
        for k in range(r + 1, n):
            x[r] -= D[k, r] * x[k]


@part
def ldl_columns(D: Floats, n: int, c0: int, c1: int, y: Floats) -> None:
    """Solve as `ldl_solve`, for the columns c0:c1 of y."""
    for r in range(n):
        for k in range(r):
            for c in range(c0, c1):
                y[r, c] -= D[r, k] * y[k, c]
    for r in range(n - 1, -1, -1):
        for c in range(c0, c1):
            y[r, c] *= D[r, r]
        for k in range(r + 1, n):
            for c in range(c0, c1):
                y[r, c] -= D[k, r] * y[k, c]


@part
def deflate(D: Floats, n: int, U: Floats, W: Floats, IA: Floats) -> None:
    """Compute IA -= U D^-1 U^T from the factors in D; columns of U are rows here; W is scratch."""
    for k in range(n):
        w = six(U[k])
        for s in range(k):
            w = plus(w, times(-D[k, s], six(W[s])))
        store(w, W[k])
        x0, x1, x2, x3, x4, x5 = times(-D[k, k], w)
        add(times(x0, w), IA[0])
        add(times(x1, w), IA[1])
        add(times(x2, w), IA[2])
        add(times(x3, w), IA[3])
        add(times(x4, w), IA[4])
        add(times(x5, w), IA[5])
