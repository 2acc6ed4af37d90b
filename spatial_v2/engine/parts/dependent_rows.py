"""Solution of constraint equations with dependent rows, by a choice of independent rows."""

from __future__ import annotations

import math
from typing import NamedTuple

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.parts.ldl import ldl, ldl_columns
from spatial_v2.engine.tree import Floats, Ints

__all__ = [
    "Room",
    "Rule",
    "combinations",
    "independent",
    "project",
    "proximal",
    "spread",
]

_DIGITS = 100.0
"""Factor by which thresholds are above rounding errors, so that rounding alone does not
reach them.
"""


class Rule(NamedTuple):
    """The treatment of constraint rows that vanish or depend on others, and thresholds.

    Attributes
    ----------
    choice : int
        `REFUSE`, `SHORTEST` or `PROXIMAL`.
    zero, near : float
        Thresholds for the square of the part of a row that is independent of the rows chosen
        before, relative to the square of the row: below `zero` it is dependent, below `near` nearly
        so.
    inertia : float
        Threshold for the ratio of a pivot of H to its diagonal entry.
    """

    choice: int
    zero: float
    near: float
    inertia: float


class Room(NamedTuple):
    """Workspace for one state with m constraint rows, nv velocity variables and n right-hand sides.

    Attributes
    ----------
    L, HG : (nv, nv), (nv, m)
        Factors of H, and ``H^-1 G^T``.
    W, D, F : (m, m)
        The Delassus matrix ``G H^-1 G^T``, its factors, and those of the matrix of the proximal
        iteration.
    order : (m,) int64
        Rows in the order in which they are chosen.
    scale, rest : (m,)
        Scale of each row that makes its diagonal entry one, and the square of its independent part.
    A, AA : (m, m)
        All rows as combinations of the chosen ones, transposed, and the factors of ``A A^T``.
    t, b, step : (m, n)
        Scratch space for right-hand sides.
    """

    L: Floats
    HG: Floats
    W: Floats
    D: Floats
    F: Floats
    order: Ints
    scale: Floats
    rest: Floats
    A: Floats
    AA: Floats
    t: Floats
    b: Floats
    step: Floats


@part
def independent(size: Floats, rule: Rule, room: Room) -> int:
    """Choose independent constraint rows; return their number, the rank, or -1 if rounding could
    change it.

    Fields order, scale and F of `room` are set. The next row chosen is the one with the largest
    part that is independent of those chosen before. ``W[k, l] scale[k] scale[l]`` is
    ``(F F^T)[k, l]`` with F (m, rank); its rows ``order[:rank]`` are a lower triangle. `size` is a
    result of `constraint_rows`.
    """
    m, zero = size.size, rule.zero * rule.zero
    W, L, order, scale, rest = room.W, room.F, room.order, room.scale, room.rest
    for k in range(m):
        scale[k], rest[k] = 0.0, 0.0
        if size[k] > zero / _DIGITS**2:
            if not (size[k] > rule.near * rule.near and W[k, k] > 0.0):
                return -1
            scale[k], rest[k] = 1.0 / math.sqrt(W[k, k]), 1.0
        elif not math.isfinite(W[k, k]):
            return -1
    for r in range(m):
        best = 0
        for k in range(1, m):
            if rest[k] > rest[best]:
                best = k
        pivot = rest[best]
        if not pivot > rule.near:
            return r if pivot < rule.zero / _DIGITS else -1
        order[r] = best
        d = 1.0 / math.sqrt(pivot)
        for k in range(m):
            x = W[k, best] * scale[k] * scale[best]
            for i in range(r):
                x -= L[k, i] * L[best, i]
            L[k, r] = x * d
            rest[k] -= L[k, r] * L[k, r]
        for i in range(r + 1):
            rest[order[i]] = -1.0
    return m


@part
def combinations(r: int, room: Room) -> None:
    """Express all constraint rows G by the r chosen ones: compute A (r, m) with ``G = A^T G[J]``,
    where J = ``order[:r]`` are the indices of the chosen rows.

    A is ``W[J, J]^-1 W[J]`` with the Delassus matrix W, but zero for rows that vanish. The field F
    of `room` becomes the factors of ``W[J, J]``, and AA those of ``A A^T``.
    """
    W, F, order, A, AA = room.W, room.F, room.order, room.A, room.AA
    m = order.size
    for i in range(r):
        for k in range(m):
            A[i, k] = W[order[i], k] if room.scale[k] > 0.0 else 0.0
        for j in range(r):
            F[i, j] = W[order[i], order[j]]
    ldl(F, r)
    ldl_columns(F, r, 0, m, A)
    for i in range(r):
        for j in range(i + 1):
            AA[i, j] = 0.0
            for k in range(m):
                AA[i, j] += A[i, k] * A[j, k]
    ldl(AA, r)


@part
def project(r: int, room: Room, b: Floats) -> None:
    """Compute ``t = (A A^T)^-1 A b`` for the columns of b: with A of `combinations`, the
    least-squares solution of ``A^T t = b``.
    """
    A, t = room.A, room.t
    for j in range(r):
        for c in range(b.shape[1]):
            t[j, c] = 0.0
        for k in range(b.shape[0]):
            for c in range(b.shape[1]):
                t[j, c] += A[j, k] * b[k, c]
    ldl_columns(room.AA, r, 0, b.shape[1], t)


@part
def spread(r: int, room: Room, y: Floats) -> None:
    """Compute ``y = A^T t`` for the columns of t: with A of `combinations`, values for all
    constraint rows from those for the chosen ones.
    """
    for k in range(y.shape[0]):
        for c in range(y.shape[1]):
            y[k, c] = 0.0
        for j in range(r):
            for c in range(y.shape[1]):
                y[k, c] += room.A[j, k] * room.t[j, c]


@part
def proximal(r: int, room: Room, y: Floats) -> bool:
    """Run the proximal iteration of `constraints.kkt.KKT`; return True if it converges.

    y (m, n) has the right-hand sides on entry, and the multipliers afterwards.
    """
    m, n = y.shape
    W, HG, F, M, b, step = room.W, room.HG, room.F, room.rest, room.b, room.step
    project(r, room, y)
    spread(r, room, y)
    mean = 0.0
    for k in range(m):
        mean += W[k, k] / m
    for k in range(m):
        M[k] = 1e-4 * (W[k, k] + 1e-6 * mean)
        for l in range(m):
            F[k, l] = W[k, l]
        F[k, k] += M[k]
        for c in range(n):
            b[k, c] = y[k, c]
    ldl(F, m)
    ldl_columns(F, m, 0, n, y)
    rests, rounds = False, 0
    while not rests and rounds < 100:
        rounds += 1
        for k in range(m):
            for c in range(n):
                step[k, c] = b[k, c] + M[k] * y[k, c]
        ldl_columns(F, m, 0, n, step)
        size, moves = 0.0, 0.0
        for k in range(m):
            for c in range(n):
                x = step[k, c]
                step[k, c], y[k, c] = x - y[k, c], x
        for i in range(HG.shape[0]):
            for c in range(n):
                f, df = 0.0, 0.0
                for k in range(m):
                    f += HG[i, k] * y[k, c]
                    df += HG[i, k] * step[k, c]
                size, moves = max(size, abs(f)), max(moves, abs(df))
        rests = moves <= 1e-11 * size
    project(r, room, y)
    spread(r, room, y)
    return rests
