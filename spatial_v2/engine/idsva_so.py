"""Second derivatives of inverse dynamics: IDSVA-SO in the ground frame, on compact matrices.

For each velocity variable p the matrices A0 .. A7 of Algorithm 1 reduce to a few vectors: A0, A4,
A5 and A7 are xbar* of a force vector, A1 and A3 are the compact forms of `sweep`. For each t on the
way to the root the vectors u follow, and their products with all r between t and the root are
formed together over contiguous arrays.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import add_crf, apply_inertia, near
from spatial_v2.engine.sweep import (
    add_coriolis,
    add_lie_inertia,
    coriolis,
    forward,
    gather,
    lie_coriolis,
    lie_inertia,
    transpose_coriolis,
)

__all__ = ["idsva_so"]


LANES = 16
"""Variables r are treated sixteen at a time; their rows lie lane by lane in blocks."""


@jit
def path_to(tree, i, anc, first, last, S, psid, psidd, rate, Z):
    """Velocity variables from the root to body i, the ends of each one's joint, and their rows.

    Rows 0-5, 6-11, 12-17, 18-23 of a block of Z get the columns of S, psid, psidd and rate.
    """
    n, j = 0, i
    while j >= 0:
        n += tree.joint[j, 4]
        j = tree.parent[j]
    end, j = n, i
    while j >= 0:
        v0, m = tree.joint[j, 3], tree.joint[j, 4]
        for k in range(m):
            at = end - m + k
            anc[at], first[at], last[at] = v0 + k, end - m, end
            z = (at // LANES) * 24 * LANES + at % LANES
            for c in range(6):
                Z[z + c * LANES] = S[v0 + k, c]
                Z[z + (6 + c) * LANES] = psid[v0 + k, c]
                Z[z + (12 + c) * LANES] = psidd[v0 + k, c]
                Z[z + (18 + c) * LANES] = rate[v0 + k, c]
        end -= m
        j = tree.parent[j]
    return n


@inline
def product(u, row, Z, z):
    """sum_c u[c] Z[row + c] in lane z."""
    z += row * LANES
    return (
        u[0] * Z[z] + u[1] * Z[z + LANES] + u[2] * Z[z + 2 * LANES]
        + u[3] * Z[z + 3 * LANES] + u[4] * Z[z + 4 * LANES] + u[5] * Z[z + 5 * LANES]
    )  # fmt: skip


@inline
def product3(u, row, Z, z):
    """The same over three components."""
    z += row * LANES
    return u[0] * Z[z] + u[1] * Z[z + LANES] + u[2] * Z[z + 2 * LANES]


@inline
def six(u):
    """The components of a vector, for registers."""
    return u[0], u[1], u[2], u[3], u[4], u[5]


@jit
def products(P, M1, B3, c4, z5, z7, s, ds, dds, rs, Z, n, u, W):
    """The scalars of Algorithm 1 for one pair (p, t) and the first n variables r of the path.

    Rows of a block of W: 0 p1, 1 p2, 2 u1.psid + u2.psidd, 3 u1.s + u2.rate, 4 u3.s, 5 u5.s +
    u9.rate, 6 u6.s, 7 u7.s, 8 a = s.A1 s, 9 b = s.A0 s. u (8, 6) is scratch space.
    """
    u[:, :] = 0.0
    add_crf(s, P, u[0])
    add_lie_inertia(M1, s, u[1])
    add_crf(ds, P, u[2])
    add_lie_inertia(M1, ds, u[3])
    add_crf(s, z7, u[5])
    for c in range(6):
        u[4, c] = u[2, c] - u[3, c]
        u[5, c] += u[2, c] + u[3, c]
    u[4, 0] -= c4[1] * s[2] - c4[2] * s[1]
    u[4, 1] -= c4[2] * s[0] - c4[0] * s[2]
    u[4, 2] -= c4[0] * s[1] - c4[1] * s[0]
    add_coriolis(B3, ds, u[6])
    add_lie_inertia(M1, dds, u[6])
    add_crf(s, z5, u[6])
    add_coriolis(B3, s, u[7])
    add_lie_inertia(M1, rs, u[7])
    u1 = transpose_coriolis(B3, s)
    u9, u12, u5, u6, u3, u7 = six(u[0]), six(u[1]), six(u[4]), six(u[5]), six(u[6]), six(u[7])
    u11 = u12[0] - u9[0], u12[1] - u9[1], u12[2] - u9[2]
    for block in range((n + LANES - 1) // LANES):
        w = block * 10 * LANES
        for lane in range(LANES):
            z, x = block * 24 * LANES + lane, w + lane
            W[x] = product3(u11, 6, Z, z)
            W[x + LANES] = product(u5, 6, Z, z) + product(u9, 12, Z, z)
            W[x + 2 * LANES] = product3(u1, 6, Z, z) + product(u12, 12, Z, z)
            W[x + 3 * LANES] = product3(u1, 0, Z, z) + product(u12, 18, Z, z)
            W[x + 4 * LANES] = product(u3, 0, Z, z)
            W[x + 5 * LANES] = product(u5, 0, Z, z) + product(u9, 18, Z, z)
            W[x + 6 * LANES] = product(u6, 0, Z, z)
            W[x + 7 * LANES] = product(u7, 0, Z, z)
            W[x + 8 * LANES] = product(u12, 0, Z, z)
            W[x + 9 * LANES] = product(u9, 0, Z, z)


@jit
def store(p, t, anc, below, n, W, qq, vv, qv, dM):
    """Put the scalars of (p, t) into the tensors; `below` variables r come before the joint of t.

    The joint of t is a proper ancestor of the joint of p.
    """
    for x in range(n):
        r, w = anc[x], (x // LANES) * 10 * LANES + x % LANES
        a, b = W[w + 8 * LANES], W[w + 9 * LANES]
        qq[p, t, r] = W[w + LANES]
        qv[p, r, t] = -W[w]
        qq[t, r, p] = qq[t, p, r] = W[w + 2 * LANES]
        qv[t, p, r] = W[w + 3 * LANES]
        qv[t, r, p] = W[w]
        vv[t, r, p] = vv[t, p, r] = a - b
        dM[r, t, p] = dM[t, r, p] = a
    for x in range(below):
        r, w = anc[x], (x // LANES) * 10 * LANES + x % LANES
        a, b = W[w + 8 * LANES], W[w + 9 * LANES]
        qq[p, r, t] = W[w + LANES]
        qq[r, p, t] = qq[r, t, p] = W[w + 4 * LANES]
        vv[p, t, r] = vv[p, r, t] = b - a
        vv[r, p, t] = vv[r, t, p] = a + b
        qv[p, t, r] = W[w + 5 * LANES]
        qv[r, t, p] = W[w + 6 * LANES]
        qv[r, p, t] = W[w + 7 * LANES]
        dM[r, p, t] = dM[p, r, t] = b
    for x in range(below, n):
        vv[p, t, anc[x]] = -W[(x // LANES) * 10 * LANES + x % LANES + 8 * LANES]


@jit
def store_own(p, t, anc, below, n, W, qq, vv, qv, dM):
    """The same for t of the joint of p itself; W[7] here holds u4.s."""
    for x in range(n):
        r, w = anc[x], (x // LANES) * 10 * LANES + x % LANES
        qq[p, t, r] = W[w + LANES]
        qv[p, r, t] = -W[w]
    for x in range(below):
        r, w = anc[x], (x // LANES) * 10 * LANES + x % LANES
        a, b = W[w + 8 * LANES], W[w + 9 * LANES]
        qq[p, r, t] = W[w + LANES]
        qq[r, p, t] = W[w + 4 * LANES]
        vv[p, t, r] = vv[p, r, t] = b - a
        vv[r, t, p] = W[w + 7 * LANES]
        qv[p, t, r] = W[w + 5 * LANES]
        qv[r, t, p] = W[w + 6 * LANES]
        dM[r, p, t] = dM[p, r, t] = b
    for x in range(below, n):
        vv[p, t, anc[x]] = -W[(x // LANES) * 10 * LANES + x % LANES + 8 * LANES]


@jit
def idsva_so(tree, q, qd, qdd, qq, vv, qv, dM):
    """d2tau_dq, d2tau_dqd, d2tau_cross, dM_dq, each (B, nv, nv, nv), zero before."""
    nb, nv, batch = tree.parent.size, qd.shape[1], q.shape[0]
    R, p, still, M = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.zeros((nb, 3)), np.empty(9)
    S, psid, psidd = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    rate, v, a = np.empty((nv, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    IC, BC, fC = np.empty((nb, 10)), np.empty((nb, 12)), np.empty((nb, 6))
    anc, first, last = np.empty((3, nv), dtype=np.int64)
    blocks = (nv + LANES - 1) // LANES
    Z, W, u = np.zeros(blocks * 24 * LANES), np.empty(blocks * 10 * LANES), np.empty((8, 6))
    P, M1, B3, c4 = np.empty(6), np.empty(9), np.empty(12), np.empty(3)
    z5, z7, P4, scratch = np.empty(6), np.empty(6), np.empty(6), np.empty(9)
    for b in range(batch):
        near(tree, q[b], R, p, S)
        forward(tree, qd[b], qdd[b], R, p, still, S, psid, psidd, rate, v, a, IC, BC, fC, M)
        for i in range(nb - 1, -1, -1):
            n = path_to(tree, i, anc, first, last, S, psid, psidd, rate, Z)
            v0 = tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                s = S[k]
                apply_inertia(IC[i], s, P)
                lie_inertia(IC[i], s, M1)
                coriolis(IC[i], psid[k], scratch, B3)
                lie_coriolis(BC[i], s, B3)
                c4[0], c4[1], c4[2] = transpose_coriolis(BC[i], s)
                apply_inertia(IC[i], psidd[k], z5)
                add_coriolis(BC[i], psid[k], z5)
                add_crf(s, fC[i], z5)
                apply_inertia(IC[i], rate[k], z7)
                add_coriolis(BC[i], s, z7)
                for x in range(n):
                    t, below, m = anc[x], first[x], last[x]
                    products(P, M1, B3, c4, z5, z7, S[t], psid[t], psidd[t], rate[t], Z, m, u, W)
                    if m == n:
                        apply_inertia(IC[i], S[t], P4)
                        u[0, :] = 0.0
                        add_crf(s, P4, u[0])
                        add_crf(S[t], P, u[0])
                        for y in range(m):
                            z = (y // LANES) * 24 * LANES + y % LANES
                            w = (y // LANES) * 10 * LANES + y % LANES
                            W[w + 7 * LANES] = product(u[0], 0, Z, z)
                        store_own(k, t, anc, below, m, W, qq[b], vv[b], qv[b], dM[b])
                    else:
                        store(k, t, anc, below, m, W, qq[b], vv[b], qv[b], dM[b])
            par = tree.parent[i]
            gather(par, i, IC, BC, fC)
