"""Integration in time, whole or between the instants at which a controller acts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from spatial_v2.calls.clock import working_time
from spatial_v2.dynamics import FDab
from spatial_v2.simulation.arguments import check_number
from spatial_v2.simulation.rates import Rates
from spatial_v2.simulation.sampled import Sampled

__all__ = ["Deadline", "Solver", "deadline_after", "integrate"]


_IMPLICIT = ("Radau", "BDF", "LSODA")
"""Methods that take Jacobians, which forward dynamics of a batch of states give."""
_SCALE = 1e-2
"""Size of a variable below which steps of differences no longer shrink, where atol is zero."""


class Solver(NamedTuple):
    """Options of `scipy.integrate.solve_ivp`."""

    method: Any
    rtol: float
    atol: float
    max_step: float
    dense_output: bool


class Deadline:
    """An event that ends an integration when some seconds of the clock have passed.

    The attribute `reached` is then the time of the motion.
    """

    terminal = True

    def __init__(self, seconds: float) -> None:
        self.end = working_time() + seconds
        self.begin = -np.inf
        self.reached: float | None = None

    def __call__(self, t: float, y: np.ndarray) -> float:
        # A solver looks for a change of sign after the beginning of its interval.
        if self.reached is None and t > self.begin and working_time() > self.end:
            self.reached = t
        return 1.0 if self.reached is None or t < self.reached else -1.0


def deadline_after(time_limit: Any) -> Deadline:
    """Check the option `time_limit` and return the event that it asks for."""
    check_number("time_limit", time_limit)
    return Deadline(float(time_limit))


def integrate(
    rate: Callable[[float, np.ndarray], np.ndarray], rates: Rates, y0: np.ndarray,
    times: np.ndarray, events: list[Any], solver: Solver, sampled: Sampled | None,
) -> tuple[Any, np.ndarray | None]:  # fmt: skip
    """Integrate ``dy/dt = rate(t, y)`` from y0 over the times.

    Returns the result of `scipy.integrate.solve_ivp`, and the forces (N, NV) of a sampled
    controller at its times. These forces are constant between the controller's instants, so the
    solver begins anew at each.
    """
    from scipy.integrate import OdeSolution, solve_ivp

    options, wanted = solver._asdict(), times if len(times) > 2 else None
    if solver.method in _IMPLICIT and rates.dynamics is FDab:
        options["jac"] = lambda t, y: rates.jacobian(t, y, solver.atol / solver.rtol or _SCALE)
    deadlines = [event for event in events if isinstance(event, Deadline)]

    def solve(begin: float, end: float, y: np.ndarray, instants: Any, **more: Any) -> Any:
        for event in deadlines:
            event.begin = begin
        return solve_ivp(
            rate, (begin, end), y, t_eval=instants, events=events or None, **options, **more
        )

    if sampled is None:
        return solve(times[0], times[-1], y0, wanted), None
    parts: list[Any] = []
    now, end, y = times[0], times[-1], y0
    t, x, forces = [times[:1]], [y0[:, None]], []
    while now < end:
        state = rates.split(y)
        stop = min(sampled.advance(now, state.q.copy(), state.qd.copy()), end)
        rates.tau = sampled.tau
        if not parts:
            forces.append(sampled.tau[None])
        inside = None if wanted is None else wanted[(wanted > now) & (wanted < stop)]
        instants = None if inside is None else np.append(inside, stop)
        step = min(stop - now, solver.max_step)  # a shorter one is found by the solver's error
        part = solve(now, stop, y, instants, first_step=step)
        parts.append(part)
        if not part.success:
            break
        kept = np.isin(part.t, wanted) if wanted is not None else part.t > now
        t.append(part.t[kept])
        x.append(part.y[:, kept])
        forces.append(np.tile(sampled.tau, (int(kept.sum()), 1)))
        if part.status == 1:
            break
        now, y = stop, part.y[:, -1]
    done = parts[-1]
    done.t, done.y = np.concatenate(t), np.concatenate(x, axis=1)
    done.nfev = sum(part.nfev for part in parts)
    for name in ("t_events", "y_events") if events else ():
        lists = [getattr(part, name) for part in parts]
        n = len(y0) if name == "y_events" else None
        setattr(done, name, [_joined(column, n) for column in zip(*lists, strict=True)])
    if solver.dense_output:
        ends = [parts[0].sol.ts[:1], *(part.sol.ts[1:] for part in parts)]
        done.sol = OdeSolution(np.concatenate(ends), [f for p in parts for f in p.sol.interpolants])
    return done, np.concatenate(forces)


def _joined(arrays: tuple[np.ndarray, ...], n: int | None) -> np.ndarray:
    """Join times, or states of n entries, of which there may be none."""
    shape = (-1,) if n is None else (-1, n)
    return np.concatenate([np.reshape(x, shape) for x in arrays])
