"""Solutions of the KKT equations of constrained dynamics, for many right-hand sides."""

from __future__ import annotations

from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.constrained import Equations
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.parts.doubts import doubts_of_rows, exceeds, ldl_pivots
from spatial_v2.engine.parts.kkt_arrays import Factors, Posed, new_factors
from spatial_v2.engine.parts.ldl import ldl_columns
from spatial_v2.engine.parts.ltdl import ltdl, ltdl_columns
from spatial_v2.engine.parts.outcomes import CLEAR, FIRM, NEAR, STEADY, TRUST, ZERO
from spatial_v2.engine.parts.settle import settle
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["KKT", "factorise", "solve", "solve_refined", "solve_states"]


@inline
def factorise(of: Equations, H: Floats, G: Floats, w: Factors) -> None:
    """Compute factors of H and of the Delassus matrix ``G H^-1 G^T + damping``."""
    m, nv = G.shape
    L, HG, W = w.L, w.HG, w.W
    for i in range(nv):
        for j in range(nv):
            L[i, j] = H[i, j]
        for k in range(m):
            HG[i, k] = G[k, i]
    ltdl(of.above, L)
    ltdl_columns(of.above, L, HG)
    for k in range(m):
        for l in range(k + 1):
            W[k, l] = of.damping * (1.0 if k == l else 0.0)
        for i in range(nv):
            for l in range(k + 1):
                W[k, l] += G[k, i] * HG[i, l]
    ldl_pivots(W, m, w.pivots)


@part
def solve(above: Ints, w: Factors, G: Floats, x: Floats, y: Floats) -> None:
    """Replace right-hand sides x (nv, n) and y (m, n) of `KKT` by solutions, with the results w of
    `factorise`.
    """
    m, nv = G.shape
    for k in range(m):
        for i in range(nv):
            for c in range(x.shape[1]):
                y[k, c] -= w.HG[i, k] * x[i, c]
    ldl_columns(w.W, m, 0, x.shape[1], y)
    for i in range(nv):
        for k in range(m):
            for c in range(x.shape[1]):
                x[i, c] += G[k, i] * y[k, c]
    ltdl_columns(above, w.L, x)


@inline
def solve_one(above: Ints, w: Factors, G: Floats, x: Floats, y: Floats) -> None:
    """Do what `solve` does for a single right-hand side; sums stay in registers."""
    m, nv = G.shape
    for k in range(m):
        force = y[k, 0]
        for i in range(nv):
            force -= w.HG[i, k] * x[i, 0]
        y[k, 0] = force
    ldl_columns(w.W, m, 0, 1, y)
    for i in range(nv):
        torque = x[i, 0]
        for k in range(m):
            torque += G[k, i] * y[k, 0]
        x[i, 0] = torque
    ltdl_columns(above, w.L, x)


@inline
def solve_for(
    above: Ints, w: Factors, G: Floats, sides: tuple[Floats, Floats], x: Floats, y: Floats
) -> None:
    """Compute the solutions x (nv, n) and y (m, n) for right-hand sides, as `solve` does."""
    top, bottom = sides
    m, nv = G.shape
    for c in range(top.shape[1]):
        for i in range(nv):
            x[i, c] = top[i, c]
        for k in range(m):
            y[k, c] = bottom[k, c]
    if top.shape[1] == 1:
        solve_one(above, w, G, x, y)
    else:
        solve(above, w, G, x, y)


@inline
def refine(
    of: Equations, H: Floats, G: Floats, top: Floats, bottom: Floats, w: Factors,
    x: Floats, y: Floats, dx: Floats, dy: Floats,
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
    for i in range(nv):
        torque = top[i, 0]
        for j in range(nv):
            torque -= H[i, j] * x[j, 0]
        for k in range(m):
            torque += G[k, i] * y[k, 0]
        dx[i, 0] = torque
    for k in range(m):
        rate = bottom[k, 0] - of.damping * y[k, 0]
        for i in range(nv):
            rate -= G[k, i] * x[i, 0]
        dy[k, 0] = rate
    solve_one(of.above, w, G, dx, dy)
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


@jit
def solve_refined(
    of: Equations, at: Posed, firm: float, clear: float, x: Floats, y: Floats, doubt: Floats
) -> None:
    """Solve the equations by the inverse of H, for one right-hand side with refinement; the first
    entries of doubt (B, ...) become zero where that serves, see `doubts_of_rows`.

    Without refinement a light body costs as many digits as its mass is smaller than the robot's.
    """
    H, G, size, least, top, bottom = at
    m, nv = G.shape[1:]
    w, dx, dy = new_factors(H, nv, m), empty(H, nv, 1), empty(H, m, 1)
    for b in range(H.shape[0]):
        factorise(of, H[b], G[b], w)
        doubt[b, 0] = doubts_of_rows(of, H[b], G[b], (size[b], least[b]), w, firm, clear)
        solve_for(of.above, w, G[b], (top[b], bottom[b]), x[b], y[b])
        if top.shape[2] == 1:
            doubt[b, 0] += refine(of, H[b], G[b], top[b], bottom[b], w, x[b], y[b], dx, dy)


@jit
def solve_states(of: Equations, at: Posed, x: Floats, y: Floats, report: Floats) -> None:
    """Solve the equations of all states; see `KKT`."""
    if of.damping > 0.0:
        solve_refined(of, at, TRUST, NEAR * ZERO, x, y, report)
    else:
        solve_refined(of, at, FIRM, CLEAR, x, y, report)
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
