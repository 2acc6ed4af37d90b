"""Second derivatives of forward dynamics from those of inverse dynamics, state by state.

Each derivative is the sum of two terms: -H^-1 times the second derivatives of inverse dynamics, of
which only structurally nonzero entries are summed, and products of the derivatives of H with first
derivatives of the accelerations, which are products of a few vectors; see `mass_factors`. The two
terms are added tile by tile.
"""

from typing import Any

import numpy as np

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.simd_columns import as_simd, store_simd, turn_rows
from spatial_v2.engine.parts.inertia import inertias
from spatial_v2.engine.parts.mass_factors import FACTORS, across, factors
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.rotors import links, row_count
from spatial_v2.engine.tensors.sums import PAIRS, Sums
from spatial_v2.engine.tensors.tiles import ROOM, TILE, Summed, eight, tiles
from spatial_v2.engine.tree import Floats, Tree

Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


@part
def order_values(sums: Sums, t: int, x: Floats, out: Floats) -> None:
    """Copy the values x of tensor number t into out, in the order in which `contract` sums them."""
    for e in range(sums.first[sums.begin[t]], sums.first[sums.begin[t + 1]]):
        for c in range(PAIRS):
            out[e, c] = x[sums.entry[e, c]]


@part
def contract(sums: Sums, t: int, x: Floats, M: Floats, Y: Floats) -> None:
    """Compute Y[c, pair] = sum_a M[a, c] x[a, pair] for the pairs of tensor t, with M = -H^-1."""
    begin, n = sums.begin[t], M.shape[1]
    for g in range(begin, sums.begin[t + 1]):
        y, e0, e1 = PAIRS * (g - begin), sums.first[g], sums.first[g + 1]
        for c in range(0, n - 1, 2):
            a0 = a1 = a2 = a3 = b0 = b1 = b2 = b3 = M[0, 0] - M[0, 0]
            for e in range(e0, e1):
                a, b = M[sums.row[e], c], M[sums.row[e], c + 1]
                a0, b0 = a0 + x[e, 0] * a, b0 + x[e, 0] * b
                a1, b1 = a1 + x[e, 1] * a, b1 + x[e, 1] * b
                a2, b2 = a2 + x[e, 2] * a, b2 + x[e, 2] * b
                a3, b3 = a3 + x[e, 3] * a, b3 + x[e, 3] * b
            Y[c, y], Y[c, y + 1], Y[c, y + 2], Y[c, y + 3] = a0, a1, a2, a3
            Y[c + 1, y], Y[c + 1, y + 1], Y[c + 1, y + 2], Y[c + 1, y + 3] = b0, b1, b2, b3
        if n % 2:
            a0 = a1 = a2 = a3 = M[0, 0] - M[0, 0]
            for e in range(e0, e1):
                a = M[sums.row[e], n - 1]
                a0, a1, a2, a3 = (
                    a0 + x[e, 0] * a, a1 + x[e, 1] * a, a2 + x[e, 2] * a, a3 + x[e, 3] * a,
                )  # fmt: skip
            Y[n - 1, y], Y[n - 1, y + 1], Y[n - 1, y + 2], Y[n - 1, y + 3] = a0, a1, a2, a3


@part
def pad(x: Floats, sign: float, out: Floats) -> None:
    """Write the matrix x times a sign into the top left of out, and zeros elsewhere."""
    out[:, :] = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = sign * x[i, j]


@part
def turn_all(V: Floats, out: Floats) -> None:
    """Transpose the SIMD batches V (n / SIMD_WIDTH, m) into a matrix of numbers, out (n, m)."""
    for c in range(V.shape[0]):
        turn_rows(V[c : c + 1], out[c * SIMD_WIDTH : (c + 1) * SIMD_WIDTH])


@part
def opposite(V: Floats, n: int, U: Floats) -> None:
    """Compute the left factors U of the products in `mass_factors`, those with index i, from the
    factors V, which `factors` computes for the columns of H^-1.

    The right factors are those of f(x) and a(x). U has the factors of V in exchanged places, half
    of them negated, so that the products are multiplied by -H^-1. n is the number of columns of V
    for each of the eight factors.
    """
    for i in range(V.shape[0]):
        for block in range(0, V.shape[1] - SIMD_WIDTH, FACTORS * n):
            for k in range(block, block + n, SIMD_WIDTH):
                v0, v1, v2, v3, v4, v5, v6, v7 = eight(V, i, k, n)
                store_simd(-v5, U, i, k)
                store_simd(v4, U, i, k + n)
                store_simd(-v7, U, i, k + 2 * n)
                store_simd(v6, U, i, k + 3 * n)
                store_simd(v1, U, i, k + 4 * n)
                store_simd(-v0, U, i, k + 5 * n)
                store_simd(v3, U, i, k + 6 * n)
                store_simd(-v2, U, i, k + 7 * n)


@jit
def FD_SO_derivatives(
    tree: Tree, sums: Sums, past: bool, q: Floats, first: Three, second: Three, out: Four
) -> None:
    """Compute the four tensors of `FD_SO_derivatives`, each (B, nv, nv*nv).

    `first` are dqdd_dq, dqdd_dqd and H^-1 (B, nv, nv); `second` are the values of d2tau_dq,
    d2tau_dqd and d2tau_cross of inverse dynamics, with a zero appended. If `past` is True, results
    are written with non-temporal stores, which bypass the cache.
    """
    (P, Q, Minv), (x, v, z), (qq, vv, qv, dM) = first, second, out
    states, nv, nb, m = qq.shape[0], qq.shape[1], tree.parent.size, row_count(tree)
    count = (nv + SIMD_WIDTH - 1) // SIMD_WIDTH
    n, sets = count * SIMD_WIDTH, 1 + (links(tree) < nb)
    R, p, S = empty(P, nb + 1, 3, 3), empty(P, nb + 1, 3), empty(P, m, 6)
    I, G, size = empty(P, nb, 10), empty(P, m, FACTORS, 6), sets * FACTORS * n + SIMD_WIDTH
    padded, negative = empty(P, nv, n), empty(P, nv, n)
    A, M = as_simd(padded), as_simd(negative)
    a, f = empty(A, nb + 1, 6), empty(A, nb + 1, 6)
    VP, VQ, VM = empty(A, count, size), empty(A, count, size), empty(A, count, size)
    VP[:, :] = 0.0
    VQ[:, :] = 0.0
    VM[:, :] = 0.0
    U, P_turned, M_turned = empty(P, n, size), empty(P, n, size), empty(P, n, size)
    most = 0
    for t in range(3):
        most = max(most, PAIRS * (sums.begin[t + 1] - sums.begin[t]))
    ordered, Y = empty(P, sums.row.size, PAIRS), empty(A, count, most + 1)
    sum = empty(P, n, most + 1)
    Y[:, most] = 0.0
    step = min(max(ROOM // (SIMD_WIDTH * n) // TILE, 1) * TILE, nv)
    size = step * n + SIMD_WIDTH
    T = empty(P, SIMD_WIDTH, size), empty(P, SIMD_WIDTH, size)
    B = empty(P, SIMD_WIDTH, step * nv + SIMD_WIDTH)
    place: Any = np.empty(sums.pair.shape[1], dtype=np.uint64)
    for e in range(place.size):
        place[e] = np.uint64(sums.pair[0, e] * n + sums.pair[1, e])
    for b in range(states):
        about_robot(tree, q[b], R, p, S)
        inertias(tree, R, p, I)
        across(tree, R, p, G)
        pad(Minv[b], 1.0, padded)
        pad(Minv[b], -1.0, negative)
        factors(tree, S, I, G, A, a, f, n, VM)
        turn_all(VM, M_turned)
        opposite(M_turned, n, U)
        pad(Q[b], 1.0, padded)
        factors(tree, S, I, G, A, a, f, n, VQ)
        pad(P[b], 1.0, padded)
        factors(tree, S, I, G, A, a, f, n, VP)
        turn_all(VP, P_turned)
        values, right, tensors = (x[b], v[b], z[b]), (VP, VP, VQ), (qq[b], vv[b], qv[b])
        for t in range(3):
            order_values(sums, t, values[t], ordered)
        for t in range(3):
            contract(sums, t, ordered, M, Y)
            turn_all(Y, sum)
            summed = Summed(place, sums.sum[t], sum)
            tiles(t, summed, sets, n, (U, right[t], P_turned), T, B, tensors[t], past)
        summed = Summed(place, sums.sum[0], sum)
        tiles(3, summed, sets, n, (U, VM, M_turned), T, B, dM[b], past)
