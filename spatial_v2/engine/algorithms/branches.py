"""Factors of matrices whose entries are zero between branches of a tree, and products with them.

Row k has entries only in the columns of k and its ancestors, which `parent` defines. An argument
with one matrix or vector is used for all states.
"""

import numpy as np

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.tree import Floats, Ints


@inline
def _copy(parent: Ints, H: Floats, L: Floats) -> None:
    for k in range(len(parent)):
        j = k
        while j >= 0:
            L[k, j] = H[k, j]
            j = parent[j]


@inline
def _take_away(parent: Ints, L: Floats, k: int, d: float) -> None:
    """Subtract d L[k]^T L[k] from the rows of the ancestors of variable k."""
    i = parent[k]
    while i >= 0:
        a, j = d * L[k, i], i
        while j >= 0:
            L[i, j] -= a * L[k, j]
            j = parent[j]
        i = parent[i]


@inline
def _divide(parent: Ints, L: Floats, k: int, d: float) -> None:
    i = parent[k]
    while i >= 0:
        L[k, i] /= d
        i = parent[i]


@inline
def _row(parent: Ints, L: Floats, x: Floats, i: int) -> float:
    """Return entry i of L x without the diagonal: the sum over the ancestors of variable i."""
    total, j = 0.0, parent[i]
    while j >= 0:
        total += L[i, j] * x[j]
        j = parent[j]
    return total


@inline
def _column(parent: Ints, L: Floats, i: int, a: float, y: Floats) -> None:
    """Add a times row i of L, without the diagonal, to the vector y."""
    j = parent[i]
    while j >= 0:
        y[j] += a * L[i, j]
        j = parent[j]


@jit
def LTL(parent: Ints, H: Floats, L: Floats) -> None:
    """Compute L with L^T L = H; its diagonal has a NaN if H is not positive definite."""
    for b in range(len(L)):
        _copy(parent, H[b], L[b])
        for k in range(len(parent) - 1, -1, -1):
            L[b, k, k] = np.sqrt(L[b, k, k])
            _divide(parent, L[b], k, L[b, k, k])
            _take_away(parent, L[b], k, 1.0)


@jit
def LTDL(parent: Ints, H: Floats, L: Floats, D: Floats) -> None:
    """Compute the unit lower triangular L and the diagonal D with L^T D L = H."""
    for b in range(len(L)):
        _copy(parent, H[b], L[b])
        for k in range(len(parent) - 1, -1, -1):
            D[b, k, k] = L[b, k, k]
            _divide(parent, L[b], k, D[b, k, k])
            _take_away(parent, L[b], k, D[b, k, k])
            L[b, k, k] = 1.0


@jit
def mpyH(parent: Ints, H: Floats, x: Floats, y: Floats) -> None:
    """Compute the products y = H x."""
    for b in range(len(y)):
        h, z = H[b % len(H)], x[b % len(x)]
        for i in range(len(parent)):
            y[b, i] += h[i, i] * z[i] + _row(parent, h, z, i)
            _column(parent, h, i, z[i], y[b])


@jit
def mpyL(parent: Ints, L: Floats, x: Floats, y: Floats) -> None:
    """Compute the products y = L x."""
    for b in range(len(y)):
        h, z = L[b % len(L)], x[b % len(x)]
        for i in range(len(parent)):
            y[b, i] = h[i, i] * z[i] + _row(parent, h, z, i)


@jit
def mpyLt(parent: Ints, L: Floats, x: Floats, y: Floats) -> None:
    """Compute the products y = L^T x."""
    for b in range(len(y)):
        h, z = L[b % len(L)], x[b % len(x)]
        for i in range(len(parent)):
            y[b, i] += h[i, i] * z[i]
            _column(parent, h, i, z[i], y[b])


@jit
def mpyLi(parent: Ints, L: Floats, x: Floats, y: Floats) -> None:
    """Compute the products y = L^-1 x."""
    for b in range(len(y)):
        h, z = L[b % len(L)], x[b % len(x)]
        for i in range(len(parent)):
            y[b, i] = (z[i] - _row(parent, h, y[b], i)) / h[i, i]


@jit
def mpyLit(parent: Ints, L: Floats, x: Floats, y: Floats) -> None:
    """Compute the products y = L^-T x."""
    for b in range(len(y)):
        h = L[b % len(L)]
        y[b] = x[b % len(x)]
        for i in range(len(parent) - 1, -1, -1):
            y[b, i] /= h[i, i]
            _column(parent, h, i, -y[b, i], y[b])
