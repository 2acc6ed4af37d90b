"""Second derivatives of forward dynamics from what they are made of, state by state.

With -H^-1 come in the derivatives of the joint force, of which only entries are summed that the
tree leaves other than zero, and those of H times accelerations, which are products of few vectors;
see `mass_factors`. The result is put together tile by tile: as many rows i as a pack has lanes, and
a few j, so that a tile stays next to the processor, and what is beside it in memory is written
together.
"""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.dense import copy
from spatial_v2.engine.lanes.beside import lanes, lay_at, packs, take, turn_rows
from spatial_v2.engine.mass_factors import FACTORS, across, factors, inertias
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.poses import near
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.sums import PAIRS, Sums
from spatial_v2.engine.tree import Floats, Tree

__all__ = ["fd_so"]

Eight = tuple[float, float, float, float, float, float, float, float]

TILE = 8
"""How many j are in a tile."""


@part
def gather(sums: Sums, t: int, x: Floats, out: Floats) -> None:
    """The values x of tensor t in the order of the sums."""
    for e in range(sums.first[sums.begin[t]], sums.first[sums.begin[t + 1]]):
        for c in range(PAIRS):
            out[e, c] = x[sums.entry[e, c]]


@part
def contract(sums: Sums, t: int, x: Floats, M: Floats, Y: Floats) -> None:
    """Y[pair] = sum_a M[a] x[a, pair] for the pairs of tensor t, in packs of rows of -H^-1."""
    begin, n = sums.begin[t], M.shape[1]
    for g in range(begin, sums.begin[t + 1]):
        y, e0, e1 = PAIRS * (g - begin), sums.first[g], sums.first[g + 1]
        c = 0
        while c + 1 < n:
            a0 = a1 = a2 = a3 = M[0, 0] - M[0, 0]
            b0 = b1 = b2 = b3 = a0
            for e in range(e0, e1):
                a, b = M[sums.row[e], c], M[sums.row[e], c + 1]
                a0, b0 = a0 + x[e, 0] * a, b0 + x[e, 0] * b
                a1, b1 = a1 + x[e, 1] * a, b1 + x[e, 1] * b
                a2, b2 = a2 + x[e, 2] * a, b2 + x[e, 2] * b
                a3, b3 = a3 + x[e, 3] * a, b3 + x[e, 3] * b
            Y[y, c], Y[y + 1, c], Y[y + 2, c], Y[y + 3, c] = a0, a1, a2, a3
            Y[y, c + 1], Y[y + 1, c + 1], Y[y + 2, c + 1], Y[y + 3, c + 1] = b0, b1, b2, b3
            c += 2
        if c < n:
            a0 = a1 = a2 = a3 = M[0, 0] - M[0, 0]
            for e in range(e0, e1):
                a = M[sums.row[e], c]
                a0, a1, a2, a3 = a0 + x[e, 0] * a, a1 + x[e, 1] * a, a2 + x[e, 2] * a, a3 + x[e, 3] * a
            Y[y, c], Y[y + 1, c], Y[y + 2, c], Y[y + 3, c] = a0, a1, a2, a3


@part
def scatter(sums: Sums, t: int, Y: Floats, i0: int, m: int, j0: int, j1: int, T: Floats) -> None:
    """T (m, (j, k)) are the sums of tensor t for m rows from i0 on, and zeros."""
    width = T.shape[1] // TILE
    for i in range(m):
        for k in range((j1 - j0) * width):
            T[i, k] = 0.0
    for j in range(j0, j1):
        for e in range(sums.where[t, j], sums.where[t, j + 1]):
            place, y = (j - j0) * width + sums.column[e], sums.sum[e]
            for i in range(m):
                T[i, place] = Y[y, i0 + i]


@inline
def eight(x: Floats, i: int, k: int, n: int) -> Eight:
    """The packs at x[i, k], x[i, k + n], ..., x[i, k + 7 n]."""
    return (
        take(x, i, k), take(x, i, k + n), take(x, i, k + 2 * n), take(x, i, k + 3 * n),
        take(x, i, k + 4 * n), take(x, i, k + 5 * n), take(x, i, k + 6 * n), take(x, i, k + 7 * n),
    )  # fmt: skip


@part
def along(
    U: Floats, V: Floats, first: int, i0: int, m: int, j0: int, j1: int, T: Floats, out: Floats,
    width: int,
) -> None:  # fmt: skip
    """out[i, (j, k)] = T[i, (j, k)] + sum_c U[i, (c, k)] V[j, (c, k)], packs of k at a time.

    In `out` the k of a j are `width` apart from those of the next; what a pack has too many the
    next ones replace.
    """
    n = T.shape[1] // TILE
    for k in range(n - lanes(), -1, -lanes()):
        w = first * n + k
        for i in range(0, m, 2):
            h = min(i + 1, m - 1)
            a0, a1, a2, a3, a4, a5, a6, a7 = eight(U, i0 + i, w, n)
            b0, b1, b2, b3, b4, b5, b6, b7 = eight(U, i0 + h, w, n)
            for j in range(j0, j1):
                at, to = (j - j0) * n + k, (j - j0) * width + k
                x, y, z = take(T, i, at), take(T, h, at), take(V, j, w)
                x, y, z = x + a0 * z, y + b0 * z, take(V, j, w + n)
                x, y, z = x + a1 * z, y + b1 * z, take(V, j, w + 2 * n)
                x, y, z = x + a2 * z, y + b2 * z, take(V, j, w + 3 * n)
                x, y, z = x + a3 * z, y + b3 * z, take(V, j, w + 4 * n)
                x, y, z = x + a4 * z, y + b4 * z, take(V, j, w + 5 * n)
                x, y, z = x + a5 * z, y + b5 * z, take(V, j, w + 6 * n)
                x, y, z = x + a6 * z, y + b6 * z, take(V, j, w + 7 * n)
                lay_at(out, i, to, x + a7 * z)
                lay_at(out, h, to, y + b7 * z)


@part
def turned(
    U: Floats, V: Floats, first: int, i0: int, m: int, j0: int, j1: int, T: Floats, out: Floats,
    width: int,
) -> None:  # fmt: skip
    """out[i, (j, k)] = T[i, (j, k)] + sum_c U[i, (c, j)] V[(c, j), k], as `along`; V in packs."""
    n = T.shape[1] // TILE
    for j in range(j0, j1):
        w = first * n + j
        for c in range(V.shape[0] - 1, -1, -1):
            at, to = (j - j0) * n + c * lanes(), (j - j0) * width + c * lanes()
            v0, v1, v2, v3 = V[c, w], V[c, w + n], V[c, w + 2 * n], V[c, w + 3 * n]
            v4, v5, v6, v7 = V[c, w + 4 * n], V[c, w + 5 * n], V[c, w + 6 * n], V[c, w + 7 * n]
            for i in range(m):
                u = i0 + i
                x = take(T, i, at) + U[u, w] * v0 + U[u, w + n] * v1 + U[u, w + 2 * n] * v2
                x = x + U[u, w + 3 * n] * v3 + U[u, w + 4 * n] * v4 + U[u, w + 5 * n] * v5
                lay_at(out, i, to, x + U[u, w + 6 * n] * v6 + U[u, w + 7 * n] * v7)


@part
def alone(m: int, j0: int, j1: int, T: Floats, out: Floats, width: int) -> None:
    """out[i, (j, k)] = T[i, (j, k)], as `along`."""
    n = T.shape[1] // TILE
    for i in range(m):
        for j in range(j1 - j0):
            for k in range(0, n, lanes()):
                lay_at(out, i, j * width + k, take(T, i, j * n + k))


@part
def hand_out(B: Floats, i0: int, m: int, begin: int, end: int, out: Floats, past: bool) -> None:
    """Rows of B to out[i, begin:end] for m rows i from i0 on."""
    for i in range(m):
        copy(B[i], out[i0 + i, begin:end], past)


@part
def pad(x: Floats, sign: float, out: Floats) -> None:
    """The matrix x times a sign, and zeros beside it."""
    out[:, :] = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = sign * x[i, j]


@part
def turn_all(V: Floats, out: Floats) -> None:
    """out (n, m) are the lanes of packs V (n / lanes, m)."""
    for c in range(V.shape[0]):
        turn_rows(V[c : c + 1], out[c * lanes() : (c + 1) * lanes()])


@part
def opposite(V: Floats, n: int, U: Floats) -> None:
    """From factors V of the columns of H^-1 what they are multiplied by, with the sign of -H^-1."""
    for i in range(V.shape[0]):
        for at in range(0, V.shape[1], FACTORS * n):
            for c in range(2):
                for k in range(at + 2 * c * n, at + (2 * c + 1) * n):
                    U[i, k], U[i, k + n] = -V[i, k + 5 * n], V[i, k + 4 * n]
                    U[i, k + 4 * n], U[i, k + 5 * n] = V[i, k + n], -V[i, k]


@jit
def fd_so(
    tree: Tree, sums: Sums, past: bool, q: Floats, P: Floats, Q: Floats, Minv: Floats,
    x: Floats, v: Floats, z: Floats, qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> None:  # fmt: skip
    """The four tensors (B, nv, nv nv) from dqdd_dq, dqdd_dqd, H^-1 and the values of the others.

    `past` says whether they are written past the cache. Behind their last values x, v and z have a
    zero.
    """
    states, nv, nb, m = qq.shape[0], qq.shape[1], tree.parent.size, rows(tree)
    count = (nv + lanes() - 1) // lanes()
    n, sets = count * lanes(), 1 + (links(tree) < nb)
    R, p, S = empty(P, nb + 1, 3, 3), empty(P, nb + 1, 3), empty(P, m, 6)
    I, G, size = empty(P, nb, 10), empty(P, m, FACTORS, 6), sets * FACTORS * n
    padded, negative = empty(P, nv, n), empty(P, nv, n)
    A, M = packs(padded), packs(negative)
    a, f = empty(A, nb + 1, 6), empty(A, nb + 1, 6)
    V, VQ = empty(A, count, size), empty(A, count, size)
    V[:, :] = 0.0
    VQ[:, :] = 0.0
    U, VM, VP = empty(P, n, size), empty(P, n, size), empty(P, n, size)
    most = 0
    for t in range(3):
        most = max(most, sums.begin[t + 1] - sums.begin[t])
    ordered = empty(P, sums.row.size, PAIRS)
    Ys = empty(P, PAIRS * most, n), empty(P, PAIRS * most, n), empty(P, PAIRS * most, n)
    T, B = empty(P, lanes(), TILE * n), empty(P, lanes(), TILE * nv + lanes())
    for b in range(states):
        near(tree, q[b], R, p, S)
        inertias(tree, R, p, I)
        across(tree, R, p, G)
        pad(Minv[b], 1.0, padded)
        pad(Minv[b], -1.0, negative)
        factors(tree, S, I, G, A, a, f, n, V)
        turn_all(V, VM)
        opposite(VM, n, U)
        pad(Q[b], 1.0, padded)
        factors(tree, S, I, G, A, a, f, n, VQ)
        pad(P[b], 1.0, padded)
        factors(tree, S, I, G, A, a, f, n, V)
        turn_all(V, VP)
        gather(sums, 0, x[b], ordered)
        gather(sums, 1, v[b], ordered)
        gather(sums, 2, z[b], ordered)
        for t in range(3):
            contract(sums, t, ordered, M, packs(Ys[t]))
        for i in range(0, nv, lanes()):
            h = min(lanes(), nv - i)
            for j in range(0, nv, TILE):
                e = min(j + TILE, nv)
                scatter(sums, 0, Ys[0], i, h, j, e, T)
                for s in range(FACTORS, FACTORS * sets, FACTORS):
                    along(U, VP, s, i, h, j, e, T, T, n)
                    turned(U, V, s, i, h, j, e, T, T, n)
                along(U, VP, 0, i, h, j, e, T, T, n)
                turned(U, V, 0, i, h, j, e, T, B, nv)
                hand_out(B, i, h, j * nv, e * nv, qq[b], past)
                scatter(sums, 1, Ys[1], i, h, j, e, T)
                alone(h, j, e, T, B, nv)
                hand_out(B, i, h, j * nv, e * nv, vv[b], past)
                scatter(sums, 2, Ys[2], i, h, j, e, T)
                for s in range(FACTORS, FACTORS * sets, FACTORS):
                    turned(U, VQ, s, i, h, j, e, T, T, n)
                turned(U, VQ, 0, i, h, j, e, T, B, nv)
                hand_out(B, i, h, j * nv, e * nv, qv[b], past)
                T[:, :] = 0.0
                for s in range(FACTORS, FACTORS * sets, FACTORS):
                    along(U, VM, s, i, h, j, e, T, T, n)
                along(U, VM, 0, i, h, j, e, T, B, nv)
                hand_out(B, i, h, j * nv, e * nv, dM[b], past)
