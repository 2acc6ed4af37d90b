"""Solutions of the KKT equations of constrained dynamics in one state, with their factors."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.numbers.kinds import simd_columns
from spatial_v2.engine.numbers.vectors import Six, times
from spatial_v2.engine.parts.indices import indices
from spatial_v2.engine.parts.kkt_arrays import Factors
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["outward", "solve", "solve_blocks", "solve_one"]

Columns = tuple[int, int, int, int, int, int]


@inline
def columns(x: Floats, i: int, at: Columns) -> Six:
    """Return the entries of row i of x in six columns."""
    return x[i, at[0]], x[i, at[1]], x[i, at[2]], x[i, at[3]], x[i, at[4]], x[i, at[5]]


@inline
def put(x: Floats, i: int, at: Columns, a: Six) -> None:
    """Write the entries of row i of x in six columns."""
    x[i, at[0]], x[i, at[1]], x[i, at[2]] = a[0], a[1], a[2]
    x[i, at[3]], x[i, at[4]], x[i, at[5]] = a[3], a[4], a[5]


@inline
def less(a: Six, f: float, b: Six) -> Six:
    """Return ``a - f b``."""
    return (
        a[0] - f * b[0], a[1] - f * b[1], a[2] - f * b[2],
        a[3] - f * b[3], a[4] - f * b[4], a[5] - f * b[5],
    )  # fmt: skip


@inline
def solve_six(above: Ints, w: Factors, x: Floats, y: Floats) -> None:
    """Do what `solve` does for SIMD batches, six columns at a time, which stay in registers and in
    the first cache. If there are fewer left, the last one is computed several times.
    """
    L, W, Y, first, last = w.L, w.W, w.Y, w.first, w.last
    nv, m, n = first.size, w.pivots.size, x.shape[1]
    for c in range(0, n, 6):
        e = n - 1
        at = c, min(c + 1, e), min(c + 2, e), min(c + 3, e), min(c + 4, e), min(c + 5, e)
        for i in range(nv - 1, -1, -1):
            a, j = columns(x, i, at), above[i]
            while j >= 0:
                put(x, j, at, less(columns(x, j, at), L[i, j], a))
                j = above[j]
            put(x, i, at, times(L[i, i], a))
        for r in range(m):
            a = columns(y, r, at)
            for i in range(nv):
                if first[i] <= r < last[i]:
                    a = less(a, Y[i, r], columns(x, i, at))
            for k in range(r):
                a = less(a, W[r, k], columns(y, k, at))
            put(y, r, at, a)
        for r in range(m - 1, -1, -1):
            a = times(W[r, r], columns(y, r, at))
            for k in range(r + 1, m):
                a = less(a, W[k, r], columns(y, k, at))
            put(y, r, at, a)
        for i in range(nv):
            a, j = columns(x, i, at), above[i]
            b = times(0.0, a)
            for k in range(first[i], last[i]):
                b = less(b, Y[i, k], columns(y, k, at))
            a = less(a, L[i, i], b)
            while j >= 0:
                a = less(a, L[i, j], columns(x, j, at))
                j = above[j]
            put(x, i, at, a)


@inline
def outward_one(above: Ints, w: Factors, x: Floats, y: Floats) -> None:
    """Do the second half of `solve_one`."""
    m, L, W = w.pivots.size, w.L, w.W
    for r in range(m - 1, -1, -1):
        force = W[r, r] * y[r, 0]
        for k in indices(r + 1, m):
            force -= W[k, r] * y[k, 0]
        y[r, 0] = force
    for i in range(w.first.size):
        torque = x[i, 0]
        for k in indices(w.first[i], w.last[i]):
            torque += w.Y[i, k] * y[k, 0]
        torque *= L[i, i]
        j = above[i]
        while j >= 0:
            torque -= L[i, j] * x[j, 0]
            j = above[j]
        x[i, 0] = torque


@part
def outward(above: Ints, w: Factors, x: Floats, y: Floats) -> None:
    """Compute the solution x (nv, 1) and y (m, 1) for the right-hand side in w, after `reduce`."""
    m = w.pivots.size
    for k in range(m):
        y[k, 0] = -w.W[k, m]
    for i in range(w.first.size):
        x[i, 0] = w.Y[i, m]
    outward_one(above, w, x, y)


@part
def solve_one(above: Ints, w: Factors, x: Floats, y: Floats) -> None:
    """Do what `solve` does for a single right-hand side, without a loop over columns."""
    m, L, W = w.pivots.size, w.L, w.W
    for i in range(w.first.size - 1, -1, -1):
        torque, j = x[i, 0], above[i]
        while j >= 0:
            x[j, 0] -= L[i, j] * torque
            j = above[j]
        torque *= L[i, i]
        for k in indices(w.first[i], w.last[i]):
            y[k, 0] -= w.Y[i, k] * torque
    for r in range(m):
        force = y[r, 0]
        for k in indices(r + 1, m):
            y[k, 0] -= W[k, r] * force
    outward_one(above, w, x, y)


@inline
def add_row(factor: float, x: Floats, i: int, y: Floats, k: int) -> None:
    """Add a multiple of row i of x to row k of y."""
    for c in range(x.shape[1]):
        y[k, c] += factor * x[i, c]


@part
def solve_blocks(above: Ints, w: Factors, x: Floats, y: Floats) -> None:
    """Do what `solve` does, row by row: for columns, or blocks of them that are SIMD values."""
    nv, m, L, W = w.first.size, w.pivots.size, w.L, w.W
    for i in range(nv - 1, -1, -1):
        j = above[i]
        while j >= 0:
            add_row(-L[i, j], x, i, x, j)
            j = above[j]
        for k in range(w.first[i], w.last[i]):
            add_row(-w.Y[i, k] * L[i, i], x, i, y, k)
    for r in range(m):
        for k in range(r + 1, m):
            add_row(-W[k, r], y, r, y, k)
    for r in range(m - 1, -1, -1):
        for c in range(y.shape[1]):
            y[r, c] *= W[r, r]
        for k in range(r + 1, m):
            add_row(-W[k, r], y, k, y, r)
    for i in range(nv):
        for k in range(w.first[i], w.last[i]):
            add_row(w.Y[i, k], y, k, x, i)
        for c in range(x.shape[1]):
            x[i, c] *= L[i, i]
        j = above[i]
        while j >= 0:
            add_row(-L[i, j], x, j, x, i)
            j = above[j]


@part
def solve(above: Ints, w: Factors, x: Floats, y: Floats) -> None:
    """Replace right-hand sides x (nv, n) and y (m, n) of `KKT` by solutions, with the results w of
    `factorise`.
    """
    if simd_columns(x) == 1:
        solve_six(above, w, x, y)
    else:
        solve_blocks(above, w, x, y)
