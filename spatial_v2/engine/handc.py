"""Composite-rigid-body algorithm in the ground frame, and the bias force."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.kin import apply_inertia, dot6, ground_inertia, near
from spatial_v2.engine.rnea import rnea

__all__ = ["handc", "mass_matrix"]


@jit
def mass_matrix(tree, q, H):
    """Fill H (B, nv, nv), zero before, with the joint-space inertia matrices at q (B, nq)."""
    nb, nv = tree.parent.size, H.shape[1]
    R, p, S = np.empty((nb, 3, 3)), np.empty((nb, 3)), np.empty((nv, 6))
    IC, F = np.empty((nb, 10)), np.empty(6)
    for b in range(H.shape[0]):
        near(tree, q[b], R, p, S)
        for i in range(nb):
            ground_inertia(tree.I[i], R[i], p[i], IC[i])
        for i in range(nb - 1, -1, -1):
            v0 = tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                apply_inertia(IC[i], S[k], F)
                j = i
                while j >= 0:
                    w0 = tree.joint[j, 3]
                    for t in range(w0, w0 + tree.joint[j, 4]):
                        H[b, k, t] = H[b, t, k] = dot6(S[t], F)
                    j = tree.parent[j]
            par = tree.parent[i]
            if par >= 0:
                for c in range(10):
                    IC[par, c] += IC[i, c]


@jit
def handc(tree, q, qd, f_ext, H, C):
    """H (B, nv, nv) and C (B, nv) with tau = H qdd + C."""
    mass_matrix(tree, q, H)
    rnea(tree, q, qd, np.zeros_like(qd), f_ext, C)
