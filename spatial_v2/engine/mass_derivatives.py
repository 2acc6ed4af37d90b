"""Derivatives of the joint-space inertia matrix: the part of IDSVA-SO that velocity is not in."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.triples import composites, deepest, scalars, way

__all__ = ["mass_derivatives"]


@jit
def mass_derivatives(tree, q, dH):
    """dH (B, nv, nv, nv), zero before: the derivative of H_ij along q_k."""
    nb, nv = tree.parent.size, dH.shape[1]
    R, pos = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, IC, rows = np.empty((nv, 6)), np.empty((nb, 10)), np.empty((6, nv))
    index, first, last = np.empty((3, nv), dtype=np.int64)
    P, M, u, w = np.empty(6), np.empty(9), np.empty(6), np.empty(6)
    a, b = np.empty((2, nv))
    for state in range(q.shape[0]):
        d = dH[state]
        composites(tree, q[state], R, pos, S, IC)
        for i in range(nb):
            n = way(tree, i, S, index, first, last, rows)
            for p in index[first[n - 1] : n]:
                deepest(IC[i], S[p], P, M)
                for x in range(n):
                    t, m = index[x], last[x]
                    scalars(P, M, S[t], rows, m, u, w, a, b)
                    for y in range(first[x]):
                        r = index[y]
                        d[p, r, t] = d[r, p, t] = b[y]
                    if m < n:
                        for y in range(m):
                            r = index[y]
                            d[t, r, p] = d[r, t, p] = a[y]
