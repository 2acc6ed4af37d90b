"""Solutions of the KKT equations of constrained dynamics, for many right-hand sides."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit
from spatial_v2.engine.compile.subkernels import subkernel
from spatial_v2.engine.constrained import Equations
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.doubts import doubts_of_rows, exceeds
from spatial_v2.engine.parts.kkt_arrays import Factors, Posed, new_factors
from spatial_v2.engine.parts.kkt_factors import join, reduce, spread
from spatial_v2.engine.parts.kkt_solution import outward, solve, solve_one
from spatial_v2.engine.parts.outcomes import CLEAR, FIRM, NEAR, STEADY, TRUST, ZERO
from spatial_v2.engine.parts.settle import settle
from spatial_v2.engine.tree import Floats, Ints

Correction = tuple[Floats, Floats, Floats, Floats]
"""Corrections (nv, 1) and (m, 1), and two vectors (nv,) of scratch space."""


@inline
def solve_for(above: Ints, w: Factors, sides: tuple[Floats, Floats], x: Floats, y: Floats) -> None:
    """Compute the solutions x (nv, n) and y (m, n) for right-hand sides, as `solve` does."""
    top, bottom = sides
    nv, m = w.first.size, w.pivots.size
    for c in range(top.shape[1]):
        for i in range(nv):
            x[i, c] = top[i, c]
        for k in range(m):
            y[k, c] = bottom[k, c]
    solve(above, w, x, y)


@inline
def refine(
    of: Equations, H: Floats, G: Floats, top: Floats, bottom: Floats, w: Factors,
    x: Floats, y: Floats, change: Correction,
) -> float:  # fmt: skip
    """Do one step of refinement of a solution x (nv, 1), y (m, 1).

    Returns 0 if it changed the accelerations by little, see `STEADY`, else a positive number.
    Accelerations count as large as the largest force gives to the largest inertia.
    """
    m, nv = G.shape
    moved: float = 0.0 * H[0, 0]
    whole: float = 0.0 * H[0, 0]
    force: float = 0.0 * H[0, 0]
    inertia: float = 0.0 * H[0, 0]
    dx, dy, row, torque = change
    for i in range(nv):
        row[i] = x[i, 0]
    for i in range(nv):
        rest = top[i, 0]
        for j in range(nv):
            rest -= H[i, j] * row[j]
        torque[i] = rest
    for k in range(m):
        rate = bottom[k, 0] - of.damping * y[k, 0]
        for i in range(nv):
            rate -= G[k, i] * row[i]
        for i in range(nv):
            torque[i] += y[k, 0] * G[k, i]
        dy[k, 0] = rate
    for i in range(nv):
        dx[i, 0] = torque[i]
    solve_one(of.above, w, dx, dy)
    for i in range(nv):
        d = of.distances[i]
        x[i, 0] += dx[i, 0]
        moved += dx[i, 0] * dx[i, 0] * (d * d)
        whole += x[i, 0] * x[i, 0] * (d * d)
        force += top[i, 0] * top[i, 0] / (d * d)
        inertia += H[i, i] / (d * d)
    for k in range(m):
        y[k, 0] += dy[k, 0]
    steady = STEADY * STEADY * (whole + force / (inertia * inertia))
    return exceeds(steady - moved + 1e-300, 0.0)


@subkernel
def solve_refined(
    of: Equations, at: Posed, w: Factors, firm: float, clear: float, x: Floats, y: Floats,
    doubt: Floats,
) -> None:  # fmt: skip
    """Solve the equations by the inverse of H, for one right-hand side with refinement; the first
    entries of doubt (B, ...) become zero where that serves, see `doubts_of_rows`.

    The factors w are then those of the last state.

    Without refinement a light body costs as many digits as its mass is smaller than the robot's.
    """
    H, G, size, least, top, bottom = at
    m, nv = G.shape[1:]
    change = empty(H, nv, 1), empty(H, m, 1), empty(H, nv), empty(H, nv)
    for b in range(H.shape[0]):
        spread(of, H[b], G[b], w)
        one = top.shape[2] == 1
        if one:
            join(top[b], bottom[b], w)
        reduce(of, w)
        doubt[b, 0] = doubts_of_rows(of, H[b], (size[b], least[b]), w, firm, clear)
        if not one:
            solve_for(of.above, w, (top[b], bottom[b]), x[b], y[b])
        else:
            outward(of.above, w, x[b], y[b])
            doubt[b, 0] += refine(of, H[b], G[b], top[b], bottom[b], w, x[b], y[b], change)


@subkernel
def solve_states(of: Equations, at: Posed, x: Floats, y: Floats, report: Floats) -> None:
    """Solve the equations of all states; see `KKT`."""
    w = new_factors(at.H, at.H.shape[1], at.G.shape[1])
    if of.damping > 0.0:
        solve_refined(of, at, w, TRUST, NEAR * ZERO, x, y, report)
    else:
        solve_refined(of, at, w, FIRM, CLEAR, x, y, report)
    scales = at.size, at.least
    settle((of.distances, of.damping), (at.H, at.G), scales, (at.top, at.bottom), x, y, report)


@jit
def KKT(
    of: Equations, H: Floats, G: Floats, size: Floats, least: Floats, top: Floats,
    bottom: Floats, x: Floats, y: Floats, report: Floats,
) -> None:  # fmt: skip
    """Compute accelerations x (B, nv, n) and multipliers y (B, m, n) from the KKT equations.

    The equations are ``H x - G^T y = top`` and ``G x + damping y = bottom``. size (B, m) and
    least (B, nv) are those of `constraint_rows`. The reports are those of `settle`; for SIMD
    batches only their first entry is written: zero for a state that is solved, else it has to be
    solved alone.
    """
    solve_states(of, Posed(H, G, size, least, top, bottom), x, y, report)
