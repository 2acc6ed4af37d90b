"""Optimality conditions of quadratic problems whose stages have equations, by a Riccati recursion.

There are B problems with S stages each, in changes dz = [dx (n), du (m)] of states and controls,
costates l, and multipliers y of r rows at each instant; row i does not matter if its weight is 0::

    H dz + F' l_next - l + C' y = -g,   F dz + c = dx_next,   C dz + rho = e y

There are no controls after the last stage, but H, C and g have entries for them there too.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.parts.control_stage import factorise, gains, value_function
from spatial_v2.engine.parts.stage_equations import (
    Equations,
    Room,
    add_rows,
    add_to,
    copy_to,
    new_right,
    new_unknowns,
    product,
    put_column,
    residual,
    sweep,
    take_column,
)
from spatial_v2.engine.parts.stage_products import expand
from spatial_v2.engine.parts.stage_workspace import Stage, new_stage
from spatial_v2.engine.tree import Floats

__all__ = ["stage_factors", "stage_solution"]

ROUNDING = 1e-16
"""Residual that counts as zero, relative to the first ones."""
Two = tuple[Floats, Floats]
Three = tuple[Floats, Floats, Floats]
Four = tuple[Floats, Floats, Floats, Floats]


@jit
def stage_factors(of: Three, weight: Floats, factors: Three, failed: Floats) -> None:
    """Factorise the equations of F, H and C, in which ``C' diag(weight) C`` is added to H.

    The `factors` are the feedback K, the Hessian P of the cost to go, and the Cholesky factors L
    of the Hessians with respect to the controls. `failed` (B,) becomes 1 where there are none.
    """
    (F, H, C), (K, P, L) = of, factors
    B, S, n, z = F.shape
    w, none, no_feed = new_stage(F, n, z), np.empty(n), np.zeros(z - n)
    w.free[:] = 1.0
    w.x[:] = 0.0
    for b in range(B):
        failed[b] = 0.0
        for i in range(n):
            for j in range(n):
                w.A[i, j] = H[b, S, i, j]
        add_rows(C[b, S], weight[b, S], n, w.A)
        for i in range(n):
            for j in range(i, n):
                P[b, S, i, j] = P[b, S, j, i] = w.A[i, j]
        for k in range(S - 1, -1, -1):
            expand(P[b, k + 1], F[b, k], H[b, k], w)
            add_rows(C[b, k], weight[b, k], z, w.A)
            if not factorise(w, n):
                failed[b] = 1.0
                break
            keep(w, L[b, k])
            gains(w, n, no_feed, K[b, k])
            value_function(w, no_feed, none, P[b, k])


@part
def keep(w: Stage, L: Floats) -> None:
    """Copy the Cholesky factor of a stage."""
    for i in range(L.shape[0]):
        for j in range(i + 1):
            L[i, j] = w.L[i, j]


@jit
def stage_solution(
    of: Three, rows: Two, factors: Three, units: Two, right: Four, refinements: int, found: Three
) -> None:  # fmt: skip
    """Solve the equations for right-hand sides start (B, n, q), g, c and rho with q columns.

    The recursion takes ``1 / weight`` in place of e; refinement with the same factors corrects
    that, as long as each time reduces the `product` of the residuals to less than a half.
    `rows` are the weights and e, `units` those of dz (B, z) and of the rows (B, S + 1, r), and
    `found` are dz, costates and y.
    """
    (F, H, C), (weight, soft), (K, P, L) = of, rows, factors
    B, S, n, z = F.shape
    m, r, columns = z - n, C.shape[2], right[0].shape[2]
    given, left = new_right(n, S, z, r), new_right(n, S, z, r)
    x, new = new_unknowns(n, S, z, r), new_unknowns(n, S, z, r)
    room = Room(np.empty((S + 1, n)), np.empty((S, m)), np.empty(z), np.empty(n))
    for b in range(B):
        a = Equations(F[b], H[b], C[b], weight[b], soft[b], K[b], P[b], L[b])
        active = False
        for k in range(S + 1):
            for i in range(r):
                active = active or weight[b, k, i] != 0.0
        for q in range(columns):
            for i in range(n):
                given.start[i], left.start[i] = right[0][b, i, q], 0.0
            take_column(right[1][b], q, given.g)
            take_column(right[2][b], q, given.c)
            take_column(right[3][b], q, given.rho)
            sweep(a, given, x, room)
            sizes = residual(a, given, x, units[0][b], units[1][b], left)
            least = ROUNDING * (sizes[0] + sizes[1])
            error = product(sizes, least)
            for _ in range(refinements if active else 0):
                sweep(a, left, new, room)
                add_to(x, new)
                size = product(residual(a, given, new, units[0][b], units[1][b], left), least)
                if size < error:
                    copy_to(new, x)
                if not size < error / 2:
                    break
                error = size
            put_column(x.dz, q, found[0][b])
            put_column(x.costates, q, found[1][b])
            put_column(x.y, q, found[2][b])
