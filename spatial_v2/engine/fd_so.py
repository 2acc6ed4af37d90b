"""Second derivatives of forward dynamics from what they are made of, state by state.

Entries of the derivatives of H and of the joint force are zero for most triples of variables; what
is left is summed, for each pair (j, k) of the other indices, with rows of the inverse of H:

    Y[(j,k), i] = sum_a Minv[i,a] d2tau[a,j,k],    E[(l,k), i] = sum_a Minv[i,a] dM_dq[a,l,k].

Then only sums over the l on one way with k remain, D(X)[i,j,k] = sum_l E[(l,k), i] X[l,j].
As many i as a pack has lanes are treated at a time; see `lanes.beside`.
"""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.dense import copy
from spatial_v2.engine.lanes.beside import lanes, packs, turn_rows
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.sums import Sums
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["fd_so"]

Eight = tuple[float, float, float, float, float, float, float, float]


@part
def contract(sums: Sums, t: int, x: Floats, M: Floats, Y: Floats) -> None:
    """Y[(j,k), i] for the pairs of tensor t with the values x; zero in the row after the last."""
    begin = sums.begin[t]
    pairs = sums.begin[t + 1] - begin
    for y in range(pairs):
        for c in range(0, M.shape[1], 4):
            a0, a1, a2, a3 = 0.0, 0.0, 0.0, 0.0
            b0, b1, b2, b3 = 0.0, 0.0, 0.0, 0.0
            for e in range(sums.first[begin + y], sums.first[begin + y + 1], 2):
                z, r = x[sums.entry[e]], sums.row[e]
                a0 += z * M[r, c]
                a1 += z * M[r, c + 1]
                a2 += z * M[r, c + 2]
                a3 += z * M[r, c + 3]
                z, r = x[sums.entry[e + 1]], sums.row[e + 1]
                b0 += z * M[r, c]
                b1 += z * M[r, c + 1]
                b2 += z * M[r, c + 2]
                b3 += z * M[r, c + 3]
            Y[y, c], Y[y, c + 1], Y[y, c + 2], Y[y, c + 3] = a0 + b0, a1 + b1, a2 + b2, a3 + b3
    for c in range(M.shape[1]):
        Y[pairs, c] = 0.0


@inline
def plus_row(a: Eight, e: float, X: Floats, l: int, j: int) -> Eight:
    """a + e X[l, j:j+8]."""
    return (
        a[0] + e * X[l, j], a[1] + e * X[l, j + 1], a[2] + e * X[l, j + 2], a[3] + e * X[l, j + 3],
        a[4] + e * X[l, j + 4], a[5] + e * X[l, j + 5], a[6] + e * X[l, j + 6],
        a[7] + e * X[l, j + 7],
    )  # fmt: skip


@inline
def put_column(a: Eight, j: int, k: int, D: Floats) -> None:
    """D[j:j+8, k] = a."""
    D[j, k], D[j + 1, k], D[j + 2, k], D[j + 3, k] = a[0], a[1], a[2], a[3]
    D[j + 4, k], D[j + 5, k], D[j + 6, k], D[j + 7, k] = a[4], a[5], a[6], a[7]


@part
def product(where: Ints, other: Ints, E: Floats, c: int, X: Floats, D: Floats) -> None:
    """D[j, k] = sum_l E[(l,k)] X[l, j] for the packs c and c + 1; E ends with zeros."""
    zero = E[E.shape[0] - 1, c]
    for k in range(X.shape[0]):
        for j in range(0, X.shape[1], 8):
            a = zero, zero, zero, zero, zero, zero, zero, zero
            b = a
            for y in range(where[k], where[k + 1]):
                l = other[y]
                a = plus_row(a, E[y, c], X, l, j)
                b = plus_row(b, E[y, c + 1], X, l, j)
            put_column(a, j, k, D[0])
            put_column(b, j, k, D[1])


@part
def pad(x: Floats, out: Floats) -> None:
    """The matrix x, and zeros beside it and below."""
    out[:, :] = 0.0
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j]


@part
def hand_out(X: Floats, tile: Floats, out: Floats, c: int, past: bool) -> None:
    """The packs X (1, nv nv) to the rows of out (nv, nv nv) from row c LANES on."""
    turn_rows(X, tile)
    first = c * lanes()
    for lane in range(min(lanes(), out.shape[0] - first)):
        copy(tile[lane], out[first + lane], past)


@part
def assemble(place: Ints, Y: Floats, c: int, D: Floats, with_first: bool, X: Floats) -> None:
    """X[0, (j,k)] = -(Y[(j,k)] + D[k, j]), and - D[j, k] if so asked, for the pack c."""
    n = place.shape[0]
    for j in range(n):
        for k in range(n):
            x = Y[place[j, k], c] + D[k, j]
            if with_first:
                x += D[j, k]
            X[0, j * n + k] = -x


@part
def negative(Y: Floats, place: Ints, c: int, X: Floats) -> None:
    """X[0, (j,k)] = -Y[(j,k)] for the pack c."""
    n = place.shape[0]
    for j in range(n):
        for k in range(n):
            X[0, j * n + k] = -Y[place[j, k], c]


@part
def negative_product(D: Floats, X: Floats) -> None:
    """X[0, (j,k)] = -D[j, k]."""
    n = D.shape[1]
    for j in range(n):
        for k in range(n):
            X[0, j * n + k] = -D[j, k]


@jit
def fd_so(
    sums: Sums, past: bool, P: Floats, Q: Floats, Minv: Floats, x: Floats, v: Floats, z: Floats,
    m: Floats, qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> None:  # fmt: skip
    """The four tensors (B, nv, nv nv) from dqdd_dq, dqdd_dqd, H^-1 and the values of the others.

    `past` says whether they are written past the cache.
    """
    states, nv = qq.shape[0], qq.shape[1]
    most, packed = (nv + 7) // 8 * 8, (nv + 4 * lanes() - 1) // (4 * lanes()) * 4
    padded, A, B = empty(P, nv + 1, packed * lanes()), empty(P, nv, most), empty(P, nv, most)
    M = packs(padded)
    n, largest = (nv + lanes() - 1) // lanes(), 0
    for t in range(3):
        largest = max(largest, sums.begin[t + 1] - sums.begin[t])
    Y, E = empty(M, largest + 1, packed), empty(M, sums.other.size + 1, packed)
    D, X, tile = empty(M, 2, most, nv), empty(M, 1, nv * nv), empty(P, lanes(), nv * nv)
    for b in range(states):
        pad(Minv[b], padded)
        contract(sums, 3, m[b], M, E)
        contract(sums, 0, x[b], M, Y)
        pad(P[b], A)
        for c in range(n):
            if c % 2 == 0:
                product(sums.where, sums.other, E, c, A, D)
            assemble(sums.place[0], Y, c, D[c % 2], True, X)
            hand_out(X, tile, qq[b], c, past)
        contract(sums, 1, v[b], M, Y)
        for c in range(n):
            negative(Y, sums.place[1], c, X)
            hand_out(X, tile, vv[b], c, past)
        contract(sums, 2, z[b], M, Y)
        pad(Q[b], A)
        pad(Minv[b], B)
        for c in range(n):
            if c % 2 == 0:
                product(sums.where, sums.other, E, c, A, D)
            assemble(sums.place[2], Y, c, D[c % 2], False, X)
            hand_out(X, tile, qv[b], c, past)
        for c in range(n):
            if c % 2 == 0:
                product(sums.where, sums.other, E, c, B, D)
            negative_product(D[c % 2], X)
            hand_out(X, tile, dM[b], c, past)
