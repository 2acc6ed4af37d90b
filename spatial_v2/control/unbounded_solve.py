"""Solutions of shooting problems without bounds on quantities, many at once."""

from __future__ import annotations

import numpy as np

from spatial_v2.control.best_motion import is_better
from spatial_v2.control.culprits import check_finite
from spatial_v2.control.directions import SHORT, direction, next_correction
from spatial_v2.control.line_search import line_search
from spatial_v2.control.natural_units import NEGLIGIBLE, NaturalUnits, have_fallen
from spatial_v2.control.riccati import costates
from spatial_v2.control.saddles import leave_saddles
from spatial_v2.control.shooting import Evaluation, Shooting, Trajectory
from spatial_v2.control.solution import Iteration, Solution
from spatial_v2.control.stopping import Stopping

__all__ = ["errors", "iterate"]

FAST = 0.1
"""Factor by which a step of the Gauss-Newton method reduces the error if it converges fast."""

CREEPING = 12
"""Number of short steps in a row, of which each makes the Hessian stiffer, that is no descent."""


def iterate(
    s: Shooting, t: Trajectory, stopping: Stopping, method: str, warm: bool = False
) -> Solution:
    """Do the iterations of a method from the trajectories t of B problems, which are those of a
    solution if `warm`; see `solve`. The result of a problem does not depend on the others.
    """
    tolerance, max_iterations, _, on_time = stopping
    e, B = s.evaluate(t, ahead=True), len(t.q)
    most = np.broadcast_to(max_iterations, B)
    check_finite(s, e, "guess")
    K = np.zeros((B, s.stages, s.m, 2 * s.n))
    results = [np.empty_like(y) for y in (*e.at, e.cost, np.zeros((B, s.stages + 1, 2 * s.n)), K)]
    status, live, log = np.full(B, "", dtype="<U14"), np.arange(B), list[Iteration]()
    best_so_far, defect_so_far = [*results[:3], np.full(B, np.inf), *results[4:]], np.zeros(B)
    next_shift, shift, penalty, length, short = np.zeros((5, B))
    exact, settled, negligible, tried_exact = np.zeros((4, B), dtype=bool)
    last = np.full((2, B), np.inf)
    units, error_at_renewal = NaturalUnits.at(s, e), np.full(B, np.inf)
    weights, by_adjoint = np.zeros((B, s.stages + 1, 2 * s.n)), np.ones(B, dtype=bool)

    while True:
        # The Gauss-Newton Hessian serves as long as its steps are full ones and halve the cost.
        first = not (log or warm)
        fast = (length == 1) & ~exact | first
        halved = (last[1] - e.cost > np.abs(last[1]) / 2) | first
        second = method != "ilqr" and not (fast & halved).all()
        x = s.expand(e, second)
        p, slope = costates(x)
        # Multipliers of the defects: those of the last quadratic problem after a full step, else
        # costates.
        weights = np.where(by_adjoint[:, None, None], p, weights)
        # Errors of the optimality conditions: for the log as they are, for the tests as numbers.
        raw, sizes = errors(s, e, slope), units.sizes(s, e, slope)
        error = units.relative(sizes)
        row = np.full((7, B), np.nan)
        row[:, live] = e.cost, *raw, 0 * e.cost, length, exact, shift
        log.append(Iteration._make([*row, stopping.seconds()]))
        if (fallen := have_fallen(error.max(axis=0), error_at_renewal)).any():
            if (again := fallen & np.isfinite(error_at_renewal)).any():
                units = units.renewed(s, e, x, again)
                error = units.relative(sizes)
            error_at_renewal = np.where(fallen, error.max(axis=0), error_at_renewal)
        worst = np.maximum(error[0], error[1])
        error[:2, negligible & (worst > last[0] / 2)] = 0.0
        error[0, settled] = 0.0
        worst = np.maximum(error[0], error[1])
        fast &= halved | (tried_exact & (worst < FAST * last[0]))
        last = np.array([worst, e.cost])
        # Problems have converged unless a direction of negative curvature leads on.
        done, moved, escaped = np.max(error, axis=0) <= tolerance, e.at, np.zeros(len(live), bool)
        if (uncertain := done & ~(exact & (length == 1) & (shift == 0))).any() and on_time():
            moved, escaped = leave_saddles(s, e, units, uncertain)
            done &= ~escaped
        status[live[done]] = "converged"
        ends = live[~done & ((len(log) > most[live]) | (not on_time()))]
        status[ends] = "max_iterations" if on_time() else "time_limit"
        # The motion that is returned if the present ones lead to no solution.
        better = is_better((e.cost, sizes[1]), (best_so_far[3], defect_so_far), units.cost)
        better |= done | np.isinf(best_so_far[3])
        best_so_far = [
            where(better, x, y) for x, y in zip((*e.at, e.cost, p, K), best_so_far, strict=True)
        ]
        defect_so_far = where(better, sizes[1], defect_so_far)
        # Problems that have ended leave the batch.
        rest = status[live] == ""
        if not rest.all():
            for whole, part in zip(results, best_so_far, strict=True):
                whole[live[~rest]] = part[~rest]
            if not rest.any():
                break
            live, weights, fast, next_shift, penalty, error_at_renewal, short, defect_so_far = (
                y[rest] for y in (
                    live, weights, fast, next_shift, penalty, error_at_renewal, short, defect_so_far
                )
            )  # fmt: skip
            K, shift, tried_exact, escaped = (y[rest] for y in (K, shift, tried_exact, escaped))
            best_so_far, moved = (
                [y[rest] for y in best_so_far],
                Trajectory(*(y[rest] for y in moved)),
            )
            last, units = last[:, rest], units.only(rest)
            e = s.evaluate(Trajectory(*(y[rest] for y in e.at)))
            x = s.expand(e, second)
        # The others do a step, unless they leave a saddle.
        if second != (method != "ilqr" and not fast.all()):
            g, Q = s.expand_costs(e.at, method != "ilqr" and not fast.all())
            x = x._replace(g=g, Q=Q)
        d = direction(s, e, x, method, weights, next_shift, fast, on_time)
        d.feedback.failed[:] |= escaped
        before = K, shift, tried_exact, penalty, next_shift, short
        K, exact, shift, tried_exact = d.feedback.K, d.exact & ~escaped, d.shift, ~fast
        e, length, penalty, decrease = line_search(s, e, x, d, penalty, method, on_time, True)
        weights, by_adjoint = d.multipliers, length < 1
        minimal = exact & (length == 1) & (shift == 0)
        negligible, settled = (
            minimal & (decrease <= part * units.cost) for part in (NEGLIGIBLE, tolerance**2)
        )
        next_shift, short = next_correction(shift, length), np.where(length < SHORT, short + 1, 0)
        creeps = (length == 0) | (method == "newton") & (short == CREEPING)
        status[live[creeps & ~escaped]] = "no_descent"
        status[live[d.feedback.failed & ~escaped]] = "indefinite"
        if not on_time():
            status[live[(length == 0) & ~escaped]] = "time_limit"
        if escaped.any():
            both = zip(moved, e.at, strict=True)
            e = s.evaluate(Trajectory(*(where(escaped, x, y) for x, y in both)))
            after = K, shift, tried_exact, penalty, next_shift, short
            K, shift, tried_exact, penalty, next_shift, short = (
                where(escaped, x, y) for x, y in zip(before, after, strict=True)
            )
            units = units.replaced(escaped, NaturalUnits.at(s, e))
            error_at_renewal = np.where(escaped, np.inf, error_at_renewal)
    q, qd, u, cost, p, K = results
    return Solution(Trajectory(q, qd, u), cost, status, p, K, log)


def where(some: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x for some of the problems and y for the others."""
    if some.all():
        return x
    return np.where(some.reshape(-1, *(1,) * (x.ndim - 1)), x, y)


def errors(s: Shooting, e: Evaluation, slope: np.ndarray) -> np.ndarray:
    """Compute the largest projected gradient and the largest defect of each problem, (2, B)."""
    both = s.projected(e.at.u, slope), e.defects
    return np.array([np.abs(x).max(axis=(-2, -1)) for x in both])
