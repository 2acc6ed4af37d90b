"""Solutions of the KKT equations for constraint rows that may vanish or depend on each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.engine.algorithms.KKT import Equations, delassus, ldl_pivots, ltdl_columns, solve
from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.parts.dependent_rows import (
    Room,
    Rule,
    combinations,
    independent,
    project,
    proximal,
    spread,
)
from spatial_v2.engine.parts.ldl import ldl_columns
from spatial_v2.engine.tree import Floats

__all__ = [
    "NOT_FINITE",
    "PROXIMAL",
    "REFUSE",
    "SHORT",
    "SHORTEST",
    "SOLVED",
    "UNSURE",
    "DependentRows",
    "KKT_dependent",
    "Rule",
]

SOLVED, NOT_FINITE, SHORT, UNSURE = 0, 1, 2, 3
"""Outcomes for one state: solved; solved, with entries that are not finite; refused, with results
NaN; undecided, so that the reference implementation must solve it.
"""
REFUSE, SHORTEST, PROXIMAL = 0, 1, 2
"""Choices for dependent rows: refuse them, shortest multipliers, or the proximal iteration."""


class DependentRows(NamedTuple):
    """Data of the KKT equations, and the treatment of dependent rows."""

    equations: Equations
    rule: Rule


@inline
def is_regular(of: Equations, rule: Rule, left: Floats, size: Floats) -> bool:
    """Test if no row vanishes or is dependent, or nearly so; always True with damping."""
    regular = True
    for k in range(size.size):
        regular = regular and left[k] > rule.near and size[k] > rule.near * rule.near
    return regular or of.damping > 0.0


@inline
def is_finite(x: Floats, y: Floats) -> bool:
    """Test if all entries of the matrices are finite."""
    total = 0.0
    for i in range(x.shape[0]):
        for c in range(x.shape[1]):
            total += 0.0 * x[i, c]
    for k in range(y.shape[0]):
        for c in range(y.shape[1]):
            total += 0.0 * y[k, c]
    return total == 0.0


@part
def solve_short(
    of: Equations, rule: Rule, G: Floats, size: Floats, room: Room, x: Floats, y: Floats
) -> int:
    """Replace right-hand sides x and y by a solution for rows that are not independent.

    Returns the outcome, for instance `SOLVED`. The solution is that of least squares with the
    shortest y; see the notes of the class `constraints.kkt.KKT`.
    """
    m, nv = G.shape
    n, verdict = x.shape[1], SOLVED
    r = independent(size, rule, room)
    if r < 0 or r == m:
        return UNSURE
    if rule.choice == REFUSE:
        x[:, :] = np.nan
        y[:, :] = np.nan
        return SHORT
    for k in range(m):
        for i in range(nv):
            for c in range(n):
                y[k, c] -= room.HG[i, k] * x[i, c]
    combinations(r, room)
    if rule.choice == PROXIMAL:
        verdict = SOLVED if proximal(r, room, y) else UNSURE
    else:
        project(r, room, y)
        ldl_columns(room.F, r, 0, n, room.t)
        ldl_columns(room.AA, r, 0, n, room.t)
        spread(r, room, y)
    for i in range(nv):
        for k in range(m):
            for c in range(n):
                x[i, c] += G[k, i] * y[k, c]
    ltdl_columns(of.above, room.L, x)
    return verdict


@jit
def KKT_dependent(
    rows: DependentRows, H: Floats, G: Floats, size: Floats, x: Floats, y: Floats, verdict: Floats
) -> None:
    """Solve the KKT equations of states one by one, for constraint rows of any rank.

    x and y have the right-hand sides on entry, and the solutions afterwards. size (B, m) is that of
    `constraint_rows`; verdict (B, 1) is the outcome, for instance `SOLVED`.
    """
    (of, rule), (m, nv), n = rows, G.shape[1:], x.shape[2]
    left, order = np.empty(m), np.empty(m, dtype=np.int64)
    room = Room(
        np.empty((nv, nv)), np.empty((nv, m)), np.empty((m, m)), np.empty((m, m)),
        np.empty((m, m)), order, np.empty(m), np.empty(m), np.empty((m, m)), np.empty((m, m)),
        np.empty((m, n)), np.empty((m, n)), np.empty((m, n)),
    )  # fmt: skip
    for b in range(H.shape[0]):
        delassus(of, H[b], G[b], room.L, room.HG, room.W)
        heavy = True
        for i in range(nv):
            heavy = heavy and 1.0 / (room.L[i, i] * H[b, i, i]) > rule.inertia
        for k in range(m):
            for l in range(k + 1):
                room.D[k, l] = room.W[l, k] = room.W[k, l]
        ldl_pivots(room.D, m, left)
        if not heavy:
            verdict[b, 0] = UNSURE
        elif is_regular(of, rule, left, size[b]):
            solve(of.above, room.L, room.HG, room.D, G[b], x[b], y[b])
            verdict[b, 0] = SOLVED if is_finite(x[b], y[b]) else NOT_FINITE
        else:
            verdict[b, 0] = solve_short(of, rule, G[b], size[b], room, x[b], y[b])
