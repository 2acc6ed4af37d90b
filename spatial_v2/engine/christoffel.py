"""Christoffel symbols: Algorithm 2 of Echeandia and Wensing (2021) in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import jit
from spatial_v2.engine.triples import composites, deepest, scalars, way

__all__ = ["christoffel"]


@jit
def christoffel(tree, q, G):
    """G (B, nv, nv, nv), zero before, with ``C_ik = sum_j G_ijk qd_j``."""
    nb, nv = tree.parent.size, G.shape[1]
    R, pos = np.empty((nb, 3, 3)), np.empty((nb, 3))
    S, IC, rows = np.empty((nv, 6)), np.empty((nb, 10)), np.empty((6, nv))
    index, first, last = np.empty((3, nv), dtype=np.int64)
    P, M, u, w = np.empty(6), np.empty(9), np.empty(6), np.empty(6)
    a, b = np.empty((2, nv))
    for state in range(q.shape[0]):
        g = G[state]
        composites(tree, q[state], R, pos, S, IC)
        for i in range(nb):
            n = way(tree, i, S, index, first, last, rows)
            for p in index[first[n - 1] : n]:
                deepest(IC[i], S[p], P, M)
                for x in range(n):
                    t, above, m = index[x], first[x], last[x]
                    scalars(P, M, S[t], rows, m, u, w, a, b)
                    for y in range(above):
                        r = index[y]
                        g[p, t, r] = g[p, r, t] = 0.5 * (b[y] - a[y])
                        g[r, t, p] = 0.5 * (a[y] + b[y])
                    for y in range(above, m):
                        g[p, index[y], t] = 0.5 * (b[y] - a[y])
                    if m < n:
                        for y in range(m):
                            r = index[y]
                            g[t, p, r] = g[t, r, p] = 0.5 * (a[y] - b[y])
                        for y in range(above):
                            g[index[y], p, t] = 0.5 * (a[y] + b[y])
