"""The two scalars of each triple of velocity variables that H varies by.

With p the deepest of three variables on one way to the root and t, r at or above it, they are
``a = s_r . (s_p x* IC - IC s_p x) s_t`` and ``b = s_r . ((IC s_p) xbar*) s_t``, IC being the
composite inertia that p moves. Christoffel symbols and derivatives of H are made of nothing else.
"""

from __future__ import annotations

from spatial_v2.engine.compile import inline, part
from spatial_v2.engine.inertia import apply_lie_inertia, ground_inertia
from spatial_v2.engine.poses import near
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.vectors import Six, crf, fold

__all__ = ["columns", "composites", "scalars"]


@inline
def composites(tree: Tree, q: Floats, R: Floats, p: Floats, S: Floats, IC: Floats) -> None:
    """Motion subspaces S and composite inertias IC of one state."""
    near(tree, q, R, p, S)
    for i in range(tree.parent.size):
        ground_inertia(tree.I[i], R[i], p[i], IC[i])
    for i in range(tree.parent.size - 1, -1, -1):
        fold(IC[i], IC[tree.parent[i]])


@inline
def columns(index: Ints, n: int, S: Floats, rows: Floats) -> None:
    """The columns of rows (6, nv) get the motion subspaces of the variables index[:n]."""
    for x in range(n):
        for c in range(6):
            rows[c, x] = S[index[x], c]


@part
def scalars(P: Six, M: Floats, s: Six, rows: Floats, n: int, a: Floats, b: Floats) -> None:
    """a and b for the second variable s and the first n variables of the way.

    P is the momentum IC s_p, M the matrix of `lie_inertia`.
    """
    u0, u1, u2, u3, u4, u5 = apply_lie_inertia(M, s)
    w0, w1, w2, w3, w4, w5 = crf(s, P)
    for y in range(n):
        r0, r1, r2 = rows[0, y], rows[1, y], rows[2, y]
        r3, r4, r5 = rows[3, y], rows[4, y], rows[5, y]
        a[y] = u0 * r0 + u1 * r1 + u2 * r2 + u3 * r3 + u4 * r4 + u5 * r5
        b[y] = w0 * r0 + w1 * r1 + w2 * r2 + w3 * r3 + w4 * r4 + w5 * r5
