"""Constrained forward dynamics, from the state to accelerations and constraint forces."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.constraint_rows import constraint_rows
from spatial_v2.engine.algorithms.HandC import HandC
from spatial_v2.engine.algorithms.KKT import Equations, factorise, solve
from spatial_v2.engine.compile.decorators import jit
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.constraint_arrays import ConstraintArrays
from spatial_v2.engine.parts.dependent_rows import Rule
from spatial_v2.engine.tree import Floats

__all__ = ["KKT_FD", "Constrained"]


class Constrained(NamedTuple):
    """A tree with its constraints, data of its KKT equations, and the rule for dependent rows."""

    constraints: ConstraintArrays
    equations: Equations
    rule: Rule


@jit
def KKT_FD(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    x: Floats, y: Floats, left: Floats,
) -> None:  # fmt: skip
    """Compute accelerations x (B, nv, 1) and multipliers y (B, m, 1), for independent rows.

    left (B, 2 m + nv) has the m + nv numbers of `KKT`, then the sizes of `constraint_rows`.
    """
    B, nv = qd.shape
    m = y.shape[1]
    H, G, C = empty(q, B, nv, nv), empty(q, B, m, nv), empty(q, B, nv)
    alpha, size, rest = empty(q, B, m), empty(q, B, m), empty(q, B, nv)
    L, HG, W = empty(q, nv, nv), empty(q, nv, m), empty(q, m, m)
    H[:, :, :] = 0.0
    rest[:, :] = 0.0
    HandC(of.constraints.tree, q, qd, f_ext, f_body, H, C)
    constraint_rows(of.constraints, q, qd, rest, G, alpha, size)
    for b in range(B):
        factorise(of.equations, H[b], G[b], L, HG, W, left[b])
        for i in range(nv):
            x[b, i, 0] = tau[b, i] - C[b, i]
        for k in range(m):
            y[b, k, 0] = -alpha[b, k]
            left[b, m + nv + k] = size[b, k]
        solve(of.equations.above, L, HG, W, G[b], x[b], y[b])
