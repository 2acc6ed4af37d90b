"""Second derivatives of forward dynamics for robots with few variables, in SIMD batches of states.

For few variables the tiles of `FD_SO_derivatives` would be narrower than SIMD registers, while the
data of a SIMD batch of states fits into the cache.
"""

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tensors.sums import Paired
from spatial_v2.engine.tree import Floats

Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


@part
def inverse_products(
    pairs: Paired, m: Floats, P: Floats, Q: Floats, M: Floats, MP: Floats, MQ: Floats, MM: Floats
) -> None:
    """Compute the products MP[k, j, a] = sum_b dM[a, b, k] P[b, j] from the values m of dM_dq.

    MQ and MM are the same products with Q and M in place of P.
    """
    n = P.shape[0]
    for a in range(n):
        for k in range(n):
            begin, end = pairs.first[3, a * n + k], pairs.first[3, a * n + k + 1]
            for j in range(0, n, 2):
                l = min(j + 1, n - 1)
                p = q = r = s = t = u = 0.0 * M[0, 0]
                for e in range(begin, end):
                    b, x = pairs.row[e], m[pairs.entry[e]]
                    p, q, r = p + x * P[b, j], q + x * Q[b, j], r + x * M[b, j]
                    s, t, u = s + x * P[b, l], t + x * Q[b, l], u + x * M[b, l]
                MP[k, j, a], MQ[k, j, a], MM[k, j, a] = p, q, r
                MP[k, l, a], MQ[k, l, a], MM[k, l, a] = s, t, u


@part
def add_pair(pairs: Paired, t: int, pair: int, x: Floats, y: Floats) -> None:
    """Add column `pair` = j n + k of tensor t, whose packed values are x, to y (n,)."""
    for e in range(pairs.first[t, pair], pairs.first[t, pair + 1]):
        y[pairs.row[e]] += x[pairs.entry[e]]


@part
def pair_columns(
    pairs: Paired, x: Floats, v: Floats, z: Floats, MP: Floats, MQ: Floats, MM: Floats,
    j: int, k: int, Y: Floats,
) -> None:  # fmt: skip
    """Compute the vectors that -H^-1 multiplies to columns (j, k) of the tensors, as rows of Y.

    Rows 0 to 3 give the columns (j, k) of qq, vv, qv and dM, rows 4 and 5 the columns (k, j) of qv
    and dM.
    """
    n = Y.shape[1]
    for a in range(n):
        Y[0, a], Y[1, a] = MP[k, j, a] + MP[j, k, a], 0.0
        Y[2, a], Y[3, a] = MQ[j, k, a], MM[k, j, a]
        Y[4, a], Y[5, a] = MQ[k, j, a], MM[j, k, a]
    add_pair(pairs, 0, j * n + k, x, Y[0])
    add_pair(pairs, 1, j * n + k, v, Y[1])
    add_pair(pairs, 2, j * n + k, z, Y[2])
    add_pair(pairs, 2, k * n + j, z, Y[4])


@part
def store_pair_columns(
    M: Floats, Y: Floats, j: int, k: int, apart: bool,
    qq: Floats, vv: Floats, qv: Floats, dM: Floats,
) -> None:  # fmt: skip
    """Compute the columns (j, k) and (k, j) of the tensors, minus M times the rows of Y.

    If `apart` is True, j and k are variables of different joints, and the columns (k, j) of qq and
    vv are equal to the columns (j, k).
    """
    n = Y.shape[1]
    jk, kj = j * n + k, k * n + j
    for i in range(0, n, 2):
        h = min(i + 1, n - 1)
        a = b = c = d = e = f = 0.0 * M[0, 0]
        o = p = q = r = s = t = 0.0 * M[0, 0]
        for l in range(n):
            x, y, u, v, w = M[l, i], M[l, h], Y[0, l], Y[1, l], Y[2, l]
            a, b, c, o, p, q = a - x * u, b - x * v, c - x * w, o - y * u, p - y * v, q - y * w
            u, v, w = Y[3, l], Y[4, l], Y[5, l]
            d, e, f, r, s, t = d - x * u, e - x * v, f - x * w, r - y * u, s - y * v, t - y * w
        if apart:
            qq[i, kj], vv[i, kj], qq[h, kj], vv[h, kj] = a, b, o, p
        qq[i, jk], vv[i, jk], qv[i, jk], dM[i, jk], qv[i, kj], dM[i, kj] = a, b, c, d, e, f
        qq[h, jk], vv[h, jk], qv[h, jk], dM[h, jk], qv[h, kj], dM[h, kj] = o, p, q, r, s, t


@jit
def FD_SO_derivatives_batched(pairs: Paired, first: Three, second: Four, out: Four) -> None:
    """Compute the four tensors of `FD_SO_derivatives`, each (B, nv, nv*nv).

    `first` are dqdd_dq, dqdd_dqd and H^-1 (B, nv, nv); `second` are the values of d2tau_dq,
    d2tau_dqd, d2tau_cross and dM_dq of inverse dynamics.
    """
    (P, Q, Minv), (x, v, z, m), (qq, vv, qv, dM) = first, second, out
    n = P.shape[1]
    MP, MQ, MM = empty(P, n, n, n), empty(P, n, n, n), empty(P, n, n, n)
    Y = empty(P, 6, n)
    for b in range(P.shape[0]):
        inverse_products(pairs, m[b], P[b], Q[b], Minv[b], MP, MQ, MM)
        for j in range(n):
            for k in range(n):
                apart = pairs.joint[j] != pairs.joint[k]
                if j <= k or not apart:
                    pair_columns(pairs, x[b], v[b], z[b], MP, MQ, MM, j, k, Y)
                    store_pair_columns(Minv[b], Y, j, k, apart, qq[b], vv[b], qv[b], dM[b])
