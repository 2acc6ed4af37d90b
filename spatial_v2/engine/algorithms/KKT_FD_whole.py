"""Constrained forward dynamics of states one by one, for constraint rows of any rank."""

from __future__ import annotations

from spatial_v2.engine.algorithms.constraint_rows import constraint_rows
from spatial_v2.engine.algorithms.HandC import HandC
from spatial_v2.engine.algorithms.KKT_dependent import DependentRows, KKT_dependent
from spatial_v2.engine.algorithms.KKT_FD import Constrained
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["KKT_FD_whole"]


@jit
def KKT_FD_whole(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    qdd: Floats, lam: Floats, verdict: Floats,
) -> None:  # fmt: skip
    """Compute accelerations qdd (B, nv) and multipliers lam (B, m) as `KKT_FD`, for constraint rows
    of any rank.

    verdict (B, 1) is the outcome of each state, as `KKT_dependent` returns it.
    """
    B, nv = qd.shape
    m = lam.shape[1]
    H, G, C = empty(q, B, nv, nv), empty(q, B, m, nv), empty(q, B, nv)
    alpha, size, rest = empty(q, B, m), empty(q, B, m), empty(q, B, nv)
    x, y = empty(q, B, nv, 1), empty(q, B, m, 1)
    H[:, :, :] = 0.0
    rest[:, :] = 0.0
    HandC(of.constraints.tree, q, qd, f_ext, f_body, H, C)
    constraint_rows(of.constraints, q, qd, rest, G, alpha, size)
    for b in range(B):
        for i in range(nv):
            x[b, i, 0] = tau[b, i] - C[b, i]
        for k in range(m):
            y[b, k, 0] = -alpha[b, k]
    rows = DependentRows(of.equations, of.rule)
    KKT_dependent(rows, H, G, size, x, y, verdict)
    for b in range(B):
        for i in range(nv):
            qdd[b, i] = x[b, i, 0]
        for k in range(m):
            lam[b, k] = y[b, k, 0]
