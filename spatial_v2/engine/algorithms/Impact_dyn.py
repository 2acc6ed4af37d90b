"""Impacts that activate constraints, from the state to velocities and impulses."""

from __future__ import annotations

from spatial_v2.engine.algorithms.constraint_rows import constraint_rows
from spatial_v2.engine.algorithms.CRBA import CRBA
from spatial_v2.engine.algorithms.KKT import solve_states
from spatial_v2.engine.algorithms.KKT_FD import new_posed
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.constrained import Constrained
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.tree import Floats

__all__ = ["Impact_dyn"]


@jit
def Impact_dyn(
    of: Constrained, q: Floats, qd: Floats, restitution: Floats, qd_plus: Floats, impulse: Floats,
    report: Floats,
) -> None:  # fmt: skip
    """Compute velocities qd_plus (B, nv) after an impact and impulses (B, m), with the reports of
    `KKT`; restitution is (B, m).
    """
    (B, nv), m = qd.shape, impulse.shape[1]
    x, y = empty(q, B, nv, 1), empty(q, B, m, 1)
    alpha, rest = empty(q, B, m), empty(q, B, nv)
    at = new_posed(q, nv, m)
    at.H[:, :, :] = 0.0
    rest[:, :] = 0.0
    CRBA(of.constraints.tree, q, at.H)
    constraint_rows(of.constraints, q, rest, rest, at.G, alpha, at.size, at.least)
    for b in range(B):
        for i in range(nv):
            at.top[b, i, 0] = 0.0
            for j in range(nv):
                at.top[b, i, 0] += at.H[b, i, j] * qd[b, j]
        for k in range(m):
            at.bottom[b, k, 0] = 0.0
            for j in range(nv):
                at.bottom[b, k, 0] -= restitution[b, k] * at.G[b, k, j] * qd[b, j]
    solve_states(of.equations, at, x, y, report)
    for b in range(B):
        for i in range(nv):
            qd_plus[b, i] = x[b, i, 0]
        for k in range(m):
            impulse[b, k] = y[b, k, 0]
