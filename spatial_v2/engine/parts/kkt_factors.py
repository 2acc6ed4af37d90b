"""Factors of the KKT equations of constrained dynamics in one state."""

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.constrained import Equations
from spatial_v2.engine.numbers.kinds import simd_columns
from spatial_v2.engine.numbers.simd_columns import store_simd, take
from spatial_v2.engine.parts.doubts import ldl_pivots
from spatial_v2.engine.parts.indices import indices
from spatial_v2.engine.parts.kkt_arrays import Factors
from spatial_v2.engine.parts.ltdl_rows import ltdl_rows
from spatial_v2.engine.parts.nonzero_columns import nonzero_columns
from spatial_v2.engine.tree import Floats, Ints


@inline
def spread(of: Equations, H: Floats, G: Floats, w: Factors) -> None:
    """Copy H and G to the factors, with a right-hand side of zero."""
    (m, nv), L, Y = G.shape, w.L, w.Y
    for i in range(nv):
        for j in range(nv):
            L[i, j] = H[i, j]
        for j in range(nv, L.shape[1]):
            L[i, j] = 0.0
        for k in range(m):
            Y[i, k] = G[k, i]
        for k in range(m, Y.shape[1]):
            Y[i, k] = 0.0
    for k in range(m):
        for l in range(Y.shape[1]):
            w.W[k, l] = w.D[k, l] = 0.0
        w.W[k, k] = of.damping


@inline
def join(top: Floats, bottom: Floats, w: Factors) -> None:
    """Join a right-hand side, top (nv, 1) and bottom (m, 1), to the copies of `spread`."""
    m = w.pivots.size
    for i in range(w.first.size):
        w.Y[i, m] = top[i, 0]
    for k in range(m):
        w.W[k, m] = -bottom[k, 0]


@inline
def add_squares(w: Factors, i: int, factor: float, out: Floats) -> None:
    """Add ``factor y y^T`` with row i of Y to the upper triangle of a matrix, and the products with
    the right-hand side: block by block, or row by row if a block is one column.
    """
    size, m, first, last = simd_columns(w.Y), w.pivots.size, w.first[i], w.last[i]
    if size == 1:
        for k in range(first, last):
            x = w.Y[i, k] * factor
            for c in range(k, last):
                out[k, c] += x * w.Y[i, c]
            out[k, m] += x * w.Y[i, m]
        return
    for c in range(first // size * size, m + 1, size):
        y = take(w.Y, i, c) * factor
        for k in indices(first, min(last, c + size)):
            store_simd(take(out, k, c) + w.Y[i, k] * y, out, k, c)


@inline
def carry_row(above: Ints, w: Factors, i: int) -> None:
    """Subtract multiples of row i of Y from those of the variables that carry variable i, in blocks
    as `add_squares`.
    """
    size, L, Y, m = simd_columns(w.Y), w.L, w.Y, w.pivots.size
    if size == 1:
        j = above[i]
        while j >= 0:
            for c in range(w.first[i], w.last[i]):
                Y[j, c] -= L[i, j] * Y[i, c]
            Y[j, m] -= L[i, j] * Y[i, m]
            j = above[j]
        return
    for c in range(w.first[i] // size * size, m + 1, size):
        y, j = take(Y, i, c), above[i]
        while j >= 0:
            store_simd(take(Y, j, c) - L[i, j] * y, Y, j, c)
            j = above[j]


@inline
def reduce(of: Equations, w: Factors) -> None:
    """Compute factors of H and of the Delassus matrix ``G H^-1 G^T + damping``, the products of the
    rows, and half the solution for the right-hand side, from the copies of the equations in w.

    Half a solution of a row has the zeros of the row where its bodies are not, so that the Delassus
    matrix is ``Y^T D^-1 Y`` with a sparse Y (Featherstone 2008, Sec. 6.5).
    """
    m = w.pivots.size
    ltdl_rows(of.above, w.L)
    nonzero_columns(of.above, m, w.Y, w.first, w.last)
    for i in range(w.first.size - 1, -1, -1):
        add_squares(w, i, 1.0 / (of.distances[i] * of.distances[i]), w.D)
    for i in range(w.first.size - 1, -1, -1):
        add_squares(w, i, w.L[i, i], w.W)
        carry_row(of.above, w, i)
    ldl_pivots(w.W, w)
    for k in range(m):
        for l in range(k):
            w.W[k, l] = w.W[l, k] * w.W[l, l]


@inline
def factorise(of: Equations, H: Floats, G: Floats, w: Factors) -> None:
    """Compute the factors of `reduce` from the equations."""
    spread(of, H, G, w)
    reduce(of, w)
