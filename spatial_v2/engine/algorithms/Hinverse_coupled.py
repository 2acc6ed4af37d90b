"""Inverse of the inertia matrix of a coupled model."""

from __future__ import annotations

from spatial_v2.engine.algorithms.CRBA import CRBA
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.coupling import factor
from spatial_v2.engine.parts.sparse_products import pull_back_matrix, spread
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["Hinverse_coupled", "invert"]


@inline
def invert(above: Ints, L: Floats, out: Floats) -> None:
    """Compute the inverse of a matrix from its factors L: entries above the diagonal and on it,
    which follow from such entries alone, then those below.
    """
    n = out.shape[0]
    out[:, :] = 0.0
    for i in range(n - 1, -1, -1):
        out[i, i] = 1.0
        j = above[i]
        while j >= 0:
            f = L[i, j]
            for c in range(i, n):
                out[j, c] -= f * out[i, c]
            j = above[j]
    for i in range(n):
        d, j = L[i, i], above[i]
        for c in range(i, n):
            out[i, c] *= d
        while j >= 0:
            f = L[i, j]
            for c in range(i, n):
                out[i, c] -= f * out[j, c]
            j = above[j]
        for c in range(i):
            out[i, c] = out[c, i]


@jit
def Hinverse_coupled(of: Coupled, y: Floats, Minv: Floats) -> None:
    """Compute Minv (B, n, n), the inverses of the inertia matrices of independent variables."""
    n, nq, nv = Minv.shape[1], of.q.shift.size, of.v.shift.size
    q, H = empty(y, y.shape[0], nq), empty(y, y.shape[0], nv, nv)
    least, L = empty(y, n), empty(y, n, n)
    H[:, :, :] = 0.0
    for b in range(y.shape[0]):
        spread(of.q, y[b], q[b])
    CRBA(of.tree, q, H)
    for b in range(y.shape[0]):
        pull_back_matrix(of.v, H[b], L)
        factor(of, least, L)
        invert(of.above, L, Minv[b])
