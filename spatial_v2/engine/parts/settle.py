"""Solution of the KKT equations of single states, for constraint rows of any rank."""

from typing import Any

import numpy as np

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.compile.extend import overload, types
from spatial_v2.engine.compile.subkernels import CALLED, rare
from spatial_v2.engine.parts.elimination import Eliminated, choose, eliminate, share
from spatial_v2.engine.parts.ldl import ldl, ldl_columns
from spatial_v2.engine.parts.outcomes import (
    DEPENDENT,
    FREE,
    NEAR,
    NOT_FINITE,
    NOTABLE,
    SOLVED,
    STEADY,
    ZERO,
)
from spatial_v2.engine.tree import Floats


@part
def copy(source: Floats, to: Floats) -> None:
    """Copy a matrix. An assignment of arrays would compile the texts of errors about shapes."""
    for i in range(source.shape[0]):
        for c in range(source.shape[1]):
            to[i, c] = source[i, c]


@part
def fill(x: Floats, value: float) -> None:
    """Set all entries of a matrix."""
    for i in range(x.shape[0]):
        for c in range(x.shape[1]):
            x[i, c] = value


@part
def project(w: Eliminated, r: int, b: Floats) -> None:
    """Compute the least-squares solution t of ``A t = b``, and the part of b that is missed."""
    t, rest, A = w.t, w.rest, w.A
    for c in range(b.shape[1]):
        for j in range(r):
            t[j, c] = 0.0
            for k in range(b.shape[0]):
                t[j, c] += A[k, j] * b[k, c]
    ldl_columns(w.AA, r, 0, b.shape[1], t)
    for k in range(b.shape[0]):
        for c in range(b.shape[1]):
            value, size = b[k, c], abs(b[k, c])
            for j in range(r):
                value -= A[k, j] * t[j, c]
                size += abs(A[k, j] * t[j, c])
            rest[k, c] = value if abs(value) > 64 * 2.220446049250313e-16 * size else 0.0


@part
def solve_eliminated(
    w: Eliminated, damping: float, r: int, whole: bool, x: Floats, y: Floats
) -> None:
    """Replace right-hand sides x (nv, n) and y (m, n) by solutions; AA and C are factors.

    The part of y that no acceleration can produce counts only if `whole`: that of a residual is
    rounding errors.
    """
    nv, n, f = x.shape[0], x.shape[1], x.shape[0] - r
    T, t, p, z = w.T, w.t, w.p, w.z
    project(w, r, y)
    for i in range(nv):
        for c in range(n):
            w.forces[i, c] = 0.0
            for k in range(nv):
                w.forces[i, c] += T[k, i] * x[k, c]
            z[i, c] = w.forces[i, c]
    ldl_columns(w.M, f, 0, n, z)
    for i in range(r):
        for c in range(n):
            p[i, c] = -w.forces[f + i, c]
            for j in range(r):
                p[i, c] += w.S[i, j] * t[j, c]
            for k in range(f):
                p[i, c] += w.M[f + i, k] * z[k, c]
    ldl_columns(w.C, r, 0, n, p)
    for k in range(y.shape[0]):
        for c in range(n):
            y[k, c] = w.rest[k, c] / damping if whole and damping > 0.0 else 0.0
            for j in range(r):
                y[k, c] += w.A[k, j] * p[j, c]
    for c in range(n):
        for j in range(r):
            z[f + j, c] = t[j, c] - damping * p[j, c]
        for i in range(f):
            for j in range(r):
                z[i, c] -= w.X[i, j] * z[f + j, c]
        for i in range(nv):
            x[i, c] = 0.0
            for k in range(nv):
                x[i, c] += T[i, k] * z[k, c]


@part
def refine_eliminated(
    w: Eliminated, distances: Floats, damping: float, matrices: tuple[Floats, Floats],
    right: tuple[Floats, Floats], r: int, x: Floats, y: Floats,
) -> float:  # fmt: skip
    """Improve a solution by steps of refinement; return the size of the last correction of the
    accelerations, relative to them, or to what the largest force gives to the largest inertia.
    """
    (H, G), (top, bottom), change = matrices, right, 0.0
    (m, nv), n = G.shape, x.shape[1]
    inertia = 0.0
    for i in range(nv):
        inertia = max(inertia, H[i, i] / (distances[i] * distances[i]))
    for _ in range(3):
        for c in range(n):
            for i in range(nv):
                w.dx[i, c] = top[i, c]
                for j in range(nv):
                    w.dx[i, c] -= H[i, j] * x[j, c]
                for k in range(m):
                    w.dx[i, c] += G[k, i] * y[k, c]
            for k in range(m):
                w.dy[k, c] = bottom[k, c] - damping * y[k, c]
                for i in range(nv):
                    w.dy[k, c] -= G[k, i] * x[i, c]
        solve_eliminated(w, damping, r, False, w.dx, w.dy)
        change = 0.0
        for c in range(n):
            moved, whole, force = 0.0, 0.0, 0.0
            for i in range(nv):
                x[i, c] += w.dx[i, c]
                moved = max(moved, abs(w.dx[i, c]) * distances[i])
                whole = max(whole, abs(x[i, c]) * distances[i])
                force = max(force, abs(top[i, c]) / distances[i])
            for k in range(m):
                y[k, c] += w.dy[k, c]
            if moved > 0.0:
                change = max(change, moved / max(whole, force / inertia))
        if not change > 1e-12:
            break
    return change


@rare
def settle_states(
    of: tuple[Floats, float], matrices: tuple[Floats, Floats], scales: tuple[Floats, Floats],
    right: tuple[Floats, Floats], x: Floats, y: Floats, report: Floats,
) -> None:  # fmt: skip
    """Do what `settle` does, for states one by one."""
    (distances, damping), (H, G), (size, least), (top, bottom) = of, matrices, scales, right
    (B, m, nv), n, some = G.shape, x.shape[2], False
    for b in range(B):
        some = some or report[b, 0] != 0.0
    if not some:
        return
    wide = max(n, 1)
    w = Eliminated(
        np.empty((m, nv)), np.empty(m), np.empty((m, nv + m)), np.empty(m, dtype=np.int64),
        np.empty(m, dtype=np.int64), np.empty(nv, dtype=np.int64), np.empty((nv, nv)),
        np.empty((nv, nv)), np.empty((nv, nv)), np.empty((nv, m)), np.empty((m, m)),
        np.empty((m, m)), np.empty((m, m)), np.empty((m, m)), np.empty((nv, n)),
        np.empty((nv, wide)), np.empty((m, n)), np.empty((m, n)), np.empty((m, n)),
        np.empty((nv, n)), np.empty((m, n)),
    )  # fmt: skip
    for b in range(B):
        if report[b, 0] == 0.0:
            continue
        pivots, sizes = report[b, 5 : 5 + m], report[b, 5 + m : 5 + 2 * m]
        rank = choose(w, G[b], size[b], distances, pivots)
        free = eliminate(w, H[b], G[b], least[b], distances, damping, rank)
        share(w, rank, report[b, 5 + 2 * m :])
        relative, near, total = 1.0, False, 0.0
        for k in range(m):
            sizes[k] = size[b, k] if size[b, k] > 0.0 else 0.0
            near = near or pivots[k] < NEAR * ZERO or sizes[k] < (NEAR * ZERO) ** 2
        if damping > 0.0 and rank < m:
            for j in range(rank):
                relative = min(relative, damping * w.S[j, j] / w.AA[j, j])
        ldl(w.AA, rank)
        ldl(w.C, rank)
        copy(top[b], x[b])
        copy(bottom[b], y[b])
        solve_eliminated(w, damping, rank, True, x[b], y[b])
        change = refine_eliminated(
            w, distances, damping, (H[b], G[b]), (top[b], bottom[b]), rank, x[b], y[b]
        )
        for i in range(nv):
            for j in range(nv):
                total += 0.0 * H[b, i, j]
            for k in range(m):
                total += 0.0 * G[b, k, i]
        known = total == 0.0
        for c in range(n):
            for i in range(nv):
                total += 0.0 * x[b, i, c]
            for k in range(m):
                total += 0.0 * y[b, k, c]
        if known and free >= 0:
            report[b, 0] = FREE
            fill(x[b], np.nan)
            fill(y[b], np.nan)
        elif known and rank < m:
            report[b, 0] = DEPENDENT
        elif total != 0.0:
            report[b, 0] = NOT_FINITE
        else:
            report[b, 0] = NOTABLE if near or change > STEADY else SOLVED
        report[b, 1], report[b, 2], report[b, 3], report[b, 4] = rank, free, relative, change


def settle(
    of: tuple[Floats, float], matrices: tuple[Floats, Floats], scales: tuple[Floats, Floats],
    right: tuple[Floats, Floats], x: Floats, y: Floats, report: Floats,
) -> None:  # fmt: skip
    """Solve the states of which the first entry of the report is not zero, by elimination.

    Their reports (B, 5 + 3 m) are then those of `outcomes.Report`; the outcome of the others is
    zero, `SOLVED`. For SIMD batches this does nothing.

    Parameters
    ----------
    of : tuple
        Distances for which units of the variables stand, and damping.
    matrices : tuple
        H (B, nv, nv) and G (B, m, nv).
    scales : tuple
        Sizes (B, m) of the rows, and least pivots (B, nv) of H.
    right : tuple
        Right-hand sides top (B, nv, n) and bottom (B, m, n).
    x, y : arrays
        The solutions (B, nv, n) and (B, m, n).
    """
    settle_states(of, matrices, scales, right, x, y, report)


@overload(settle, jit_options=CALLED)
def _settle_of_kind(
    of: Any, matrices: Any, scales: Any, right: Any, x: Any, y: Any, report: Any
) -> Any:
    if isinstance(x.dtype, types.Float):
        return settle
    return lambda of, matrices, scales, right, x, y, report: None
