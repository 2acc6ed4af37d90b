"""Closing a loop along a path from a closed configuration, state by state.

The rule by which a solution of Newton's method is accepted is that of `mechanisms.closing`.
"""

from typing import Annotated, NamedTuple

from spatial_v2.engine.algorithms.configurationAddition import Turns, displace
from spatial_v2.engine.algorithms.loop_motion import Closing, at_rest, inverse, moving
from spatial_v2.engine.compile.decorators import jit, part
from spatial_v2.engine.loop import (
    CONTRACTION,
    FIRST,
    MET,
    SHORTEST,
    BranchArrays,
    LoopArrays,
)
from spatial_v2.engine.numbers.workspaces import allocator
from spatial_v2.engine.parts.gauss import eliminate_below, substitute_back
from spatial_v2.engine.tree import Floats


class Path(NamedTuple):
    """Workspaces of a path."""

    w: Annotated[Closing, "of.loop.constraints, q, nv, r"]
    turns: Annotated[Turns, "q"]
    A: Annotated[Floats, "r, r"]  # selected rows of the Jacobian by the dependents
    x: Annotated[Floats, "r"]  # right-hand side and solution
    move: Annotated[Floats, "nv"]  # displacements
    ahead: Annotated[Floats, "of.guess.size"]  # the configuration of the next step
    start: Annotated[Floats, "of.guess.size"]  # the path's own independent positions


new_path = allocator(Path, "of, q, r, nv")


@part
def solve_dependents(of: LoopArrays, J: Floats, A: Floats, x: Floats) -> float:
    """Replace x (r,) by the solution of ``J_d x``; return the sign of the determinant, or 0."""
    r, sign = of.d.size, 1.0
    for i in range(r):
        for j in range(r):
            A[i, j] = J[of.rows[i], of.d[j]]
    for k in range(r):
        best = k
        for i in range(k + 1, r):
            if abs(A[i, k]) > abs(A[best, k]):
                best = i
        if not abs(A[best, k]) > 0.0:
            return 0.0
        if best != k:
            sign = -sign
            x[k], x[best] = x[best], x[k]
            for j in range(r):
                A[k, j], A[best, j] = A[best, j], A[k, j]
        if A[k, k] < 0.0:
            sign = -sign
        eliminate_below(A, x, r, k)
    substitute_back(A, x, r)
    return sign


@part
def correct(of: BranchArrays, path: Path, q: Floats) -> bool:
    """Close the loop at q in place; tell if Newton's method converged fast, on the branch."""
    loop, w, x, last = of.loop, path.w, path.x, FIRST
    for _ in range(12):
        at_rest(loop.constraints, q, w)
        error = 0.0
        for i in range(x.size):
            x[i] = w.e[loop.rows[i]]
            error = max(error, abs(x[i]) * loop.row_scale[loop.rows[i]])
        if solve_dependents(loop, w.J, path.A, x) != of.sign:
            return False
        length = 0.0
        path.move[:] = 0.0
        for j in range(x.size):
            path.move[loop.d[j]] = -x[j]
            length = max(length, abs(x[j]) / loop.column_scale[loop.d[j]])
        closed = error <= MET
        if not (closed or length <= last):
            return False
        displace(of.spaces, q, path.move, path.turns, q)
        last = CONTRACTION * length
        if closed:
            return True
    return False


@part
def predict(of: BranchArrays, path: Path, q: Floats, along: Floats, ds: float) -> None:
    """Displace the dependents of q, to second order for a part ds of the path; result is ahead."""
    loop, w, x = of.loop, path.w, path.x
    at_rest(loop.constraints, q, w)
    w.qd[:] = 0.0
    for k in range(loop.u.size):
        w.qd[loop.u[k]] = ds * along[loop.u[k]]
    for i in range(x.size):
        x[i] = 0.0
        for k in range(loop.u.size):
            x[i] += w.J[loop.rows[i], loop.u[k]] * w.qd[loop.u[k]]
    solve_dependents(loop, w.J, path.A, x)
    path.move[:] = 0.0
    for j in range(x.size):
        w.qd[loop.d[j]] = path.move[loop.d[j]] = -x[j]
    moving(loop.constraints, w)
    for i in range(x.size):
        x[i] = w.alpha[loop.rows[i]]
    solve_dependents(loop, w.J, path.A, x)
    for j in range(x.size):
        path.move[loop.d[j]] -= 0.5 * x[j]
    displace(of.spaces, q, path.move, path.turns, path.ahead)


@jit
def close_loop(
    of: BranchArrays, goal: Floats, along: Floats, q: Floats, reached: Floats, bound: Floats
) -> None:
    """Compute the closed configurations q (B, NQ) at the independent positions of goal (B, NQ).

    They are followed from the guess along displacements (B, nv) of the independent variables.
    reached (B, 1) is the part of the path that was followed: 1 where the loop is closed; bound
    (B, 1) that of `inverse` at the last correction.
    """
    path = new_path(of, goal, of.loop.d.size, of.loop.u.size + of.loop.d.size)
    for b in range(goal.shape[0]):
        q[b] = of.guess
        s, t, step = 1.0, 0.0, 1.0
        for k in range(of.loop.u.size):
            if along[b, of.loop.u[k]] != 0.0:
                s = 0.0
        while s < 1.0 and step >= SHORTEST:
            t = min(s + step, 1.0)
            predict(of, path, q[b], along[b], t - s)
            for i in range(path.move.size):
                path.move[i] = t * along[b, i]
            displace(of.spaces, of.guess, path.move, path.turns, path.start)
            for k in range(of.kept.size):
                place = of.kept[k]
                path.ahead[place] = goal[b, place] if t == 1.0 else path.start[place]
            if correct(of, path, path.ahead):
                q[b] = path.ahead
                s = t
                step *= 2.0
            else:
                step *= 0.5
        reached[b, 0] = s
        if t == 0.0:
            at_rest(of.loop.constraints, q[b], path.w)
        bound[b, 0] = inverse(of.loop, path.w, path.A)
