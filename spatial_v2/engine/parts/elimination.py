"""Elimination of variables from the KKT equations, for constraint rows of any rank.

The class `constraints.elimination.Elimination` explains the equations.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.parts.ldl import ldl, ldl_columns
from spatial_v2.engine.parts.outcomes import TIE, ZERO
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["Eliminated", "choose", "eliminate", "share"]


class Eliminated(NamedTuple):
    """Workspace for one state with m constraint rows, nv velocity variables and n right-hand sides.

    Attributes
    ----------
    V : (m, nv)
        The rows of G of length 1, then their parts that are independent of those chosen before.
    length : (m,)
        Lengths of the rows; zero for rows that vanish.
    P : (m, nv + m)
        The chosen rows G_J and the identity, then both multiplied by the inverse of the pivots'
        columns of G_J.
    order, row, column : (m,), (m,), (nv,) int64
        Chosen rows, then the others; the variable of each pivot's row of P; the row of a variable,
        or -1 if it is free.
    T, HT, M : (nv, nv)
        Variables as combinations of free variables and rates of rows; ``H T``; ``T^T H T``, whose
        leading block becomes its factors.
    X, S, A, AA, C : (nv, m), (m, m), (m, m), (m, m), (m, m)
        As in `Elimination`; AA and C become factors.
    forces, z : (nv, n)
        ``T^T top``, and free variables.
    t, p, rest : (m, n)
        As in `Elimination`; what no acceleration can produce.
    dx, dy : (nv, n), (m, n)
        Right-hand sides and corrections of the refinement.
    """

    V: Floats
    length: Floats
    P: Floats
    order: Ints
    row: Ints
    column: Ints
    T: Floats
    HT: Floats
    M: Floats
    X: Floats
    S: Floats
    A: Floats
    AA: Floats
    C: Floats
    forces: Floats
    z: Floats
    t: Floats
    p: Floats
    rest: Floats
    dx: Floats
    dy: Floats


@part
def choose(w: Eliminated, G: Floats, size: Floats, distances: Floats, pivots: Floats) -> int:
    """Choose independent rows; return their number, the rank.

    pivots (m,) becomes the square of the sine of the angle of each row to the rows chosen before.
    """
    V, order = w.V, w.order
    m, nv = G.shape
    for k in range(m):
        square = 0.0
        for t in range(nv):
            V[k, t] = G[k, t] / distances[t]
            square += V[k, t] * V[k, t]
        w.length[k] = math.sqrt(square) if size[k] > ZERO * ZERO else 0.0
        for t in range(nv):
            V[k, t] = V[k, t] / w.length[k] if w.length[k] > 0.0 else 0.0
        order[k], pivots[k] = k, 0.0
    rank, counts = 0, True
    for r in range(m):
        best, most = r, -1.0
        for i in range(r, m):
            square = 0.0
            for t in range(nv):
                square += V[order[i], t] * V[order[i], t]
            pivots[order[i]] = square
            most = max(most, square)
        for i in range(r, m):
            tied = pivots[order[i]] >= (1.0 - TIE) * most
            first = order[i] < order[best] or pivots[order[best]] < (1.0 - TIE) * most
            if tied and first:
                best = i
        k = order[best]
        most = pivots[k]
        order[best], order[r], pivots[k] = order[r], k, most
        counts = counts and most > ZERO
        if counts:
            rank += 1
            for i in range(r + 1, m):
                along = 0.0
                for t in range(nv):
                    along += V[order[i], t] * V[k, t]
                for t in range(nv):
                    V[order[i], t] -= along / most * V[k, t]
    return rank


@part
def divide(w: Eliminated, G: Floats, distances: Floats, r: int) -> None:
    """Express variables by free ones and by the rates of the chosen rows: compute T.

    Each step of the elimination takes the largest entry that is left as its pivot. Free variables
    come in the order of the articulated-body algorithm, the outermost first.
    """
    P, T, row, column = w.P, w.T, w.row, w.column
    nv = G.shape[1]
    for i in range(r):
        for t in range(nv):
            P[i, t] = G[w.order[i], t]
        for j in range(r):
            P[i, nv + j] = 1.0 if i == j else 0.0
        row[i] = -1
    for t in range(nv):
        column[t] = -1
    for _ in range(r):
        p, c, most = 0, 0, -1.0
        for i in range(r):
            if row[i] < 0:
                for t in range(nv):
                    entry = abs(P[i, t]) / (w.length[w.order[i]] * distances[t])
                    if column[t] < 0 and entry > most:
                        p, c, most = i, t, entry
        row[p], column[c] = c, p
        d = 1.0 / P[p, c]
        for t in range(nv + r):
            P[p, t] *= d
        for i in range(r):
            d = P[i, c]
            if i != p and d != 0.0:
                for t in range(nv + r):
                    P[i, t] -= d * P[p, t]
    T[:, :] = 0.0
    f = 0
    for t in range(nv - 1, -1, -1):
        if column[t] < 0:
            T[t, f] = 1.0
            for i in range(r):
                T[row[i], f] = -P[i, t]
            f += 1
    for i in range(r):
        for j in range(r):
            T[row[i], f + j] = P[i, nv + j]


@part
def eliminate(
    w: Eliminated, H: Floats, G: Floats, least: Floats, distances: Floats, damping: float,
    r: int,
) -> int:  # fmt: skip
    """Compute the matrices of `Elimination` for r chosen rows.

    Returns the variable whose motion is free and has no inertia, or -1: a pivot is a rounding
    error up to the sum of the least pivots of the variables that move.
    """
    m, nv = G.shape
    f = nv - r
    T, M, HT, A = w.T, w.M, w.HT, w.A
    divide(w, G, distances, r)
    for i in range(nv):
        for j in range(nv):
            HT[i, j] = 0.0
        for k in range(nv):
            for j in range(nv):
                HT[i, j] += H[i, k] * T[k, j]
    for i in range(nv):
        for j in range(i + 1):
            M[i, j] = 0.0
        for k in range(nv):
            for j in range(i + 1):
                M[i, j] += T[k, i] * HT[k, j]
    for i in range(f):
        w.z[i, 0] = 0.0
        for k in range(nv):
            w.z[i, 0] += T[k, i] * T[k, i] * least[k]
        for j in range(r):
            w.X[i, j] = M[f + j, i]
    ldl(M, f)
    at = 0
    for t in range(nv - 1, -1, -1):
        if w.column[t] < 0:
            if not 1.0 / M[at, at] > w.z[at, 0]:
                return t
            at += 1
    ldl_columns(M, f, 0, r, w.X)
    for i in range(r):
        for j in range(r):
            w.S[i, j] = M[f + i, f + j] if j <= i else M[f + j, f + i]
            for k in range(f):
                w.S[i, j] -= M[f + i, k] * w.X[k, j]
    for k in range(m):
        for j in range(r):
            A[k, j] = 0.0
            for i in range(r):
                if w.length[k] > 0.0:
                    A[k, j] += G[k, w.row[i]] * w.P[i, nv + j]
    for i in range(r):
        for j in range(r):
            A[w.order[i], j] = 1.0 if i == j else 0.0
    for i in range(r):
        for j in range(i + 1):
            w.AA[i, j] = 0.0
            for k in range(m):
                w.AA[i, j] += A[k, i] * A[k, j]
            w.C[i, j] = w.AA[i, j] + damping * w.S[i, j]
    return -1


@part
def share(w: Eliminated, r: int, shares: Floats) -> None:
    """Compute the largest coefficient (m,) of each row in sums of rows that vanish."""
    m = w.length.size
    for k in range(m):
        shares[k] = 0.0
    for i in range(r, m):
        k = w.order[i]
        for j in range(r):
            if w.length[k] > 0.0:
                x = abs(w.A[k, j]) * w.length[w.order[j]] / w.length[k]
                shares[k] = 1.0
                shares[w.order[j]] = max(shares[w.order[j]], x)
