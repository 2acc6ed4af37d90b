"""Inverse joint-space inertia matrix, by the articulated-body algorithm."""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.articulate import articulate
from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.ldl import ldl_columns, ldl_solve
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.rotors import links, rows
from spatial_v2.engine.tree import Floats, Ints, Tree
from spatial_v2.engine.vectors import dot6, plus, put, shift_force, six, times

__all__ = [
    "accelerate",
    "hinverse",
    "invert",
    "places",
    "project",
    "shift_columns",
    "subtrees",
]


@part
def subtrees(tree: Tree, columns: Ints, count: Ints) -> None:
    """Velocity variables of the subtree of each body i: columns[i, :count[i]]."""
    count[:] = 0
    for i in range(links(tree) - 1, -1, -1):
        for k in range(tree.joint[i, 3], tree.joint[i, 3] + tree.joint[i, 4]):
            columns[i, count[i]] = k
            count[i] += 1
        par = tree.parent[i]
        for c in range(count[i]):
            columns[par, count[par]] = columns[i, c]
            count[par] += 1


@part
def places(tree: Tree, place: Ints, last: Ints, free: Ints) -> int:
    """Where to keep what bodies hand on to their children: a few places, which stay in the cache.

    The place of a body is free for others after its last child. place (nb + 1,) is -1 for the base
    and less than the number returned for bodies; last (nb + 1,) and free (nb,) are scratch space.
    """
    nb, used, spare = links(tree), 0, 0
    last[:] = -1
    place[-1] = -1
    for i in range(nb):
        last[tree.parent[i]] = i
    for i in range(nb):
        par = tree.parent[i]
        if spare > 0:
            spare -= 1
            place[i] = free[spare]
        else:
            place[i] = used
            used += 1
        if par >= 0 and last[par] == i:
            free[spare] = place[par]
            spare += 1
        if last[i] < 0:
            free[spare] = place[i]
            spare += 1
    return used


@inline
def shift_columns(d: Floats, P: Floats, c0: int, c1: int, Q: Floats) -> None:
    """Q = `shift_motion` of P for the columns c0:c1 of two (6, nv) arrays."""
    d0, d1, d2 = d[0], d[1], d[2]
    for c in range(c0, c1):
        w0, w1, w2 = P[0, c], P[1, c], P[2, c]
        Q[0, c], Q[1, c], Q[2, c] = w0, w1, w2
        Q[3, c] = P[3, c] + w1 * d2 - w2 * d1
        Q[4, c] = P[4, c] + w2 * d0 - w0 * d2
        Q[5, c] = P[5, c] + w0 * d1 - w1 * d0


@inline
def project(U: Floats, v0: int, n: int, A: Floats, c0: int, c1: int, y: Floats) -> None:
    """y[k] = U[v0 + k] . A, for the columns c0:c1 of A."""
    for k in range(n):
        u0, u1, u2, u3, u4, u5 = six(U[v0 + k])
        for c in range(c0, c1):
            x = u0 * A[0, c] + u1 * A[1, c] + u2 * A[2, c]
            y[k, c] = x + u3 * A[3, c] + u4 * A[4, c] + u5 * A[5, c]


@inline
def accelerate(S: Floats, v0: int, n: int, x: Floats, c0: int, c1: int, A: Floats) -> None:
    """A += S[v0 + k] x[k], for the columns c0:c1."""
    for k in range(n):
        s0, s1, s2, s3, s4, s5 = six(S[v0 + k])
        for c in range(c0, c1):
            z = x[k, c]
            A[0, c] += s0 * z
            A[1, c] += s1 * z
            A[2, c] += s2 * z
            A[3, c] += s3 * z
            A[4, c] += s4 * z
            A[5, c] += s5 * z


@part
def invert(
    tree: Tree, d: Floats, S: Floats, U: Floats, D: Floats, columns: Ints, count: Ints, place: Ints,
    F: Floats, A: Floats, x: Floats, y: Floats, H: Floats,
) -> None:  # fmt: skip
    """H (nv, nv), from what `articulate` left.

    F (nv, 6), A (`places` + 1, 6, nv), x (6,) and y (6, nv) are scratch space.
    """
    nb, nv = links(tree), H.shape[0]
    H[:, :] = 0.0
    F[:, :] = 0.0
    A[-1, :, :] = 0.0
    for i in range(nb - 1, -1, -1):
        v0, n = tree.joint[i, 3], tree.joint[i, 4]
        for at in range(count[i]):
            c = columns[i, at]
            f = six(F[c])
            for k in range(n):
                x[k] = (1.0 if v0 + k == c else 0.0) - dot6(six(S[v0 + k]), f)
            ldl_solve(D[i], n, x)
            for k in range(n):
                H[v0 + k, c] = x[k]
                f = plus(f, times(x[k], six(U[v0 + k])))
            put(shift_force(d[i], f), F[c])
    for i in range(nb):
        v0, n, a = tree.joint[i, 3], tree.joint[i, 4], A[place[i]]
        shift_columns(d[i], A[place[tree.parent[i]]], v0, nv, a)
        project(U, v0, n, a, v0, nv, y)
        ldl_columns(D[i], n, v0, nv, y)
        for k in range(n):
            for c in range(v0, nv):
                H[v0 + k, c] -= y[k, c]
        accelerate(S, v0, n, H[v0 : v0 + n], v0, nv, a)
    for r in range(nv):
        for c in range(r):
            H[r, c] = H[c, r]


@jit
def hinverse(tree: Tree, q: Floats, Hinv: Floats) -> None:
    """H^-1 (B, nv, nv)."""
    nb, nv, m = tree.parent.size, Hinv.shape[1], rows(tree)
    R, d, IC = empty(q, nb + 1, 3, 3), empty(q, nb + 1, 3), empty(q, nb, 10)
    S, U, F = empty(q, m, 6), empty(q, m, 6), empty(q, nv, 6)
    D, IA, W = empty(q, nb, 6, 6), empty(q, nb + 1, 6, 6), empty(q, 2, 6, 6)
    x, y = empty(q, 6), empty(q, 6, nv)
    columns, count = np.empty((nb + 1, nv), dtype=np.int64), np.empty(nb + 1, dtype=np.int64)
    place, last = np.empty(nb + 1, dtype=np.int64), np.empty(nb + 1, dtype=np.int64)
    free = np.empty(nb, dtype=np.int64)
    subtrees(tree, columns, count)
    A = empty(q, places(tree, place, last, free) + 1, 6, nv)
    for b in range(q.shape[0]):
        articulate(tree, q[b], R, d, S, IC, IA, U, D, W)
        invert(tree, d, S, U, D, columns, count, place, F, A, x, y, Hinv[b])
