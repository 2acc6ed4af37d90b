"""First derivatives of constrained dynamics, from those of inverse dynamics and constraints."""

from __future__ import annotations

from spatial_v2.engine.algorithms.KKT import Equations, factorise
from spatial_v2.engine.algorithms.KKT_FO_derivatives import Linear, solve_first
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["KKT_equations"]


@jit
def KKT_equations(of: Equations, at: Linear, dqdd: Floats, dlambda: Floats, left: Floats) -> None:
    """Compute first derivatives of accelerations, dqdd (B, 3, nv, nv), and of the m multipliers,
    dlambda (B, 3, m, nv), with respect to q, qd and tau.

    left (B, m + nv) has the ratios of pivots that `KKT`
    describes.
    """
    H, G = at.H, at.G
    m, nv = G.shape[1:]
    L, HG, W = empty(H, nv, nv), empty(H, nv, m), empty(H, m, m)
    for b in range(H.shape[0]):
        factorise(of, H[b], G[b], L, HG, W, left[b])
        solve_first(of, at, b, (L, HG, W), dqdd[b], dlambda[b])
