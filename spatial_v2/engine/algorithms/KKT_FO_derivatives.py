"""First derivatives of constrained dynamics, from those of inverse dynamics and constraints."""

from __future__ import annotations

from spatial_v2.engine.algorithms.KKT import Equations, factorise, solve
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["KKT_FO_derivatives"]


@jit
def KKT_FO_derivatives(
    of: Equations, H: Floats, G: Floats, ID_q: Floats, ID_qd: Floats, push: Floats,
    alpha_q: Floats, alpha_qd: Floats, P: Floats, Q: Floats, U: Floats, L: Floats, Lv: Floats,
    Lt: Floats, left: Floats,
) -> None:  # fmt: skip
    """Compute the fields of `KKTDerivatives`, (B, nv, nv) or (B, m, nv), and `left` as in `KKT`.

    push is the derivative of ``G^T lambda`` with respect to q.
    """
    m, nv = G.shape[1:]
    F, HG, W = empty(H, nv, nv), empty(H, nv, m), empty(H, m, m)
    for b in range(H.shape[0]):
        factorise(of, H[b], G[b], F, HG, W, left[b])
        for c in range(nv):
            for i in range(nv):
                P[b, i, c] = push[b, i, c] - ID_q[b, i, c]
                Q[b, i, c] = -ID_qd[b, i, c]
                U[b, i, c] = 1.0 if i == c else 0.0
            for k in range(m):
                L[b, k, c] = -alpha_q[b, k, c]
                Lv[b, k, c] = -alpha_qd[b, k, c]
                Lt[b, k, c] = 0.0
        solve(of.above, F, HG, W, G[b], P[b], L[b])
        solve(of.above, F, HG, W, G[b], Q[b], Lv[b])
        solve(of.above, F, HG, W, G[b], U[b], Lt[b])
