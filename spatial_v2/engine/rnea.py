"""Recursive Newton-Euler algorithm in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import add_crm, add_force, cross, dot6, near

__all__ = ["body_force", "rnea"]


@inline
def body_force(I, R, p, v, a, f):
    """f = I a + v x* I v in ground coordinates, computed about the body's origin."""
    w = v[:3]
    # velocity and acceleration of the body's origin, then everything in body axes
    u0, u1, u2 = cross(w[0], w[1], w[2], p[0], p[1], p[2])
    u0, u1, u2 = u0 + v[3], u1 + v[4], u2 + v[5]
    c0, c1, c2 = cross(a[0], a[1], a[2], p[0], p[1], p[2])
    d0, d1, d2 = cross(w[0], w[1], w[2], u0, u1, u2)
    c0, c1, c2 = c0 + d0 + a[3], c1 + d1 + a[4], c2 + d2 + a[5]
    wb = (
        R[0, 0] * w[0] + R[1, 0] * w[1] + R[2, 0] * w[2],
        R[0, 1] * w[0] + R[1, 1] * w[1] + R[2, 1] * w[2],
        R[0, 2] * w[0] + R[1, 2] * w[1] + R[2, 2] * w[2],
    )
    ab = (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )
    cb = (
        R[0, 0] * c0 + R[1, 0] * c1 + R[2, 0] * c2,
        R[0, 1] * c0 + R[1, 1] * c1 + R[2, 1] * c2,
        R[0, 2] * c0 + R[1, 2] * c1 + R[2, 2] * c2,
    )
    m = I[5, 5]
    h0, h1, h2 = I[2, 4], I[0, 5], I[1, 3]
    e0, e1, e2 = cross(wb[0], wb[1], wb[2], h0, h1, h2)
    e0, e1, e2 = cross(wb[0], wb[1], wb[2], e0, e1, e2)
    g0, g1, g2 = cross(ab[0], ab[1], ab[2], h0, h1, h2)
    f0, f1, f2 = m * cb[0] + g0 + e0, m * cb[1] + g1 + e1, m * cb[2] + g2 + e2
    L0 = I[0, 0] * wb[0] + I[0, 1] * wb[1] + I[0, 2] * wb[2]
    L1 = I[1, 0] * wb[0] + I[1, 1] * wb[1] + I[1, 2] * wb[2]
    L2 = I[2, 0] * wb[0] + I[2, 1] * wb[1] + I[2, 2] * wb[2]
    n0, n1, n2 = cross(wb[0], wb[1], wb[2], L0, L1, L2)
    k0, k1, k2 = cross(h0, h1, h2, cb[0], cb[1], cb[2])
    n0 += k0 + I[0, 0] * ab[0] + I[0, 1] * ab[1] + I[0, 2] * ab[2]
    n1 += k1 + I[1, 0] * ab[0] + I[1, 1] * ab[1] + I[1, 2] * ab[2]
    n2 += k2 + I[2, 0] * ab[0] + I[2, 1] * ab[1] + I[2, 2] * ab[2]
    for r in range(3):
        f[3 + r] = R[r, 0] * f0 + R[r, 1] * f1 + R[r, 2] * f2
        f[r] = R[r, 0] * n0 + R[r, 1] * n1 + R[r, 2] * n2
    k0, k1, k2 = cross(p[0], p[1], p[2], f[3], f[4], f[5])
    f[0] += k0
    f[1] += k1
    f[2] += k2


@jit
def rnea(tree, q, qd, qdd, f_ext, tau):
    """Joint forces tau (B, nv) of the motions q, qd, qdd (B, n)."""
    nb, nv, batch = tree.parent.size, qd.shape[1], q.shape[0]
    R, p, S = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((nv, 6))
    v, a, f, vJ = np.empty((nb, 6)), np.empty((nb, 6)), np.empty((nb, 6)), np.empty(6)
    for b in range(batch):
        o = near(tree, q[b], R, p, S)
        for i in range(nb):
            par, v0 = tree.parent[i], tree.joint[i, 3]
            vJ[:] = 0.0
            a[i, :] = 0.0
            for k in range(v0, v0 + tree.joint[i, 4]):
                for c in range(6):
                    vJ[c] += S[k, c] * qd[b, k]
                    a[i, c] += S[k, c] * qdd[b, k]
            if par < 0:
                for c in range(6):
                    v[i, c] = vJ[c]
                for c in range(3):
                    a[i, 3 + c] -= tree.gravity[c]
            else:
                for c in range(6):
                    v[i, c] = v[par, c] + vJ[c]
                    a[i, c] += a[par, c]
            add_crm(v[i], vJ, a[i])
            body_force(tree.I[i], R[i], p[i], v[i], a[i], f[i])
            if f_ext.size:
                add_force(f_ext[b, i], o, -1.0, f[i])
        for i in range(nb - 1, -1, -1):
            par, v0 = tree.parent[i], tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                tau[b, k] = dot6(S[k], f[i])
            if par >= 0:
                for c in range(6):
                    f[par, c] += f[i, c]
