"""The forward sweep of all derivatives, in the ground frame, and operators on compact matrices.

A composite inertia is ten numbers (see `kin.ground_inertia`). Twice a body Coriolis matrix,
``v x* I - I v x + (I v) xbar*``, is twelve: it is ``[T, 0; -2 h x, 0]`` with the linear momentum h
and ``T = w x Ib - Ib w x - (u x c x + c x u x) - n x`` (w, u: angular and linear velocity, c: first
moment, n: angular momentum), so it sees only the angular part of what it acts on. It is kept as T
row by row, then h.
"""

from __future__ import annotations

from spatial_v2.engine.compile import inline
from spatial_v2.engine.kin import add_crm, cross, ground_inertia
from spatial_v2.engine.local import shift_motion
from spatial_v2.engine.rnea import body_force

__all__ = [
    "add_coriolis",
    "add_lie_inertia",
    "coriolis",
    "forward",
    "gather",
    "lie_coriolis",
    "lie_inertia",
    "transpose_coriolis",
]


@inline
def lie_inertia(I, x, M):
    """``x x* I - I x x`` as six second moments xx yy zz xy xz yz in M[:6] and the force in M[6:9].

    The matrix is ``[M, d x; -d x, 0]`` with d the linear momentum of I moving with x.
    """
    w0, w1, w2, u0, u1, u2 = x[0], x[1], x[2], x[3], x[4], x[5]
    c0, c1, c2 = I[1], I[2], I[3]
    t = 2.0 * (u0 * c0 + u1 * c1 + u2 * c2)
    # w x Ib - Ib w x is K + K^T with K = w x Ib
    M[0] = 2.0 * (w1 * I[8] - w2 * I[7]) + t - 2.0 * u0 * c0
    M[1] = 2.0 * (w2 * I[7] - w0 * I[9]) + t - 2.0 * u1 * c1
    M[2] = 2.0 * (w0 * I[9] - w1 * I[8]) + t - 2.0 * u2 * c2
    M[3] = w1 * I[9] - w2 * I[5] + w2 * I[4] - w0 * I[8] - u0 * c1 - u1 * c0
    M[4] = w1 * I[6] - w2 * I[9] + w0 * I[7] - w1 * I[4] - u0 * c2 - u2 * c0
    M[5] = w2 * I[8] - w0 * I[6] + w0 * I[5] - w1 * I[7] - u1 * c2 - u2 * c1
    g0, g1, g2 = cross(w0, w1, w2, c0, c1, c2)
    M[6], M[7], M[8] = I[0] * u0 + g0, I[0] * u1 + g1, I[0] * u2 + g2


@inline
def add_lie_inertia(M, x, out):
    """out += M x for the matrix of `lie_inertia`."""
    d0, d1, d2 = cross(M[6], M[7], M[8], x[3], x[4], x[5])
    out[0] += M[0] * x[0] + M[3] * x[1] + M[4] * x[2] + d0
    out[1] += M[3] * x[0] + M[1] * x[1] + M[5] * x[2] + d1
    out[2] += M[4] * x[0] + M[5] * x[1] + M[2] * x[2] + d2
    d0, d1, d2 = cross(M[6], M[7], M[8], x[0], x[1], x[2])
    out[3] -= d0
    out[4] -= d1
    out[5] -= d2


@inline
def coriolis(I, x, M, B):
    """B = x x* I - I x x + (I x) xbar* as twelve numbers; M is scratch space of nine."""
    lie_inertia(I, x, M)
    k0, k1, k2 = cross(I[1], I[2], I[3], x[3], x[4], x[5])
    n0 = I[4] * x[0] + I[7] * x[1] + I[8] * x[2] + k0
    n1 = I[7] * x[0] + I[5] * x[1] + I[9] * x[2] + k1
    n2 = I[8] * x[0] + I[9] * x[1] + I[6] * x[2] + k2
    B[0], B[1], B[2] = M[0], M[3] + n2, M[4] - n1
    B[3], B[4], B[5] = M[3] - n2, M[1], M[5] + n0
    B[6], B[7], B[8] = M[4] + n1, M[5] - n0, M[2]
    B[9], B[10], B[11] = M[6], M[7], M[8]


@inline
def lie_coriolis(B, x, out):
    """out += x x* B - B x x, twelve numbers again."""
    w0, w1, w2 = x[0], x[1], x[2]
    h0, h1, h2 = B[9], B[10], B[11]
    # u x (-2 h x) = -2 (h u^T - (u . h) 1)
    t = 2.0 * (x[3] * h0 + x[4] * h1 + x[5] * h2)
    out[0] += w1 * B[6] - w2 * B[3] - (B[1] * w2 - B[2] * w1) - 2.0 * h0 * x[3] + t
    out[1] += w1 * B[7] - w2 * B[4] - (B[2] * w0 - B[0] * w2) - 2.0 * h0 * x[4]
    out[2] += w1 * B[8] - w2 * B[5] - (B[0] * w1 - B[1] * w0) - 2.0 * h0 * x[5]
    out[3] += w2 * B[0] - w0 * B[6] - (B[4] * w2 - B[5] * w1) - 2.0 * h1 * x[3]
    out[4] += w2 * B[1] - w0 * B[7] - (B[5] * w0 - B[3] * w2) - 2.0 * h1 * x[4] + t
    out[5] += w2 * B[2] - w0 * B[8] - (B[3] * w1 - B[4] * w0) - 2.0 * h1 * x[5]
    out[6] += w0 * B[3] - w1 * B[0] - (B[7] * w2 - B[8] * w1) - 2.0 * h2 * x[3]
    out[7] += w0 * B[4] - w1 * B[1] - (B[8] * w0 - B[6] * w2) - 2.0 * h2 * x[4]
    out[8] += w0 * B[5] - w1 * B[2] - (B[6] * w1 - B[7] * w0) - 2.0 * h2 * x[5] + t
    g0, g1, g2 = cross(w0, w1, w2, h0, h1, h2)
    out[9] += g0
    out[10] += g1
    out[11] += g2


@inline
def add_coriolis(B, x, out):
    """out += B x for a force vector out."""
    g0, g1, g2 = cross(x[0], x[1], x[2], B[9], B[10], B[11])
    out[0] += B[0] * x[0] + B[1] * x[1] + B[2] * x[2]
    out[1] += B[3] * x[0] + B[4] * x[1] + B[5] * x[2]
    out[2] += B[6] * x[0] + B[7] * x[1] + B[8] * x[2]
    out[3] += 2.0 * g0
    out[4] += 2.0 * g1
    out[5] += 2.0 * g2


@inline
def transpose_coriolis(B, x):
    """The angular part of B^T x; its linear part is zero."""
    g0, g1, g2 = cross(B[9], B[10], B[11], x[3], x[4], x[5])
    return (
        B[0] * x[0] + B[3] * x[1] + B[6] * x[2] + 2.0 * g0,
        B[1] * x[0] + B[4] * x[1] + B[7] * x[2] + 2.0 * g1,
        B[2] * x[0] + B[5] * x[1] + B[8] * x[2] + 2.0 * g2,
    )


@inline
def forward(tree, qd, qdd, R, p, d, S, psid, psidd, rate, v, a, IC, BC, fC, M):
    """Fill the velocity-dependent quantities of one state: Algorithm 1, lines 1-11.

    rate = psid + Sd, BC is twice the body Coriolis matrix as twelve numbers, IC ten numbers, and fC
    the force on each body alone. All are about the points from which p leads to the bodies'
    origins: p their positions and d zero for one common point, p zero and d the distances from the
    parents' origins for each body's own. M (9,) is scratch space.
    """
    for i in range(tree.parent.size):
        par, v0, v1 = tree.parent[i], tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]
        if par < 0:
            v[i, :] = 0.0
            a[i, :] = 0.0
            for c in range(3):
                a[i, 3 + c] = -tree.gravity[c]
        else:
            shift_motion(d[i], v[par], v[i])
            shift_motion(d[i], a[par], a[i])
        for k in range(v0, v1):
            psid[k, :] = 0.0
            psidd[k, :] = 0.0
            add_crm(v[i], S[k], psid[k])
            add_crm(a[i], S[k], psidd[k])
            add_crm(v[i], psid[k], psidd[k])
        vJ = M[:6]
        vJ[:] = 0.0
        for k in range(v0, v1):
            for c in range(6):
                vJ[c] += S[k, c] * qd[k]
                a[i, c] += S[k, c] * qdd[k]
        for c in range(6):
            v[i, c] += vJ[c]
        add_crm(v[i], vJ, a[i])
        for k in range(v0, v1):
            for c in range(6):
                rate[k, c] = psid[k, c]
            add_crm(v[i], S[k], rate[k])
        ground_inertia(tree.I[i], R[i], p[i], IC[i])
        coriolis(IC[i], v[i], M, BC[i])
        body_force(tree.I[i], R[i], p[i], v[i], a[i], fC[i])


@inline
def gather(par, i, IC, BC, fC):
    """Add what body i carries to what its parent does."""
    if par >= 0:
        for c in range(12):
            BC[par, c] += BC[i, c]
        for c in range(10):
            IC[par, c] += IC[i, c]
        for c in range(6):
            fC[par, c] += fC[i, c]
