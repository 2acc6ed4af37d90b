"""Derivatives of the joint-space inertia matrix: the part of IDSVA-SO that velocity is not in."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.inertia import apply_inertia, lie_inertia
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.path import path
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.triples import columns, composites, scalars
from spatial_v2.engine.vectors import six

__all__ = ["mass_derivatives"]


@inline
def derivatives(
    tree: Tree, S: Floats, IC: Floats, index: Ints, first: Ints, last: Ints, rows: Floats,
    M: Floats, a: Floats, b: Floats, d: Floats,
) -> None:  # fmt: skip
    """d (nv, nv, nv) of one state, triple by triple with the deepest variable p first."""
    for i in range(tree.parent.size):
        n = path(tree, i, index, first, last)
        columns(index, n, S, rows)
        for p in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            P = apply_inertia(IC[i], six(S[p]))
            lie_inertia(IC[i], six(S[p]), M)
            for x in range(n):
                t, m = index[x], last[x]
                scalars(P, M, six(S[t]), rows, m, a, b)
                for y in range(first[x]):
                    r = index[y]
                    d[p, r, t] = d[r, p, t] = b[y]
                if m < n:
                    for y in range(m):
                        r = index[y]
                        d[t, r, p] = d[r, t, p] = a[y]


@jit
def mass_derivatives(tree: Tree, q: Floats, dH: Floats) -> None:
    """dH (B, nv, nv, nv), zero before: the derivative of H_ij along q_k."""
    nb, nv = tree.parent.size, dH.shape[1]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    IC, rows, M = empty(q, nb + 1, 10), empty(q, 6, nv), empty(q, 9)
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    x, y = empty(q, nv), empty(q, nv)
    for b in range(q.shape[0]):
        composites(tree, q[b], R, p, S, IC)
        derivatives(tree, S, IC, index, first, last, rows, M, x, y, dH[b])
