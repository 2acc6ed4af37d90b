"""Hessian of one stage of a Riccati recursion, and products of matrices of SIMD batches."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.engine.numbers.prefetch import prefetch
from spatial_v2.engine.parts.stage_workspace import Stage
from spatial_v2.engine.tree import Floats

__all__ = ["AHEAD", "add_product", "copy", "expand", "fours"]

ROUNDING = 1e-15
"""Rounding error of an entry of a row of positions, relative to its terms."""
AHEAD = 1000
"""Prefetch distance, in numbers: the stages are read backwards."""


@inline
def add_product(X: Floats, B: Floats, C: Floats, upper: bool) -> None:
    """Add ``X^T B`` to C, where B and C are matrices of SIMD batches; with `upper`, only to the
    columns from the diagonal on.

    Eight SIMD batches of C are in the registers at a time: four rows of two. If the number of SIMD
    batches in a row is odd, the last one is computed twice.
    """
    last = B.shape[1] - 1
    for i in range(0, C.shape[0], 4):
        for j in range(i // SIMD_WIDTH if upper else 0, last + 1, 2):
            k = min(j + 1, last)
            a0, a1, a2, a3 = C[i, j], C[i + 1, j], C[i + 2, j], C[i + 3, j]
            b0, b1, b2, b3 = C[i, k], C[i + 1, k], C[i + 2, k], C[i + 3, k]
            for l in range(B.shape[0]):
                y, z = B[l, j], B[l, k]
                p, q, r, s = X[l, i], X[l, i + 1], X[l, i + 2], X[l, i + 3]
                a0, a1, a2, a3 = a0 + p * y, a1 + q * y, a2 + r * y, a3 + s * y
                b0, b1, b2, b3 = b0 + p * z, b1 + q * z, b2 + r * z, b3 + s * z
            C[i, j], C[i + 1, j], C[i + 2, j], C[i + 3, j] = a0, a1, a2, a3
            C[i, k], C[i + 1, k], C[i + 2, k], C[i + 3, k] = b0, b1, b2, b3


@part
def fours(n: int) -> int:
    """Return the least number of rows of at least n that `add_product` takes."""
    return -(-n // 4) * 4


@part
def copy(x: Floats, y: Floats) -> None:
    """Copy the numbers x to the beginning of y; prefetch earlier ones."""
    for j in range(0, x.size, LINE):
        prefetch(x, j - AHEAD)
    for j in range(x.size):
        y[j] = x[j]


@inline
def proportional(h: float, x: Floats, y: Floats) -> int:
    """Count the entries of y that are h times those of x."""
    count = 0
    for j in range(x.size):
        count += 1 if abs(y[j] - h * x[j]) <= ROUNDING * abs(y[j]) else 0
    return count


@part
def split(F: Floats, w: Stage) -> int:
    """Find the rows of positions that depend on those of velocities, and write the other rows of F
    into the first rows of w.F; return their number.

    In a step of semi-implicit Euler, ``q' = q + h v'`` for joints without rotations: row r of F is
    h times the row of v' plus that of the identity. `w.ratio` has h for such rows, else 0, `w.line`
    1 or 0, and `w.rest` the numbers of the other rows, in order.
    """
    n, half, count = F.shape[0], F.shape[0] // 2, 0
    w.line[:], w.ratio[:] = 0.0, 0.0
    for r in range(half if n == 2 * half else 0):
        v = half + r
        h = F[r, v] / F[v, v] if F[v, v] != 0.0 else 0.0
        product = h * F[v, r]
        own = abs(F[r, r] - 1.0 - product) <= ROUNDING * max(1.0, abs(product))
        if h != 0.0 and own and proportional(h, F[v], F[r]) == F.shape[1] - 1:
            w.line[r], w.ratio[r] = 1.0, h
    for r in range(n):
        if r >= half or w.line[r] == 0.0:
            w.rest[count] = r
            copy(F[r], w.F[count])
            count += 1
    return count


@part
def expand(P: Floats, F: Floats, Q: Floats, w: Stage) -> None:
    """Compute the upper triangle of the Hessian A = Q + F^T P F of the stage.

    Positions ``q' = q + h v'`` are taken as functions of v' where `split` finds them: with the
    Hessian G of the cost to go with respect to q and v', products with F are those with the rest of
    its rows.
    """
    n, z = F.shape
    half, rest = n // 2, split(F, w)
    for k in range(rest):
        r = w.rest[k]
        copy(P[r], w.P[k])
        if r >= half and w.line[r - half] != 0.0:
            for j in range(n):
                w.P[k, j] += w.ratio[r - half] * P[r - half, j]
        for j in range(half):
            w.P[k, half + j] += w.ratio[j] * w.P[k, j]
    for i in range(z):
        copy(Q[i, i:], w.A[i, i:])
    w.PFs[:] = 0.0
    add_product(w.P[:rest], w.Fs[:rest], w.PFs[: fours(n)], False)
    for r in range(half if rest < n else 0):
        if w.line[r] != 0.0:
            own, PF, own_P, line = w.A[r, r:z], w.PF[r, r:z], P[r, r:half], w.line[r:half]
            for j in range(own_P.size):
                own[j] += line[j] * own_P[j]
            for j in range(own.size):
                own[j] += PF[j]
            for i in range(r + 1):
                w.A[i, r] += w.PF[r, i]
    for k in range(rest if rest < n else 0):
        for j in range(w.PFs.shape[1]):
            w.PFs[k, j] = w.PFs[w.rest[k], j]
    add_product(w.F[:rest], w.PFs[:rest], w.As[: fours(z)], True)
