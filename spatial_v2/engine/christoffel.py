"""Christoffel symbols: Algorithm 2 of Echeandia and Wensing (2021) in the ground frame."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_inertia, lie_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.path import path
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.triples import columns, composites, scalars
from spatial_v2.engine.vectors import six

__all__ = ["christoffel"]


@inline
def symbols(
    tree: Tree, S: Floats, IC: Floats, index: Ints, first: Ints, last: Ints, rows: Floats,
    M: Floats, a: Floats, b: Floats, g: Floats,
) -> None:  # fmt: skip
    """g (nv, nv, nv) of one state, triple by triple with the deepest variable p first."""
    for i in range(tree.parent.size):
        n = path(tree, i, index, first, last)
        columns(index, n, S, rows)
        for p in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            P = apply_inertia(IC[i], six(S[p]))
            lie_inertia(IC[i], six(S[p]), M)
            for x in range(n):
                t, above, m = index[x], first[x], last[x]
                scalars(P, M, six(S[t]), rows, m, a, b)
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
            g[p, p, p] = 0.0


@jit
def christoffel(tree: Tree, q: Floats, G: Floats) -> None:
    """G (B, nv, nv, nv), zero before, with ``C_ik = sum_j G_ijk qd_j``."""
    nb, nv = tree.parent.size, G.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    IC, rows, M = empty(q, nb + 1, 10), empty(q, 6, nv), empty(q, 9)
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    x, y = empty(q, nv), empty(q, nv)
    for b in range(q.shape[0]):
        composites(tree, q[b], R, p, S, IC)
        symbols(tree, S, IC, index, first, last, rows, M, x, y, G[b])
