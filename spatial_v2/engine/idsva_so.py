"""Second derivatives of inverse dynamics: IDSVA-SO in the ground frame, on compact matrices.

For each velocity variable p the matrices A0 .. A7 of Algorithm 1 reduce to a few vectors: A0, A4, A5
and A7 are xbar* of a force vector, A1 and A3 are the compact forms of `sweep`. For each t on the way
to the root the vectors u follow, and their products with all r between t and the root are formed
together over contiguous arrays.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import add_crf, apply_inertia
from spatial_v2.engine.sweep import (
    add_coriolis,
    add_lie_inertia,
    coriolis,
    forward,
    lie_coriolis,
    lie_inertia,
    transpose_coriolis,
)

__all__ = ["idsva_so"]


@jit
def path_to(tree, i, anc, first, last, S, psid, psidd, rate, Z):
    """Velocity variables from the root to body i, where each one's joint begins and ends; their rows.

    Z[0:6], Z[6:12], Z[12:18], Z[18:24] get the columns of S, psid, psidd and rate.
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
            for c in range(6):
                Z[c, at] = S[v0 + k, c]
                Z[6 + c, at] = psid[v0 + k, c]
                Z[12 + c, at] = psidd[v0 + k, c]
                Z[18 + c, at] = rate[v0 + k, c]
        end -= m
        j = tree.parent[j]
    return n


@inline
def dots(u, rows, Z, n, out):
    """out[r] += sum_c u[c] Z[rows + c, r] for r < n, over the six components."""
    for r in range(n):
        out[r] += (
            u[0] * Z[rows, r] + u[1] * Z[rows + 1, r] + u[2] * Z[rows + 2, r]
            + u[3] * Z[rows + 3, r] + u[4] * Z[rows + 4, r] + u[5] * Z[rows + 5, r]
        )  # fmt: skip


@inline
def dots3(x0, x1, x2, rows, Z, n, out):
    """out[r] = sum_c x[c] Z[rows + c, r] over three components, r < n."""
    for r in range(n):
        out[r] = x0 * Z[rows, r] + x1 * Z[rows + 1, r] + x2 * Z[rows + 2, r]


@jit
def products(P, M1, B3, c4, z5, z7, s, ds, dds, rs, Z, n, u, W):
    """The scalars of Algorithm 1 for one pair (p, t) and the first n variables r of the path.

    W[0] p1, W[1] p2, W[2] u1.psid + u2.psidd, W[3] u1.s + u2.rate, W[4] u3.s, W[5] u5.s + u9.rate,
    W[6] u6.s, W[7] u7.s, W[8] a = s.A1 s, W[9] b = s.A0 s. u (8, 6) is scratch space.
    """
    u[:, :] = 0.0
    W[:, :n] = 0.0
    u9, u12, e9, e12, u5, u6, u3, u7 = u[0], u[1], u[2], u[3], u[4], u[5], u[6], u[7]
    add_crf(s, P, u9)
    add_crf(ds, P, e9)
    add_lie_inertia(M1, s, u12)
    add_lie_inertia(M1, ds, e12)
    add_crf(s, z7, u6)
    for c in range(6):
        u5[c] = e9[c] - e12[c]
        u6[c] += e9[c] + e12[c]
    u5[0] -= c4[1] * s[2] - c4[2] * s[1]
    u5[1] -= c4[2] * s[0] - c4[0] * s[2]
    u5[2] -= c4[0] * s[1] - c4[1] * s[0]
    add_coriolis(B3, ds, u3)
    add_lie_inertia(M1, dds, u3)
    add_crf(s, z5, u3)
    add_coriolis(B3, s, u7)
    add_lie_inertia(M1, rs, u7)
    x0, x1, x2 = transpose_coriolis(B3, s)
    dots3(u12[0] - u9[0], u12[1] - u9[1], u12[2] - u9[2], 6, Z, n, W[0])
    dots(u5, 6, Z, n, W[1])
    dots(u9, 12, Z, n, W[1])
    dots3(x0, x1, x2, 6, Z, n, W[2])
    dots(u12, 12, Z, n, W[2])
    dots3(x0, x1, x2, 0, Z, n, W[3])
    dots(u12, 18, Z, n, W[3])
    dots(u3, 0, Z, n, W[4])
    dots(u5, 0, Z, n, W[5])
    dots(u9, 18, Z, n, W[5])
    dots(u6, 0, Z, n, W[6])
    dots(u7, 0, Z, n, W[7])
    dots(u12, 0, Z, n, W[8])
    dots(u9, 0, Z, n, W[9])


@jit
def store(p, t, anc, below, n, W, qq, vv, qv, dM):
    """Put the scalars of (p, t) into the tensors; `below` variables r come before the joint of t.

    The joint of t is a proper ancestor of the joint of p.
    """
    for x in range(n):
        r = anc[x]
        a, b = W[8, x], W[9, x]
        qq[p, t, r] = W[1, x]
        qv[p, r, t] = -W[0, x]
        qq[t, r, p] = qq[t, p, r] = W[2, x]
        qv[t, p, r] = W[3, x]
        qv[t, r, p] = W[0, x]
        vv[t, r, p] = vv[t, p, r] = a - b
        dM[r, t, p] = dM[t, r, p] = a
    for x in range(below):
        r = anc[x]
        a, b = W[8, x], W[9, x]
        qq[p, r, t] = W[1, x]
        qq[r, p, t] = qq[r, t, p] = W[4, x]
        vv[p, t, r] = vv[p, r, t] = b - a
        vv[r, p, t] = vv[r, t, p] = a + b
        qv[p, t, r] = W[5, x]
        qv[r, t, p] = W[6, x]
        qv[r, p, t] = W[7, x]
        dM[r, p, t] = dM[p, r, t] = b
    for x in range(below, n):
        vv[p, t, anc[x]] = -W[8, x]


@jit
def store_own(p, t, anc, below, n, W, qq, vv, qv, dM):
    """The same for t of the joint of p itself; W[7] here holds u4.s."""
    for x in range(n):
        r = anc[x]
        qq[p, t, r] = W[1, x]
        qv[p, r, t] = -W[0, x]
    for x in range(below):
        r = anc[x]
        a, b = W[8, x], W[9, x]
        qq[p, r, t] = W[1, x]
        qq[r, p, t] = W[4, x]
        vv[p, t, r] = vv[p, r, t] = b - a
        vv[r, t, p] = W[7, x]
        qv[p, t, r] = W[5, x]
        qv[r, t, p] = W[6, x]
        dM[r, p, t] = dM[p, r, t] = b
    for x in range(below, n):
        vv[p, t, anc[x]] = -W[8, x]


@jit
def idsva_so(tree, q, qd, qdd, qq, vv, qv, dM):
    """d2tau_dq, d2tau_dqd, d2tau_cross, dM_dq, each (B, nv, nv, nv), zero before."""
    nb, nv, batch = tree.parent.size, qd.shape[1], q.shape[0]
    R, p, M = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((2, 3, 3))
    S, psid, psidd = np.empty((nv, 6)), np.empty((nv, 6)), np.empty((nv, 6))
    rate, v, a = np.empty((nv, 6)), np.empty((nb, 6)), np.empty((nb, 6))
    IC, BC, fC = np.empty((nb, 10)), np.empty((nb, 12)), np.empty((nb, 6))
    anc, first, last = np.empty((3, nv), dtype=np.int64)
    Z, W, u = np.empty((24, nv)), np.empty((10, nv)), np.empty((8, 6))
    P, M1, B3, c4 = np.empty(6), np.empty(9), np.empty(12), np.empty(3)
    z5, z7, P4, scratch = np.empty(6), np.empty(6), np.empty(6), np.empty(9)
    for b in range(batch):
        forward(
            tree, q[b], qd[b], qdd[b], R, p, S, psid, psidd, rate, v, a, IC, BC, fC, M
        )
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
                    products(
                        P, M1, B3, c4, z5, z7, S[t], psid[t], psidd[t], rate[t], Z, m, u, W
                    )
                    if m == n:
                        apply_inertia(IC[i], S[t], P4)
                        u[0, :] = 0.0
                        add_crf(s, P4, u[0])
                        add_crf(S[t], P, u[0])
                        W[7, :m] = 0.0
                        dots(u[0], 0, Z, m, W[7])
                        store_own(k, t, anc, below, m, W, qq[b], vv[b], qv[b], dM[b])
                    else:
                        store(k, t, anc, below, m, W, qq[b], vv[b], qv[b], dM[b])
            par = tree.parent[i]
            if par >= 0:
                for c in range(12):
                    BC[par, c] += BC[i, c]
                for c in range(10):
                    IC[par, c] += IC[i, c]
                for c in range(6):
                    fC[par, c] += fC[i, c]
