"""Inverse of the inertia matrix of a coupled model."""

from __future__ import annotations

from spatial_v2.engine.algorithms.CRBA import CRBA
from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.coupling import factor, pull_back_matrix, spread
from spatial_v2.engine.parts.ltdl import ltdl_columns
from spatial_v2.engine.spread import Coupled
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["Hinverse_coupled", "invert"]


@inline
def invert(above: Ints, L: Floats, out: Floats) -> None:
    """Compute the inverse of a matrix from its factors L."""
    for i in range(out.shape[0]):
        out[i, :] = 0.0
        out[i, i] = 1.0
    ltdl_columns(above, L, out)


@jit
def Hinverse_coupled(of: Coupled, y: Floats, Minv: Floats) -> None:
    """Compute Minv (B, n, n), the inverses of the inertia matrices of independent variables."""
    n, nq, nv = Minv.shape[1], of.q.shift.size, of.v.shift.size
    q, H = empty(y, y.shape[0], nq), empty(y, y.shape[0], nv, nv)
    right, least, L = empty(y, nv, n), empty(y, n), empty(y, n, n)
    H[:, :, :] = 0.0
    for b in range(y.shape[0]):
        spread(of.q, y[b], q[b])
    CRBA(of.tree, q, H)
    for b in range(y.shape[0]):
        pull_back_matrix(of.v, H[b], right, L)
        factor(of, least, L)
        invert(of.above, L, Minv[b])
