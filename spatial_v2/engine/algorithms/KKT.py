"""Solutions of the KKT equations of constrained dynamics, for many right-hand sides."""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, jit, part, within
from spatial_v2.engine.numbers.kinds import empty, sign
from spatial_v2.engine.parts.ldl import ldl, ldl_columns
from spatial_v2.engine.parts.outcomes import NEAR, SPREAD, STEADY, TRUST, ZERO
from spatial_v2.engine.parts.settle import settle
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["KKT", "Equations", "Factors", "factorise", "new_factors", "refine", "solve"]


class Equations(NamedTuple):
    """The data of the KKT equations that are the same in all states.

    Attributes
    ----------
    above : (nv,) int64
        For each velocity variable, the variable before it on the path from the base, or -1. A row
        of H is zero but for the columns of these variables (Featherstone 2008, Sec. 6.3).
    distances : (nv,)
        The distance that a unit of each velocity variable stands for.
    damping : float
        Number that is added to the diagonal of ``G H^-1 G^T``.
    """

    above: Ints
    distances: Floats
    damping: float


class Factors(NamedTuple):
    """Factors of the KKT equations in one state.

    Attributes
    ----------
    L : (nv, nv)
        Factors of H, see `ltdl`.
    HG : (nv, m)
        ``H^-1 G^T``.
    W : (m, m)
        Factors of ``G H^-1 G^T + damping``.
    D : (m, m)
        Factors of the products of the rows.
    pivots : (m,)
        Relative pivots of W or D.
    """

    L: Floats
    HG: Floats
    W: Floats
    D: Floats
    pivots: Floats


@within
def new_factors(q: Floats, nv: int, m: int) -> Factors:
    """Allocate the workspace of `factorise`, for the kind of number of q."""
    return Factors(
        empty(q, nv, nv), empty(q, nv, m), empty(q, m, m), empty(q, m, m), empty(q, m)
    )  # fmt: skip


@inline
def ltdl(above: Ints, L: Floats) -> None:
    """Factor the inertia matrix in place, ``H = L^T D L`` (Featherstone 2008, Table 6.3).

    L is below the diagonal and 1 / D on it.
    """
    for k in range(above.size - 1, -1, -1):
        d = 1.0 / L[k, k]
        i = above[k]
        while i >= 0:
            x = L[k, i] * d
            j = i
            while j >= 0:
                L[i, j] -= x * L[k, j]
                j = above[j]
            L[k, i] = x
            i = above[i]
        L[k, k] = d


@part
def ltdl_columns(above: Ints, L: Floats, x: Floats) -> None:
    """Replace x (nv, n) by H^-1 x, with the factors L of `ltdl`."""
    n = x.shape[1]
    for i in range(above.size - 1, -1, -1):
        j = above[i]
        while j >= 0:
            for c in range(n):
                x[j, c] -= L[i, j] * x[i, c]
            j = above[j]
    for i in range(above.size):
        for c in range(n):
            x[i, c] *= L[i, i]
        j = above[i]
        while j >= 0:
            for c in range(n):
                x[i, c] -= L[i, j] * x[j, c]
            j = above[j]


@inline
def ldl_pivots(D: Floats, n: int, left: Floats) -> None:
    """Factor D as `ldl` does; set `left` to the ratio of each pivot to its diagonal entry."""
    for c in range(n):
        left[c] = D[c, c]
    ldl(D, n)
    for c in range(n):
        left[c] = 1.0 / (D[c, c] * left[c])


@inline
def exceeds(x: float, least: float) -> float:
    """Return 0 if x is greater than a threshold, else a positive number; so for NaN."""
    return 1.0 - sign(x - least)


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


@inline
def doubts(of: Equations, H: Floats, G: Floats, size: Floats, w: Factors) -> float:
    """Return 0 if the factors of `factorise` serve: the rows are clearly independent, inertias do
    not differ by too much, and no pivot is nearly zero; else a positive number.

    With damping the rows may depend on each other, as long as the damping is not too small.
    """
    m, nv = G.shape
    doubt: float = 0.0 * H[0, 0]
    total: float = 0.0 * H[0, 0]
    for i in range(nv):
        total += H[i, i] / (of.distances[i] * of.distances[i])
    for i in range(nv):
        doubt += exceeds(SPREAD * H[i, i] / (of.distances[i] * of.distances[i]), total)
        doubt += exceeds(1.0 / (w.L[i, i] * H[i, i]), TRUST)
    for k in range(m):
        doubt += exceeds(w.pivots[k], NEAR * ZERO)
    if of.damping == 0.0:
        for k in range(m):
            for l in range(k + 1):
                w.D[k, l] = 0.0
            for i in range(nv):
                d = 1.0 / (of.distances[i] * of.distances[i])
                for l in range(k + 1):
                    w.D[k, l] += d * G[k, i] * G[l, i]
        ldl_pivots(w.D, m, w.pivots)
        for k in range(m):
            doubt += exceeds(w.pivots[k], NEAR * ZERO)
            doubt += exceeds(size[k], (NEAR * ZERO) ** 2)
    return doubt


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
        dx[i, 0] = top[i, 0]
        for j in range(nv):
            dx[i, 0] -= H[i, j] * x[j, 0]
        for k in range(m):
            dx[i, 0] += G[k, i] * y[k, 0]
    for k in range(m):
        dy[k, 0] = bottom[k, 0] - of.damping * y[k, 0]
        for i in range(nv):
            dy[k, 0] -= G[k, i] * x[i, 0]
    solve(of.above, w, G, dx, dy)
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
def KKT(
    of: Equations, H: Floats, G: Floats, size: Floats, top: Floats, bottom: Floats,
    x: Floats, y: Floats, report: Floats,
) -> None:  # fmt: skip
    """Compute accelerations x (B, nv, n) and multipliers y (B, m, n) from the KKT equations.

    The equations are ``H x - G^T y = top`` and ``G x + damping y = bottom``. size (B, m) is that of
    `constraint_rows`. The reports are those of `settle`; for SIMD batches only their first entry is
    written: zero for a state that is solved, else it has to be solved alone.
    """
    m, nv = G.shape[1:]
    w, dx, dy = new_factors(H, nv, m), empty(H, nv, 1), empty(H, m, 1)
    for b in range(H.shape[0]):
        factorise(of, H[b], G[b], w)
        report[b, 0] = doubts(of, H[b], G[b], size[b], w)
        for c in range(top.shape[2]):
            for i in range(nv):
                x[b, i, c] = top[b, i, c]
            for k in range(m):
                y[b, k, c] = bottom[b, k, c]
        solve(of.above, w, G[b], x[b], y[b])
        if top.shape[2] == 1:
            report[b, 0] += refine(of, H[b], G[b], top[b], bottom[b], w, x[b], y[b], dx, dy)
    settle((of.distances, of.damping), (H, G, size), (top, bottom), x, y, report)
