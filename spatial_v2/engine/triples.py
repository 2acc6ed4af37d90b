"""The two scalars of each triple of velocity variables that H varies by.

With p the deepest of three variables on one way to the root and t, r at or above it, they are
``a = s_r . (s_p x* IC - IC s_p x) s_t`` and ``b = s_r . ((IC s_p) xbar*) s_t``, IC being the
composite inertia that p moves. Christoffel symbols and derivatives of H are made of nothing else.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.inertia import apply_inertia, apply_lie_inertia, ground_inertia, lie_inertia
from spatial_v2.engine.numbers import abreast, empty
from spatial_v2.engine.path import path
from spatial_v2.engine.poses import near
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.values import MARGIN, lay, pour, pour_rest, slot
from spatial_v2.engine.vectors import Six, crf, fold, six

__all__ = ["triples"]


@inline
def composites(tree: Tree, q: Floats, R: Floats, p: Floats, S: Floats, IC: Floats) -> None:
    """Motion subspaces S and composite inertias IC of one state."""
    near(tree, q, R, p, S)
    for i in range(tree.parent.size):
        ground_inertia(tree.I[i], R[i], p[i], IC[i])
    for i in range(tree.parent.size - 1, -1, -1):
        fold(IC[i], IC[tree.parent[i]])


@inline
def columns(index: Ints, n: int, S: Floats, Z: Floats) -> None:
    """The blocks of Z get the motion subspaces of the variables index[:n]."""
    m = abreast(Z)
    for x in range(n):
        for c in range(6):
            Z[slot(x, 6, m) + c * m] = S[index[x], c]


@part
def scalars(P: Six, M: Floats, s: Six, Z: Floats, n: int, W: Floats) -> None:
    """a, b, (a - b) / 2 and (a + b) / 2 for the variable s and the first n of the way.

    P is the momentum IC s_p, M the matrix of `lie_inertia`; they are the rows of the blocks of W.
    """
    u0, u1, u2, u3, u4, u5 = apply_lie_inertia(M, s)
    w0, w1, w2, w3, w4, w5 = crf(s, P)
    m = abreast(Z)
    for block in range((n + m - 1) // m):
        for column in range(m):
            w, z = block * 4 * m + column, block * 6 * m + column
            r0, r1, r2 = Z[z], Z[z + m], Z[z + 2 * m]
            r3, r4, r5 = Z[z + 3 * m], Z[z + 4 * m], Z[z + 5 * m]
            a = u0 * r0 + u1 * r1 + u2 * r2 + u3 * r3 + u4 * r4 + u5 * r5
            b = w0 * r0 + w1 * r1 + w2 * r2 + w3 * r3 + w4 * r4 + w5 * r5
            W[w], W[w + m], W[w + 2 * m], W[w + 3 * m] = a, b, 0.5 * (a - b), 0.5 * (a + b)


@jit
def triples(tree: Tree, q: Floats, general: Ints, own: Ints, x: Floats) -> None:
    """The values x (B, n) of a tensor, by its runs for t above the joint of p, and within it.

    Of three times the same variable a and b are zero, but for rounding.
    """
    nb, nv = tree.parent.size, 0
    for i in range(nb):
        nv += tree.joint[i, 4]
    R, p, S = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nv, 6)
    IC, M = empty(q, nb + 1, 10), empty(q, 9)
    index, first = np.empty(nv, dtype=np.int64), np.empty(nv, dtype=np.int64)
    last = np.empty(nv, dtype=np.int64)
    m = abreast(q)
    most = (nv + m - 1) // m * m
    Z, W, waiting = empty(q, 6 * most), empty(q, 4 * most), empty(q, 1, 6 * most + MARGIN)
    Z[:] = 0.0
    count, done = np.empty(1, dtype=np.int64), np.empty(1, dtype=np.int64)
    for b in range(q.shape[0]):
        composites(tree, q[b], R, p, S, IC)
        count[0], done[0] = 0, 0
        for i in range(nb - 1, -1, -1):
            n = path(tree, i, index, first, last)
            columns(index, n, S, Z)
            for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
                P = apply_inertia(IC[i], six(S[k]))
                lie_inertia(IC[i], six(S[k]), M)
                for y in range(n):
                    t, above, end = index[y], first[y], last[y]
                    scalars(P, M, six(S[t]), Z, end, W)
                    if t == k:
                        W[slot(y, 4, m) + 2 * m] = 0.0
                    lay(own if end == n else general, W, 4, above, end, waiting, count)
                    pour(waiting, count, 0, x, b, done)
        pour_rest(waiting, count, 0, x, b, done)
