"""Constrained dynamics and its derivatives in p directions: Algorithm 4 of paper 001 as a kernel.

For constraints of points, whose rows are along the axes of the base; see
`benchmarks.paper_001.forward_kernels`.
"""

from __future__ import annotations

from typing import Any

from benchmarks.paper_001.tangents import Along, collect, inward, kernel, new_along, outward
from spatial_v2.engine.algorithms.constraint_rows import constraint_rows
from spatial_v2.engine.algorithms.HandC import HandC
from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import add, crf, cross, dot6, plus, six, store, times
from spatial_v2.engine.parts.constraint_arrays import (
    RowVectors,
    ends,
    new_row_vectors,
)
from spatial_v2.engine.parts.kkt_arrays import new_factors
from spatial_v2.engine.parts.kkt_factors import factorise
from spatial_v2.engine.parts.kkt_solution import solve
from spatial_v2.engine.parts.poses import about_robot
from spatial_v2.engine.parts.row_vectors import row_vectors
from spatial_v2.engine.parts.sweep import Sweep, forward, new_sweep
from spatial_v2.engine.tree import Floats

__all__ = ["KKT_FD"]


@within
def pull(
    held: ConstraintArrays, rows: RowVectors, lam: Floats, sweep: Sweep, at: Floats, f: Floats
) -> None:
    """Subtract the forces of the constraints from those of the bodies.

    at (nc, 2, 3) are the points, f (nc, 2, 6) what is added to the force of the body at each end.
    """
    for c in range(held.ends.shape[0]):
        ends(held, c, sweep.R, sweep.p, rows.Rc, rows.pc)
        first = held.ends[c, 3]
        for e in range(2):
            x = times(0.0 * lam[first, 0], six(rows.Y[e, first]))
            for k in range(first, first + held.ends[c, 4]):
                x = plus(x, times((1.0 - 2.0 * e) * lam[k, 0], six(rows.Y[e, k])))
            store(x, f[c, e])
            add(x, sweep.fC[held.ends[c, e]])
            for r in range(3):
                at[c, e, r] = rows.pc[e, r]


@within
def pull_along(held: ConstraintArrays, at: Floats, f: Floats, along: Along) -> None:
    """Add the changes of these forces, as seen from the bodies, to dF: the points move, the forces
    keep their directions.
    """
    for c in range(held.ends.shape[0]):
        for e in range(2):
            w, p, x = six(along.w[held.ends[c, e]]), at[c, e], six(f[c, e])
            u0, u1, u2 = cross(w[0], w[1], w[2], p[0], p[1], p[2])
            n0, n1, n2 = cross(w[3] + u0, w[4] + u1, w[5] + u2, x[3], x[4], x[5])
            change = times(-1.0, crf(w, x))
            change = (
                change[0] + n0, change[1] + n1, change[2] + n2, change[3], change[4], change[5]
            )  # fmt: skip
            add(change, along.dF[held.ends[c, e]])


@within
def rows_along(held: ConstraintArrays, rows: RowVectors, along: Along, k: int, c: int) -> float:
    """Return the change of the acceleration of row k of constraint c."""
    i, j = held.ends[c, 0], held.ends[c, 1]
    one = dot6(six(rows.Y[0, k]), six(along.B[i])) + dot6(six(rows.Z[0, k]), six(along.A[i]))
    two = dot6(six(rows.Y[1, k]), six(along.B[j])) + dot6(six(rows.Z[1, k]), six(along.A[j]))
    one += dot6(six(rows.X[0, k]), six(along.w[i]))
    two += dot6(six(rows.X[1, k]), six(along.w[j]))
    change: float = two - one
    return change


@kernel
def KKT_FD(
    of: Any, q: Floats, qd: Floats, tau: Floats, dq: Floats, dqd: Floats, dtau: Floats,
    x: Floats, y: Floats, dx: Floats, dy: Floats,
) -> None:  # fmt: skip
    """Compute accelerations x (B, nv, 1) and multipliers y (B, m, 1), and dx (B, nv, p), dy
    (B, m, p) along directions dq, dqd, dtau (B, p, nv).

    The matrix is factorised once for all directions (Proposition 3).
    """
    held, tree = of.constraints, of.constraints.tree
    (N, nv), nb, m = qd.shape, tree.parent.size, y.shape[1]
    H, G, C, none = empty(q, N, nv, nv), empty(q, N, m, nv), empty(q, N, nv), empty(q, 0, 0, 6)
    alpha, size, still, least = empty(q, N, m), empty(q, N, m), empty(q, N, nv), empty(q, N, nv)
    w = new_factors(q, nv, m)
    sweep, along, right = new_sweep(q, nb, nv), new_along(q, nb), empty(q, nv)
    rows, nc = new_row_vectors(q, m, nv), held.ends.shape[0]
    at, f = empty(q, nc, 2, 3), empty(q, nc, 2, 6)
    H[:, :, :] = 0.0
    still[:, :] = 0.0
    HandC(tree, q, qd, none, none, H, C)
    constraint_rows(held, q, qd, still, G, alpha, size, least)
    for b in range(N):
        factorise(of.equations, H[b], G[b], w)
        for i in range(nv):
            x[b, i, 0] = tau[b, i] - C[b, i]
        for k in range(m):
            y[b, k, 0] = -alpha[b, k]
        solve(of.equations.above, w, x[b], y[b])
        for i in range(nv):
            still[b, i] = x[b, i, 0]
        about_robot(tree, q[b], sweep.R, sweep.p, sweep.S)
        forward(tree, qd[b], still[b], False, sweep)
        row_vectors(held, sweep.R, sweep.p, sweep.v, sweep.a, rows, alpha[b])
        pull(held, rows, y[b], sweep, at, f)
        collect(tree, sweep, along.turned)
        for c in range(dq.shape[1]):
            outward(tree, sweep, dq[b, c], dqd[b, c], along)
            pull_along(held, at, f, along)
            inward(tree, sweep, dq[b, c], along, right)
            for i in range(nv):
                dx[b, i, c] = dtau[b, c, i] - right[i]
            for one in range(nc):
                for k in range(held.ends[one, 3], held.ends[one, 3] + held.ends[one, 4]):
                    dy[b, k, c] = -rows_along(held, rows, along, k, one)
        solve(of.equations.above, w, dx[b], dy[b])
