"""The centroidal momentum matrix."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import apply_inertia, cross, ground_inertia, poses

__all__ = ["centroidal", "gather", "moved"]


@inline
def gather(tree, M):
    """Sums of the rows of M over subtrees, in place; M[-1] gets the sum over the whole tree."""
    nb = tree.parent.size
    M[nb, :] = 0.0
    for i in range(nb - 1, -1, -1):
        par = tree.parent[i] if tree.parent[i] >= 0 else nb
        for c in range(M.shape[1]):
            M[par, c] += M[i, c]


@inline
def moved(f, c0, c1, c2, A, b, k):
    """Column k of A[b] is the force f about the point c instead of the origin."""
    n0, n1, n2 = cross(c0, c1, c2, f[3], f[4], f[5])
    A[b, 0, k], A[b, 1, k], A[b, 2, k] = f[0] - n0, f[1] - n1, f[2] - n2
    A[b, 3, k], A[b, 4, k], A[b, 5, k] = f[3], f[4], f[5]


@jit
def centroidal(tree, q, A):
    """A (B, 6, nv)."""
    nb, nv = tree.parent.size, A.shape[2]
    R, p = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, IC, f = np.empty((nv, 6)), np.empty((nb + 1, 10)), np.empty(6)
    for b in range(q.shape[0]):
        poses(tree, q[b], R, p, S)
        for i in range(nb):
            ground_inertia(tree.I[i], R[i], p[i], IC[i])
        gather(tree, IC)
        total = IC[nb]
        c0, c1, c2 = total[1] / total[0], total[2] / total[0], total[3] / total[0]
        for i in range(nb):
            v0 = tree.joint[i, 3]
            for k in range(v0, v0 + tree.joint[i, 4]):
                apply_inertia(IC[i], S[k], f)
                moved(f, c0, c1, c2, A, b, k)
