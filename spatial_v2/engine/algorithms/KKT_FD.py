"""Constrained forward dynamics, from the state to accelerations and constraint forces."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.algorithms.constraint_rows import constraint_rows
from spatial_v2.engine.algorithms.HandC import HandC
from spatial_v2.engine.algorithms.KKT import (
    Equations,
    doubts,
    factorise,
    new_factors,
    refine,
    solve,
)
from spatial_v2.engine.compile.decorators import jit, within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.constraint_arrays import ConstraintArrays
from spatial_v2.engine.parts.settle import settle
from spatial_v2.engine.tree import Floats

__all__ = ["KKT_FD", "Constrained", "Posed", "forward", "new_posed"]


class Constrained(NamedTuple):
    """A tree with its constraints, and data of its KKT equations."""

    constraints: ConstraintArrays
    equations: Equations


class Posed(NamedTuple):
    """The KKT equations of B states: matrices, sizes of rows, and right-hand sides.

    Attributes
    ----------
    H, G, size : (B, nv, nv), (B, m, nv), (B, m)
        Inertia matrix, Jacobian, and sizes of `constraint_rows`.
    top, bottom : (B, nv, 1), (B, m, 1)
        Forces ``tau - C`` and rates ``-alpha`` of the rows.
    """

    H: Floats
    G: Floats
    size: Floats
    top: Floats
    bottom: Floats


@within
def new_posed(q: Floats, nv: int, m: int) -> Posed:
    """Allocate the equations of `forward`, for the kind of number of q."""
    B = q.shape[0]
    return Posed(
        empty(q, B, nv, nv), empty(q, B, m, nv), empty(q, B, m), empty(q, B, nv, 1),
        empty(q, B, m, 1),
    )  # fmt: skip


@jit
def forward(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    posed: Posed, x: Floats, y: Floats, doubt: Floats,
) -> None:  # fmt: skip
    """Compute accelerations x (B, nv, 1) and multipliers y (B, m, 1), for independent rows.

    doubt (B, ...) becomes zero in its first entries where this serves; see `KKT.doubts`.
    """
    B, nv = qd.shape
    m = y.shape[1]
    H, G, size, top, bottom = posed
    C, alpha, rest = empty(q, B, nv), empty(q, B, m), empty(q, B, nv)
    w, dx, dy = new_factors(q, nv, m), empty(q, nv, 1), empty(q, m, 1)
    H[:, :, :] = 0.0
    rest[:, :] = 0.0
    HandC(of.constraints.tree, q, qd, f_ext, f_body, H, C)
    constraint_rows(of.constraints, q, qd, rest, G, alpha, size)
    for b in range(B):
        factorise(of.equations, H[b], G[b], w)
        doubt[b, 0] = doubts(of.equations, H[b], G[b], size[b], w)
        for i in range(nv):
            x[b, i, 0] = top[b, i, 0] = tau[b, i] - C[b, i]
        for k in range(m):
            y[b, k, 0] = bottom[b, k, 0] = -alpha[b, k]
        solve(of.equations.above, w, G[b], x[b], y[b])
        doubt[b, 0] += refine(of.equations, H[b], G[b], top[b], bottom[b], w, x[b], y[b], dx, dy)


@jit
def KKT_FD(
    of: Constrained, q: Floats, qd: Floats, tau: Floats, f_ext: Floats, f_body: Floats,
    qdd: Floats, lam: Floats, report: Floats,
) -> None:  # fmt: skip
    """Compute accelerations qdd (B, nv) and multipliers lam (B, m), with the reports of `KKT`."""
    nv, m = qd.shape[1], lam.shape[1]
    x, y = empty(q, q.shape[0], nv, 1), empty(q, q.shape[0], m, 1)
    posed = new_posed(q, nv, m)
    forward(of, q, qd, tau, f_ext, f_body, posed, x, y, report)
    H, G, size, top, bottom = posed
    equations = of.equations
    settle((equations.distances, equations.damping), (H, G, size), (top, bottom), x, y, report)
    for b in range(q.shape[0]):
        for i in range(nv):
            qdd[b, i] = x[b, i, 0]
        for k in range(m):
            lam[b, k] = y[b, k, 0]
