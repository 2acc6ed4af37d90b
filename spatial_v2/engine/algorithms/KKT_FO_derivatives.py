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
    """Compute first derivatives of the accelerations qdd and of the m multipliers lambda.

    Arguments: the inertia matrix H and the Jacobian G of the constraint rows; derivatives ID_q and
    ID_qd of inverse dynamics, push of ``G^T lambda`` with respect to q, and alpha_q and alpha_qd of
    the rows' accelerations minus the desired ones.

    Results: derivatives P, Q and U (B, nv, nv) of qdd, and L, Lv and Lt (B, m, nv) of lambda, with
    respect to q, qd and tau; left (B, m + nv) has the ratios of pivots that `KKT` describes.
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
