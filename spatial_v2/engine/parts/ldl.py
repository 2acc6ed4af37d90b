"""Factors L diag(d) L^T of small symmetric matrices, which may be indefinite."""

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.vectors import Six, plus, six, store, times
from spatial_v2.engine.parts.pivots import reciprocal
from spatial_v2.engine.tree import Floats


@inline
def remainder(D: Floats, r: int, c: int) -> float:
    """Return what the columns before column c leave of the entry [r, c]."""
    x: float = D[r, c]
    for k in range(c):
        x -= D[r, k] * D[k, c]
    return x


@inline
def divide(D: Floats, n: int, c: int) -> None:
    """Compute column c of L and row c of d L^T from the reciprocal of the pivot."""
    for r in range(c + 1, n):
        x = remainder(D, r, c)
        D[c, r] = x
        D[r, c] = x * D[c, c]


@part
def ldl(D: Floats, n: int) -> None:
    """Factor the leading n x n block in place: L below the diagonal, 1 / d on it, d L^T above it,
    with a diagonal d.

    Only the lower triangle is read.
    """
    for c in range(n):
        D[c, c] = 1.0 / remainder(D, c, c)
        divide(D, n, c)


@part
def ldl_regular(D: Floats, n: int, least: Floats) -> None:
    """Factor as `ldl`; a pivot d that is not larger than its entry of `least` gives NaN."""
    for c in range(n):
        D[c, c] = reciprocal(remainder(D, c, c), least[c])
        divide(D, n, c)


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
            f = D[r, k]
            for c in range(c0, c1):
                y[r, c] -= f * y[k, c]
    for r in range(n - 1, -1, -1):
        d = D[r, r]
        for c in range(c0, c1):
            y[r, c] *= d
        for k in range(r + 1, n):
            f = D[k, r]
            for c in range(c0, c1):
                y[r, c] -= f * y[k, c]


@part
def deflate(D: Floats, n: int, U: Floats, W: Floats, IA: Floats, out: Floats) -> None:
    """Compute out = IA - U D^-1 U^T from the factors in D and rows of U; W is scratch space."""
    for k in range(n):
        w, A = six(U[k]), out if k else IA
        for s in range(k):
            w = plus(w, times(-D[k, s], six(W[s])))
        store(w, W[k])
        x = times(-D[k, k], w)
        store(plus(six(A[0]), times(x[0], w)), out[0])
        store(plus(six(A[1]), times(x[1], w)), out[1])
        store(plus(six(A[2]), times(x[2], w)), out[2])
        store(plus(six(A[3]), times(x[3], w)), out[3])
        store(plus(six(A[4]), times(x[4], w)), out[4])
        store(plus(six(A[5]), times(x[5], w)), out[5])
