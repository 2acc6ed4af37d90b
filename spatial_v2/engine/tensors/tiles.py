"""Dense tensors, tile by tile: sums for some pairs of indices, plus products of factors.

Entry [i, (j, k)] of a tensor has the row i and the pair (j, k). A tile has `SIMD_WIDTH` rows i and
a few j, so that it stays in the cache, and adjacent memory is written together. SIMD
batches hold numbers with adjacent k.
"""

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.simd_columns import store_simd, take
from spatial_v2.engine.parts.mass_factors import FACTORS
from spatial_v2.engine.tensors.dense import copy
from spatial_v2.engine.tree import Floats, Ints

Eight = tuple[float, float, float, float, float, float, float, float]

ROOM, TILE = 1 << 14, 8
"""Largest number of entries of a tile, 128 KiB, and smallest number of values of the index j in a
tile.
"""


class Tile(NamedTuple):
    """The m rows from i0 on, and the j from j0 to j1, of a tensor of n (padded) variables."""

    n: int
    i0: int
    m: int
    j0: int
    j1: int


class Summed(NamedTuple):
    """Sums Y for some pairs (j, k): pair e is j n + k = `place[e]`, with column `which[e]` of Y."""

    place: Ints
    which: Ints
    Y: Floats


@part
def scatter(place: Ints, which: Ints, Y: Floats, i: int, m: int, begin: int, T: Floats) -> None:
    """Copy rows i to i + m - 1 of the sums Y to T: column which[e] becomes column place[e] - begin.

    Other columns of T, which the caller has set to zero, are left as they are.
    """
    for r in range(m):
        source, target, first = Y[i + r], T[r], np.uint64(begin)
        for e in range(place.size):
            target[place[e] - first] = source[which[e]]


@inline
def eight(x: Floats, i: int, k: int, n: int) -> Eight:
    """Load the SIMD batches at x[i, k], x[i, k + n], ..., x[i, k + 7 n]."""
    return (
        take(x, i, k), take(x, i, k + n), take(x, i, k + 2 * n), take(x, i, k + 3 * n),
        take(x, i, k + 4 * n), take(x, i, k + 5 * n), take(x, i, k + 6 * n), take(x, i, k + 7 * n),
    )  # fmt: skip


@part
def add_along(
    U: Floats, V: Floats, first: int, tile: Tile, T: Floats, out: Floats, width: int
) -> None:
    """Compute out[i, (j, k)] = T[i, (j, k)] + sum_c U[i, (c, k)] V[j, (c, k)].

    The loop is over SIMD batches of k. In T, the numbers of a j begin n after those of the j
    before, in `out` they begin `width` after them. Surplus entries of a SIMD batch are overwritten
    by the next one. There are m rows i, from row i0 of U on.
    """
    n, i0, m, j0, j1 = tile
    for b in range(j0, j1, TILE):
        for k in range(n - SIMD_WIDTH, -1, -SIMD_WIDTH):
            w = first * n + k
            for i in range(0, m, 2):
                h = min(i + 1, m - 1)
                a0, a1, a2, a3, a4, a5, a6, a7 = eight(U, i0 + i, w, n)
                b0, b1, b2, b3, b4, b5, b6, b7 = eight(U, i0 + h, w, n)
                for j in range(b, min(b + TILE, j1)):
                    source, to = (j - j0) * n + k, (j - j0) * width + k
                    x, y, z = take(T, i, source), take(T, h, source), take(V, j, w)
                    x, y, z = x + a0 * z, y + b0 * z, take(V, j, w + n)
                    x, y, z = x + a1 * z, y + b1 * z, take(V, j, w + 2 * n)
                    x, y, z = x + a2 * z, y + b2 * z, take(V, j, w + 3 * n)
                    x, y, z = x + a3 * z, y + b3 * z, take(V, j, w + 4 * n)
                    x, y, z = x + a4 * z, y + b4 * z, take(V, j, w + 5 * n)
                    x, y, z = x + a5 * z, y + b5 * z, take(V, j, w + 6 * n)
                    x, y, z = x + a6 * z, y + b6 * z, take(V, j, w + 7 * n)
                    store_simd(x + a7 * z, out, i, to)
                    store_simd(y + b7 * z, out, h, to)


@part
def add_turned(
    U: Floats, V: Floats, first: int, tile: Tile, T: Floats, out: Floats, width: int
) -> None:
    """Compute out[i, (j, k)] = T[i, (j, k)] + sum_c U[i, (c, j)] V[k, (c, j)]; see `add_along`."""
    n, i0, m, j0, j1 = tile
    for j in range(j0, j1):
        w = first * n + j
        for c in range(n // SIMD_WIDTH - 1, -1, -1):
            source, to = (j - j0) * n + c * SIMD_WIDTH, (j - j0) * width + c * SIMD_WIDTH
            v0, v1, v2, v3 = V[c, w], V[c, w + n], V[c, w + 2 * n], V[c, w + 3 * n]
            v4, v5, v6, v7 = V[c, w + 4 * n], V[c, w + 5 * n], V[c, w + 6 * n], V[c, w + 7 * n]
            for i in range(m):
                u = i0 + i
                x = take(T, i, source) + U[u, w] * v0 + U[u, w + n] * v1 + U[u, w + 2 * n] * v2
                x = x + U[u, w + 3 * n] * v3 + U[u, w + 4 * n] * v4 + U[u, w + 5 * n] * v5
                store_simd(x + U[u, w + 6 * n] * v6 + U[u, w + 7 * n] * v7, out, i, to)


@part
def alone(n: int, m: int, j: int, T: Floats, out: Floats, width: int) -> None:
    """Copy T[i, (y, k)] to out[i, (y, k)] for m rows i and the first j of y; see `add_along`."""
    for i in range(m):
        for y in range(j):
            for k in range(0, n, SIMD_WIDTH):
                store_simd(take(T, i, y * n + k), out, i, y * width + k)


@part
def tiles(
    t: int, summed: Summed, sets: int, n: int, factors: tuple[Floats, Floats, Floats],
    T: tuple[Floats, Floats], B: Floats, out: Floats, past: bool,
) -> None:  # fmt: skip
    """Compute tensor t of `FD_SO_derivatives`, tile by tile, in out (nv, nv*nv).

    T has two workspaces of the size of a tile; sums of `contract` are copied into the first.
    """
    (place, which, Y), (U, V, W) = summed, factors
    nv, e = out.shape[0], 0
    step = (T[0].shape[1] - SIMD_WIDTH) // n
    for j in range(0, nv, step):
        end, f = min(j + step, nv), e
        while f < place.size and np.int64(place[f]) < end * n:
            f += 1
        T[0][:, :] = 0.0
        for i in range(0, nv, SIMD_WIDTH):
            m = min(SIMD_WIDTH, nv - i)
            tile = Tile(n, i, m, j, end)
            if t < 3:
                scatter(place[e:f], which[e:f], Y, i, m, j * n, T[0])
            S = T[0]
            for s in range(FACTORS * (sets - 1), -1, -FACTORS):
                if t == 0:
                    add_along(U, W, s, tile, S, T[1], n)
                    S = T[1]
                last = s == 0
                to, width = (B, nv) if last else (T[1], n)
                if t == 1:
                    alone(n, m, end - j, S, to, width)
                elif t == 3:
                    add_along(U, W, s, tile, S, to, width)
                else:
                    add_turned(U, V, s, tile, S, to, width)
                S = T[1]
            for r in range(m):
                copy(B[r], out[i + r, j * nv : end * nv], past)
        e = f
