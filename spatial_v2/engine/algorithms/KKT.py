"""Solutions of the KKT equations of constrained dynamics, for many right-hand sides."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.ldl import ldl, ldl_columns
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["KKT", "Equations"]


class Equations(NamedTuple):
    """The data of the KKT equations that are the same in all states.

    Attributes
    ----------
    above : (nv,) int64
        For each velocity variable, the variable before it on the path from the base, or -1. A row
        of H is zero but for the columns of these variables (Featherstone 2008, Sec. 6.3).
    damping : float
        Number that is added to the diagonal of ``G H^-1 G^T``.
    """

    above: Ints
    damping: float


@inline
def ltdl(above: Ints, L: Floats) -> None:
    """Factor the inertia matrix in place, ``H = L^T D L`` (Featherstone 2008, Table 6.3).

    L is below the diagonal and 1 / D on it.
    """
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
    """Replace x (nv, n) by H^-1 x, with the factors L of `ltdl`."""
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
    """Factor D as `ldl` does; set `left` to the ratio of each pivot to its diagonal entry."""
    for c in range(n):
        left[c] = D[c, c]
    ldl(D, n)
    for c in range(n):
        left[c] = 1.0 / (D[c, c] * left[c])


@inline
def delassus(of: Equations, H: Floats, G: Floats, L: Floats, HG: Floats, W: Floats) -> None:
    """Compute the factors L of H, the matrix HG = H^-1 G^T, and the Delassus matrix.

    W is the lower triangle of the Delassus matrix with damping, ``G H^-1 G^T + damping``.
    """
    m, nv = G.shape
    for i in range(nv):
        for j in range(nv):
            L[i, j] = H[i, j]
        for k in range(m):
            HG[i, k] = G[k, i]
    ltdl(of.above, L)
    ltdl_columns(of.above, L, HG)
    for k in range(m):
        for l in range(k + 1):
            W[k, l] = of.damping * (1.0 if k == l else 0.0)
        for i in range(nv):
            for l in range(k + 1):
                W[k, l] += G[k, i] * HG[i, l]


@inline
def factorise(
    of: Equations, H: Floats, G: Floats, L: Floats, HG: Floats, W: Floats, left: Floats
) -> None:
    """Compute the results of `delassus`, factor W in place, and compute the ratios `left` as in
    `KKT`.
    """
    m, nv = G.shape
    delassus(of, H, G, L, HG, W)
    for i in range(nv):
        left[m + i] = 1.0 / (L[i, i] * H[i, i])
    ldl_pivots(W, m, left)


@part
def solve(above: Ints, L: Floats, HG: Floats, W: Floats, G: Floats, x: Floats, y: Floats) -> None:
    """Replace right-hand sides x (nv, n) and y (m, n) of `KKT` by solutions.

    L, HG and W are results of `factorise` for the matrices H and G.
    """
    m, nv = G.shape
    for k in range(m):
        for i in range(nv):
            for c in range(x.shape[1]):
                y[k, c] -= HG[i, k] * x[i, c]
    ldl_columns(W, m, 0, x.shape[1], y)
    for i in range(nv):
        for k in range(m):
            for c in range(x.shape[1]):
                x[i, c] += G[k, i] * y[k, c]
    ltdl_columns(above, L, x)


@jit
def KKT(
    of: Equations, H: Floats, G: Floats, top: Floats, bottom: Floats,
    x: Floats, y: Floats, left: Floats,
) -> None:  # fmt: skip
    """Compute accelerations x (B, nv, n) and multipliers y (B, m, n) from the KKT equations.

    The equations are ``H x - G^T y = top`` and ``G x + damping y = bottom``.

    The first m columns of left (B, m + nv) are the part of each constraint row that is independent
    of the rows before it: zero, up to rounding, for a dependent row. The other columns are the
    ratio of each pivot of H to its diagonal entry, which is zero for a velocity variable without
    inertia.
    """
    m, nv = G.shape[1:]
    L, HG, W = empty(H, nv, nv), empty(H, nv, m), empty(H, m, m)
    for b in range(H.shape[0]):
        factorise(of, H[b], G[b], L, HG, W, left[b])
        for c in range(top.shape[2]):
            for i in range(nv):
                x[b, i, c] = top[b, i, c]
            for k in range(m):
                y[b, k, c] = bottom[b, k, c]
        solve(of.above, L, HG, W, G[b], x[b], y[b])
