"""Products with sparse matrices G, by which the variables of a tree follow fewer ones.

Sums are neither reordered nor fused, so that every library of kernels returns the same bits.
"""

from spatial_v2.engine.compile.decorators import exact
from spatial_v2.engine.spread import Matrix
from spatial_v2.engine.tree import Floats


@exact
def spread(G: Matrix, y: Floats, out: Floats) -> None:
    """Compute the tree's variables ``out = G y + shift``."""
    for r in range(out.size):
        out[r] = G.shift[r]
    for k in range(y.size):
        if G.own[k] >= 0:
            out[G.own[k]] += y[k]
    for j in range(G.row.size):
        out[G.row[j]] += G.factor[j] * y[G.column[j]]


@exact
def pull_back(G: Matrix, x: Floats, out: Floats) -> None:
    """Compute ``out = G^T x``."""
    for k in range(out.size):
        if G.own[k] >= 0:
            out[k] = x[G.own[k]]
        else:
            out[k] = 0.0
    for j in range(G.row.size):
        out[G.column[j]] += G.factor[j] * x[G.row[j]]


@exact
def pull_back_matrix(G: Matrix, x: Floats, out: Floats) -> None:
    """Compute ``out = G^T x G``, row by row of x."""
    for k in range(out.shape[0]):
        if G.own[k] >= 0:
            pull_back(G, x[G.own[k]], out[k])
        else:
            out[k, :] = 0.0
    for i in range(G.row.size):
        to, row, f = G.column[i], G.row[i], G.factor[i]
        for k in range(out.shape[0]):
            if G.own[k] >= 0:
                out[to, k] += f * x[row, G.own[k]]
        for j in range(G.row.size):
            out[to, G.column[j]] += f * (G.factor[j] * x[row, G.row[j]])


@exact
def pull_back_axis(G: Matrix, x: Floats, out: Floats) -> None:
    """Multiply the middle axis of x (blocks, rows, step) by G: out is (blocks, n, step)."""
    for b in range(x.shape[0]):
        for k in range(out.shape[1]):
            for s in range(x.shape[2]):
                out[b, k, s] = 0.0
                if G.own[k] >= 0:
                    out[b, k, s] = x[b, G.own[k], s]
        for j in range(G.row.size):
            for s in range(x.shape[2]):
                out[b, G.column[j], s] += G.factor[j] * x[b, G.row[j], s]
