"""Trees whose joints follow fewer variables y, for kernels that solve for accelerations of y.

Positions of the tree are ``G y + shift``, velocities ``G yd``, and ``H_y = G^T H G`` is factored
by `factor`, whose fill is confined to paths of variables, as that of trees.
"""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.parts.pivot_share import SHARE
from spatial_v2.engine.parts.pivots import reciprocal
from spatial_v2.engine.spread import Coupled, Matrix
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["eliminate", "factor", "pull_back", "pull_back_matrix", "spread"]


@inline
def spread(G: Matrix, y: Floats, out: Floats) -> None:
    """Compute the tree's variables ``out = G y + shift``."""
    for r in range(out.size):
        out[r] = G.shift[r]
    for k in range(y.size):
        if G.own[k] >= 0:
            out[G.own[k]] += y[k]
    for j in range(G.row.size):
        out[G.row[j]] += G.factor[j] * y[G.column[j]]


@inline
def pull_back(G: Matrix, x: Floats, out: Floats) -> None:
    """Compute ``out = G^T x``."""
    for k in range(out.size):
        out[k] = 0.0
        if G.own[k] >= 0:
            out[k] = x[G.own[k]]
    for j in range(G.row.size):
        out[G.column[j]] += G.factor[j] * x[G.row[j]]


@part
def pull_back_matrix(G: Matrix, x: Floats, right: Floats, out: Floats) -> None:
    """Compute ``out = G^T x G``; right (nv, n) is scratch space."""
    for i in range(right.shape[0]):
        pull_back(G, x[i], right[i])
    for k in range(out.shape[0]):
        for c in range(out.shape[1]):
            out[k, c] = 0.0
            if G.own[k] >= 0:
                out[k, c] = right[G.own[k], c]
    for j in range(G.row.size):
        for c in range(out.shape[1]):
            out[G.column[j], c] += G.factor[j] * right[G.row[j], c]


@part
def factor(of: Coupled, least: Floats, L: Floats) -> None:
    """Factor the inertia matrix in place as `ltdl`; NaN where a pivot is a rounding error of its
    diagonal entry, or of the inertia that is carried. least (n,) is scratch space.
    """
    for k in range(of.above.size):
        least[k] = SHARE * L[k, k] + of.least[k]
    eliminate(of.above, least, L)


@inline
def eliminate(above: Ints, least: Floats, L: Floats) -> None:
    """Factor an inertia matrix in place as `ltdl`; NaN where a pivot is not larger than least
    (n,).
    """
    for k in range(above.size - 1, -1, -1):
        d = reciprocal(L[k, k], least[k])
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
