"""Closing all loops of a tree at once, in one step from a closed configuration.

A solution is accepted by the rule of `mechanisms.closing`, which `close_loop` applies to shorter
steps as well. Let K be the inverse, at the guess, of the Jacobian J_d of the selected rows by the
dependents: the determinant of ``K J_d`` is positive, on the branch of the guess, if its leading
minors are, whose ratios are the pivots of its elimination.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.algorithms.loop_motion import Closing, at_rest, inverse, moving, new_closing
from spatial_v2.engine.algorithms.open_loops import loop_of, most_dependents, with_errors
from spatial_v2.engine.compile.decorators import inline, jit, part, within
from spatial_v2.engine.constrained import ConstraintArrays
from spatial_v2.engine.loop import CONTRACTION, FIRST, MET, Branches, Linkage
from spatial_v2.engine.numbers.kinds import empty, sign
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.gauss import eliminate_below, substitute_back
from spatial_v2.engine.tree import Floats

STEPS = 6
"""Largest number of corrections: a solution that takes more, as none that converges fast does, is
left to `close_loop`.
"""
LEAST = 0.01
"""Smallest pivot of an accepted solution, where those at the guess are 1; below, it is left to
`close_loop`.
"""


class Steps(NamedTuple):
    """Workspaces of corrections; `guess` has the rows at the guess."""

    guess: Annotated[Closing, "of.constraints, q, of.v.size, most"]
    K: Annotated[Floats, "of.d.size, most"]  # the inverses at the guess
    A: Annotated[Floats, "most, most"]  # ``K J_d``
    x: Annotated[Floats, "of.d.size"]  # corrections
    q: Annotated[Floats, "of.q.size"]  # positions of the loops' joints
    q_guess: Annotated[Floats, "of.q.size"]  # those of the guess
    good: Annotated[Floats, "L"]  # for each loop 1 or 0: corrections contract
    met: Annotated[Floats, "L"]  # the loop is closed
    last: Annotated[Floats, "L"]  # the largest length of the next correction


_allocate = allocator(Steps, "of, q, most, L")


@within
def new_steps(of: Linkage, q: Floats) -> Steps:
    """Allocate a `Steps`, for the kind of number of q."""
    return _allocate(of, q, most_dependents(of), of.begin.shape[0] - 1)


@inline
def above(x: float, y: float) -> float:
    """Return 1 if x > y, else 0."""
    s: float = sign(x - y)
    return 0.5 * (s + abs(s))


@part
def predict(of: Linkage, constraints: ConstraintArrays, s: Steps) -> None:
    """Displace the dependents to second order from the guess, by the independents' guess.qd."""
    g = s.guess
    for l in range(of.begin.shape[0] - 1):
        r0, r1, u0, u1 = of.begin[l, 0], of.begin[l + 1, 0], of.begin[l, 1], of.begin[l + 1, 1]
        for j in range(r0, r1):
            g.qd[of.d[j]] = 0.0
            for i in range(r0, r1):
                for k in range(u0, u1):
                    x = s.K[j, i - r0] * g.J[of.rows[i], of.u[k]]
                    g.qd[of.d[j]] -= x * g.qd[of.u[k]]
    moving(constraints, g)
    for l in range(of.begin.shape[0] - 1):
        r0, r1 = of.begin[l, 0], of.begin[l + 1, 0]
        for j in range(r0, r1):
            s.q[of.d[j]] = s.q_guess[of.d[j]] + g.qd[of.d[j]]
            for i in range(r0, r1):
                s.q[of.d[j]] -= 0.5 * (s.K[j, i - r0] * g.alpha[of.rows[i]])


@part
def solve(of: Linkage, l: int, s: Steps, w: Closing) -> float:
    """Compute the correction x of loop l; return 1 if its pivots are those of its branch, or 0."""
    r0, r1 = of.begin[l, 0], of.begin[l + 1, 0]
    r, A, x, J, e = r1 - r0, s.A, s.x[r0:r1], w.J, w.e
    for j in range(r):
        x[j] = 0.0
        for i in range(r):
            x[j] += s.K[r0 + j, i] * e[of.rows[r0 + i]]
        for k in range(r):
            A[j, k] = 0.0
            for i in range(r):
                A[j, k] += s.K[r0 + j, i] * J[of.rows[r0 + i], of.d[r0 + k]]
    regular: float = 1.0 + 0.0 * x[0]
    for k in range(r):
        regular *= above(A[k, k], LEAST)
        eliminate_below(A, x, r, k)
    substitute_back(A, x, r)
    return regular


@part
def correct(of: Linkage, l: int, s: Steps, w: Closing) -> float:
    """Correct the dependents of loop l once, if it is to be closed; return 1 if it goes on."""
    good, r0, r1 = solve(of, l, s, w), of.begin[l, 0], of.begin[l + 1, 0]
    closed = contracts = 1.0 + 0.0 * good
    length = 0.0 * good
    for j in range(r0, r1):
        row = of.rows[j]
        size = abs(s.x[j]) / of.column_scale[of.d[j]]
        closed *= above(MET, abs(w.e[row]) * of.row_scale[row])
        contracts *= above(s.last[l], size)
        length = 0.5 * (length + size + abs(length - size))
    good *= closed + (1.0 - closed) * contracts
    s.good[l] *= s.met[l] + (1.0 - s.met[l]) * good
    active = s.good[l] * (1.0 - s.met[l])
    for j in range(r0, r1):
        s.q[of.d[j]] -= active * s.x[j]
    s.last[l] = CONTRACTION * length
    s.met[l] += active * closed
    on: float = active * (1.0 - closed)
    return on


@part
def start(of: Branches, constraints: ConstraintArrays, y: Floats, s: Steps) -> None:
    """Compute what all states share, for the kind of number of y: the rows at the guess."""
    for i in range(of.of.q.size):
        s.q_guess[i] = 0.0 * y[0, 0] + of.guess[of.of.q[i]]
    for i in range(of.inverse.shape[0]):
        for j in range(of.inverse.shape[1]):
            s.K[i, j] = 0.0 * y[0, 0] + of.inverse[i, j]
    at_rest(constraints, s.q_guess, s.guess)


@part
def close(
    of: Branches, constraints: ConstraintArrays, y: Floats, s: Steps, w: Closing, W: Floats,
    q: Floats, gap: Floats, bound: Floats,
) -> None:  # fmt: skip
    """Compute the closed configuration q (NQ,) at independent positions y, after `start`.

    gap (L,) is 0 for loops that are closed, and 1 for those that must be followed in shorter steps;
    w and W (r, most) have the rows of the closed loops and the `inverse` of each, bound (L,) its
    bounds.
    """
    link, loops = of.of, of.of.begin.shape[0] - 1
    for i in range(of.guess.size):
        q[i] = of.guess[i]
    for k in range(of.own.size):
        q[of.own[k]] = y[k]
    for l in range(loops):
        s.last[l], s.met[l], moves = FIRST, 0.0, 0.0 * y[0]
        for k in range(link.begin[l, 1], link.begin[l + 1, 1]):
            i = link.u[k]
            s.q[i] = q[link.q[i]]
            s.guess.qd[i] = s.q[i] - s.q_guess[i]
            moves += abs(s.guess.qd[i])
        s.good[l] = above(moves, 0.0)
        gap[l] = s.good[l] + 0.0 * moves
    predict(link, constraints, s)
    for _ in range(STEPS):
        at_rest(constraints, s.q, w)
        goes_on = 0.0 * y[0]
        for l in range(loops):
            goes_on += correct(link, l, s, w)
        if goes_on == 0.0:
            break
    for l in range(loops):
        gap[l] *= 1.0 - s.good[l] * s.met[l]
        bound[l] = inverse(loop_of(link, l), w, W[link.begin[l, 0] : link.begin[l + 1, 0]])
    for j in range(link.d.size):
        q[link.q[link.d[j]]] = s.q[link.d[j]]


@jit
def close_loops(of: Branches, y: Floats, q: Floats, gap: Floats, bound: Floats) -> None:
    """Compute the configurations q (B, NQ) of a tree at independent positions y (B, ny), with gap
    and bound (B, L) of `close`.
    """
    link = of.of
    constraints, s = with_errors(link.constraints), new_steps(link, y)
    most = most_dependents(link)
    w, W = new_closing(link.constraints, y, link.v.size, most), empty(y, link.d.size, most)
    start(of, constraints, y, s)
    for b in range(y.shape[0]):
        close(of, constraints, y[b], s, w, W, q[b], gap[b], bound[b])
