"""Equations of shared variables while they are open, in articulated-body algorithms.

The force on body i and the equations of the variables s that are open there are

    f = IA a_i + sum_s U_s ydd_s + pA,    U_s . a_i + sum_t L_st ydd_t = u_s.

To solve for a variable takes its equation out of the others and out of f. The places of variables
at bodies are those of `engine.shared`; U has a row for each place.
"""

from __future__ import annotations

from typing import NamedTuple

from spatial_v2.engine.compile.decorators import inline, part, within
from spatial_v2.engine.numbers.kinds import empty
from spatial_v2.engine.numbers.vectors import Six, dot6, plus, six, store, times
from spatial_v2.engine.parts.articulate import Articulated
from spatial_v2.engine.parts.ldl import ldl_solve
from spatial_v2.engine.parts.pivots import reciprocal
from spatial_v2.engine.shared import Shared
from spatial_v2.engine.tree import Floats, Ints

__all__ = [
    "Open",
    "accelerations",
    "force_without",
    "new_open",
    "pass_following",
    "pass_own",
    "solve_for",
]


class Open(NamedTuple):
    """Equations of m shared variables.

    Attributes
    ----------
    before, after : (places, 6)
        U before and after the joint of a body is passed.
    own : (places, 6)
        ``S . U`` of a joint with variables of its own.
    L, least : (m, m), (m,)
        Coefficients, with 1 / L_ss where a variable is solved for; pivots that are rounding errors.
    u, ydd : (m,)
        Right sides, and accelerations.
    """

    before: Floats
    after: Floats
    own: Floats
    L: Floats
    least: Floats
    u: Floats
    ydd: Floats


@within
def new_open(y: Floats, x: Shared) -> Open:
    """Allocate `Open` for the kind of number of y."""
    m = x.variable.size
    U, numbers = empty(y, 3, x.which.size, 6), empty(y, 3, m)
    return Open(U[0], U[1], U[2], empty(y, m, m), numbers[0], numbers[1], numbers[2])


@part
def solve_for(
    which: Ints, j: int, end: int, U: Floats, L: Floats, least: Floats, IA: Floats
) -> None:
    """Take the equation at place j out of those at later places, before `end`, and out of the force
    on the body.
    """
    s = which[j]
    d = L[s, s] = reciprocal(L[s, s], least[s])
    v = six(U[j])
    x0, x1, x2, x3, x4, x5 = times(-d, v)
    store(plus(six(IA[0]), times(x0, v)), IA[0])
    store(plus(six(IA[1]), times(x1, v)), IA[1])
    store(plus(six(IA[2]), times(x2, v)), IA[2])
    store(plus(six(IA[3]), times(x3, v)), IA[3])
    store(plus(six(IA[4]), times(x4, v)), IA[4])
    store(plus(six(IA[5]), times(x5, v)), IA[5])
    for k in range(j + 1, end):
        t = which[k]
        f = -d * L[s, t]
        store(plus(six(U[k]), times(f, v)), U[k])
        for h in range(j + 1, end):
            L[t, which[h]] += f * L[s, which[h]]


@part
def pass_own(x: Shared, i: int, v0: int, n: int, body: Articulated, w: Open) -> None:
    """Pass joint i, which has variables of its own, in the equations of open variables."""
    z, begin, end = body.W[1, 0], x.ends[i, 1], x.ends[i, 3]
    for j in range(begin, end):
        for k in range(n):
            w.own[j, k] = dot6(six(body.S[v0 + k]), six(w.before[j]))
    for j in range(begin, end):
        for k in range(n):
            z[k] = w.own[j, k]
        ldl_solve(body.D[i], n, z)
        U = six(w.before[j])
        for k in range(n):
            U = plus(U, times(-z[k], six(body.U[v0 + k])))
            for h in range(begin, end):
                w.L[x.which[j], x.which[h]] -= z[k] * w.own[h, k]
        store(U, w.after[j])


@inline
def pass_following(x: Shared, i: int, F: Six, S: Six, d: float, least: float, w: Open) -> None:
    """Pass joint i, which follows, with motion subspace S, F = IA S and d = S . F."""
    begin, end = x.ends[i, 1], x.ends[i, 3]
    for j in range(begin, end):
        k, g = x.which[j], x.factor[j]
        store(plus(six(w.before[j]), times(g, F)), w.after[j])
        w.least[k] += g * g * least
        for h in range(begin, end):
            t = x.which[h]
            y = g * dot6(S, six(w.before[h]))
            w.L[k, t] += y + g * x.factor[h] * d
            w.L[t, k] += y


@inline
def force_without(x: Shared, begin: int, end: int, last: int, U: Floats, w: Open, f: Six) -> Six:
    """Return the force f on a body after it is solved for the variables at places begin to end;
    those up to `last` are open there.
    """
    for j in range(begin, end):
        s = x.which[j]
        z = w.L[s, s] * w.u[s]
        f = plus(f, times(z, six(U[j])))
        for k in range(j + 1, last):
            w.u[x.which[k]] -= w.L[s, x.which[k]] * z
    return f


@inline
def accelerations(x: Shared, begin: int, end: int, last: int, U: Floats, w: Open, a: Six) -> None:
    """Compute the accelerations of the variables at places begin to end, at acceleration a of the
    body; those up to `last` are open there.
    """
    for j in range(end - 1, begin - 1, -1):
        s = x.which[j]
        z = w.u[s] - dot6(six(U[j]), a)
        for k in range(j + 1, last):
            z -= w.L[s, x.which[k]] * w.ydd[x.which[k]]
        w.ydd[s] = w.L[s, s] * z
