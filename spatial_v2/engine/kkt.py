"""Solutions of the KKT equations of constrained dynamics, for many right-hand sides."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.compile import inline, jit, part
from spatial_v2.engine.ldl import ldl_columns
from spatial_v2.engine.numbers import empty
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["Equations", "kkt"]


class Equations(NamedTuple):
    """What the equations of a model have in common.

    Attributes
    ----------
    above : (nv,) int64
        The velocity variable before each one on its way to the base, or -1: rows of H are zero but
        there (Featherstone 2008, Sec. 6.3).
    damping : float
    """

    above: Ints
    damping: float


@inline
def ltdl(above: Ints, L: Floats) -> None:
    """H = L^T D L in place, L below the diagonal and 1 / D on it (Featherstone 2008, Table 6.3)."""
    for k in range(above.size - 1, -1, -1):
        d = 1.0 / L[k, k]
        i = above[k]
        while i >= 0:
            x = L[k, i] * d
            j = i
            while j >= 0:
                L[i, j] -= x * L[k, j]
                j = above[j]
            L[k, i] = x
            i = above[i]
        L[k, k] = d


@part
def ltdl_columns(above: Ints, L: Floats, x: Floats) -> None:
    """x (nv, n) becomes H^-1 x."""
    n = x.shape[1]
    for i in range(above.size - 1, -1, -1):
        j = above[i]
        while j >= 0:
            for c in range(n):
                x[j, c] -= L[i, j] * x[i, c]
            j = above[j]
    for i in range(above.size):
        for c in range(n):
            x[i, c] *= L[i, i]
        j = above[i]
        while j >= 0:
            for c in range(n):
                x[i, c] -= L[i, j] * x[j, c]
            j = above[j]


@inline
def ldl_pivots(D: Floats, n: int, left: Floats) -> None:
    """`ldl`, and what of each diagonal entry is left when it becomes a pivot, relative to it."""
    for c in range(n):
        size = D[c, c]
        for k in range(c):
            D[c, c] -= D[c, k] * D[k, c]
        left[c] = D[c, c] / size
        D[c, c] = 1.0 / D[c, c]
        for r in range(c + 1, n):
            x = D[r, c]
            for k in range(c):
                x -= D[r, k] * D[k, c]
            D[c, r] = x
            D[r, c] = x * D[c, c]


@jit
def kkt(
    of: Equations, H: Floats, G: Floats, top: Floats, bottom: Floats,
    x: Floats, y: Floats, left: Floats,
) -> None:  # fmt: skip
    """x (B, nv, n) and y (B, m, n) with ``H x - G^T y = top, G x + damping y = bottom``.

    left (B, m + nv) is what is left of each row that those before it do not have: zero, but for
    rounding, if it depends on them. Behind, it is what is left of each diagonal entry of H: zero of
    freedoms without inertia.
    """
    nv, m, n = G.shape[2], G.shape[1], top.shape[2]
    L, HG, W = empty(H, nv, nv), empty(H, nv, m), empty(H, m, m)
    for b in range(H.shape[0]):
        for i in range(nv):
            for j in range(nv):
                L[i, j] = H[b, i, j]
            for k in range(m):
                HG[i, k] = G[b, k, i]
            for c in range(n):
                x[b, i, c] = top[b, i, c]
        ltdl(of.above, L)
        for i in range(nv):
            left[b, m + i] = 1.0 / (L[i, i] * H[b, i, i])
        ltdl_columns(of.above, L, HG)
        for k in range(m):
            for l in range(m):
                W[k, l] = of.damping if k == l else 0.0
                for i in range(nv):
                    W[k, l] += G[b, k, i] * HG[i, l]
            for c in range(n):
                y[b, k, c] = bottom[b, k, c]
            for i in range(nv):
                for c in range(n):
                    y[b, k, c] -= HG[i, k] * top[b, i, c]
        ldl_pivots(W, m, left[b])
        ldl_columns(W, m, 0, n, y[b])
        for k in range(m):
            for i in range(nv):
                for c in range(n):
                    x[b, i, c] += G[b, k, i] * y[b, k, c]
        ltdl_columns(of.above, L, x[b])
