"""Solutions of shooting problems without bounds on quantities, many at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_v2.calls.clock import working_time
from spatial_v2.control.best_motion import is_better
from spatial_v2.control.culprits import check_finite
from spatial_v2.control.directions import SHORT, direction, next_correction
from spatial_v2.control.line_search import line_search
from spatial_v2.control.natural_units import NEGLIGIBLE, NaturalUnits, have_fallen
from spatial_v2.control.riccati import costates
from spatial_v2.control.saddles import leave_saddles
from spatial_v2.control.shooting import Evaluation, Shooting, Trajectory
from spatial_v2.control.solution import Iteration, Solution

__all__ = ["errors", "iterate"]

FAST = 0.1
"""Factor by which a step of the Gauss-Newton method reduces the error if it converges fast."""

CREEPING = 12
"""Number of short steps in a row, of which each makes the Hessian stiffer, that is no descent."""


def iterate(
    s: Shooting, t: Trajectory, single: bool, warm: bool, method: str, tolerance: float,
    max_iterations: int, begin: float, on_time: Callable[[], bool],
) -> Solution:  # fmt: skip
    """Do the iterations of a method from the trajectories t, which are those of a solution if
    `warm`; see `solve`.
    """
    e, B = s.evaluate(t, ahead=True), len(t.q)
    check_finite(s, e, "guess")
    K = np.zeros((B, s.stages, s.m, 2 * s.n))
    best = [np.empty_like(y) for y in (*e.at, e.cost, np.zeros((B, s.stages + 1, 2 * s.n)), K)]
    status, live, log = np.full(B, "", dtype="<U14"), np.arange(B), list[Iteration]()
    kept, off = [*best[:3], np.full(B, np.inf), *best[4:]], np.zeros(B)
    start, shift, penalty, length, short = np.zeros((5, B))
    exact, settled, negligible, tried_exact = np.zeros((4, B), dtype=bool)
    last = np.full((2, B), np.inf)
    units, largest = NaturalUnits.at(s, e), np.full(B, np.inf)
    w, begins = np.zeros((B, s.stages + 1, 2 * s.n)), np.ones(B, dtype=bool)

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
        w = np.where(begins[:, None, None], p, w)
        # Errors of the optimality conditions: for the log as they are, for the tests as numbers.
        raw, sizes = errors(s, e, slope), units.sizes(s, e, slope)
        error = units.relative(sizes)
        row = np.full((7, B), np.nan)
        row[:, live] = e.cost, *raw, 0 * e.cost, length, exact, shift
        log.append(Iteration._make([*(row[:, 0] if single else row), working_time() - begin]))
        if (small := have_fallen(error.max(axis=0), largest)).any():
            units = units.renewed(s, e, x, small) if np.isfinite(largest).any() else units
            error = units.relative(sizes)
            largest = np.where(small, error.max(axis=0), largest)
        worst = np.maximum(error[0], error[1])
        error[:2, negligible & (worst > last[0] / 2)] = 0.0
        error[0, settled] = 0.0
        worst = np.maximum(error[0], error[1])
        fast &= halved | (tried_exact & (worst < FAST * last[0]))
        last = np.array([worst, e.cost])
        # Problems have converged unless a direction of negative curvature leads on.
        done = np.max(error, axis=0) <= tolerance
        if (uncertain := done & ~(exact & (length == 1) & (shift == 0))).any() and on_time():
            moved, escaped = leave_saddles(s, e, units, uncertain)
            done &= ~escaped
            if escaped.any() and len(log) <= max_iterations:
                e, length, exact = moved, np.where(escaped, 0.0, length), exact & ~escaped
                units = units.replaced(escaped, NaturalUnits.at(s, e))
                largest[escaped], begins = np.inf, escaped
                continue
        status[live[done]] = "converged"
        if len(log) > max_iterations or not on_time():
            status[status == ""] = "max_iterations" if on_time() else "time_limit"
        # The motion that is returned if the present ones lead to no solution.
        better = is_better((e.cost, sizes[1]), (kept[3], off), units.cost)
        better |= done | np.isinf(kept[3])
        kept = [where(better, x, y) for x, y in zip((*e.at, e.cost, p, K), kept, strict=True)]
        off = where(better, sizes[1], off)
        # Problems that have ended leave the batch.
        rest = status[live] == ""
        if not rest.all():
            for whole, part in zip(best, kept, strict=True):
                whole[live[~rest]] = part[~rest]
            if not rest.any():
                break
            live, w, fast, start, penalty, largest, short, off = (
                y[rest] for y in (live, w, fast, start, penalty, largest, short, off)
            )
            kept = [y[rest] for y in kept]
            last, units = last[:, rest], units.only(rest)
            e = s.evaluate(Trajectory(*(y[rest] for y in e.at)))
            x = s.expand(e, second)
        # The others do a step.
        if second != (method != "ilqr" and not fast.all()):
            g, Q = s.expand_costs(e.at, method != "ilqr" and not fast.all())
            x = x._replace(g=g, Q=Q)
        d = direction(s, e, x, method, w, start, fast, on_time)
        K, exact, shift, tried_exact = d.feedback.K, d.exact, d.shift, ~fast
        e, length, penalty, decrease = line_search(s, e, x, d, penalty, method, on_time, True)
        w, begins = d.multipliers, length < 1
        minimal = exact & (length == 1) & (shift == 0)
        negligible, settled = (
            minimal & (decrease <= part * units.cost) for part in (NEGLIGIBLE, tolerance**2)
        )
        start, short = next_correction(shift, length), np.where(length < SHORT, short + 1, 0)
        status[live[(length == 0) | (method == "newton") & (short == CREEPING)]] = "no_descent"
        status[live[d.feedback.failed]] = "indefinite"
        if not on_time():
            status[live[length == 0]] = "time_limit"
    q, qd, u, cost, p, K = (x[0] if single else x for x in best)
    reason = str(status[0]) if single else status
    return Solution(Trajectory(q, qd, u), cost, reason, p, K, log)


def where(some: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return x for some of the problems and y for the others."""
    if some.all():
        return x
    return np.where(some.reshape(-1, *(1,) * (x.ndim - 1)), x, y)


def errors(s: Shooting, e: Evaluation, slope: np.ndarray) -> np.ndarray:
    """Compute the largest projected gradient and the largest defect of each problem, (2, B)."""
    both = s.projected(e.at.u, slope), e.defects
    return np.array([np.abs(x).max(axis=(-2, -1)) for x in both])
