"""The two scalars of each triple of velocity variables that H varies by.

With p the deepest of three variables on one way to the root and t, r at or above it, they are
``a = s_r . (s_p x* IC - IC s_p x) s_t`` and ``b = s_r . ((IC s_p) xbar*) s_t``, IC being the
composite inertia that p moves. Christoffel symbols and derivatives of H are made of nothing else.
"""

from __future__ import annotations

from spatial_v2.engine.compile import inline, jit
from spatial_v2.engine.kin import add_crf, apply_inertia, ground_inertia, near
from spatial_v2.engine.sweep import add_lie_inertia, lie_inertia

__all__ = ["composites", "deepest", "scalars", "way"]


@jit
def composites(tree, q, R, p, S, IC):
    """Motion subspaces S and composite inertias IC of one state."""
    near(tree, q, R, p, S)
    for i in range(tree.parent.size):
        ground_inertia(tree.I[i], R[i], p[i], IC[i])
    for i in range(tree.parent.size - 1, 0, -1):
        par = tree.parent[i]
        if par >= 0:
            for c in range(10):
                IC[par, c] += IC[i, c]


@jit
def way(tree, i, S, index, first, last, rows):
    """Velocity variables from the root to body i, where each one's joint begins and ends.

    The columns of `rows` (6, nv) get their motion subspaces. Returns how many there are.
    """
    n, j = 0, i
    while j >= 0:
        n += tree.joint[j, 4]
        j = tree.parent[j]
    end, j = n, i
    while j >= 0:
        v0, m = tree.joint[j, 3], tree.joint[j, 4]
        for k in range(m):
            at = end - m + k
            index[at], first[at], last[at] = v0 + k, end - m, end
            for c in range(6):
                rows[c, at] = S[v0 + k, c]
        end -= m
        j = tree.parent[j]
    return n


@inline
def deepest(IC, s, P, M):
    """The momentum P = IC s and the matrix M of `lie_inertia` for the deepest variable."""
    apply_inertia(IC, s, P)
    lie_inertia(IC, s, M)


@jit
def scalars(P, M, s, rows, n, u, w, a, b):
    """a and b for the second variable s and the first n variables of the way; u, w scratch (6,)."""
    u[:] = 0.0
    w[:] = 0.0
    add_lie_inertia(M, s, u)
    add_crf(s, P, w)
    u0, u1, u2, u3, u4, u5 = u[0], u[1], u[2], u[3], u[4], u[5]
    w0, w1, w2, w3, w4, w5 = w[0], w[1], w[2], w[3], w[4], w[5]
    for y in range(n):
        r0, r1, r2 = rows[0, y], rows[1, y], rows[2, y]
        r3, r4, r5 = rows[3, y], rows[4, y], rows[5, y]
        a[y] = u0 * r0 + u1 * r1 + u2 * r2 + u3 * r3 + u4 * r4 + u5 * r5
        b[y] = w0 * r0 + w1 * r1 + w2 * r2 + w3 * r3 + w4 * r4 + w5 * r5
