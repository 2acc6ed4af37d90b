"""Warnings of integrations that would not end: fast poles, or forces that jump again and again."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.exceptions import ConvergenceWarning, SpatialError

__all__ = ["advised", "poles"]

Rate = Callable[[float, np.ndarray], np.ndarray]

_STAGES = {"RK23": (3, 2.5), "RK45": (6, 3.3), "DOP853": (12, 6.1)}
"""Evaluations per step, and the stability limit of (pole times step), for each method."""
_IMPLICIT = 4
"""Evaluations per step that implicit methods are taken to need."""
_LOOK = 3000
"""Number of evaluations before the first test for stiffness; it doubles for each further test."""
_NEAR, _LONG = 0.25, 1000
"""A warning needs a step above this fraction of the stability limit, and more steps left."""
_ENDLESS = 100_000
"""With more steps left than this, joints that dry friction holds at rest are an error, and any
other cause is told.
"""


def poles(rate: Rate, t: float, y: np.ndarray) -> np.ndarray:
    """Compute the eigenvalues [1/s] of the Jacobian of a differential equation.

    The Jacobian is computed by central differences.

    Examples
    --------
    >>> poles(lambda t, y: np.array([y[1], -20 * y[0] - 21 * y[1]]), 0.0, np.ones(2)).round(6)
    array([ -1., -20.])
    """
    step = 1e-6 * np.maximum(1.0, np.abs(y))
    moves = np.diag(step)
    columns = [
        (rate(t, y + d) - rate(t, y - d)) / (2 * h) for d, h in zip(moves, step, strict=True)
    ]
    return np.linalg.eigvals(np.array(columns).T)


def advised(
    rate: Rate, method: Any, t: np.ndarray, held: Callable[[np.ndarray], str] = lambda y: ""
) -> Rate:
    """Wrap the right-hand side, so that it warns once if steps are too short for the time left.

    A pole may limit the steps of an explicit method, or forces may jump.

    Parameters
    ----------
    rate : callable
        ``dy/dt`` as a function of t and y.
    method : str or type
        Method of `scipy.integrate.solve_ivp`; poles are computed for explicit methods.
    t : array
        Times; the last one is the end.
    held : callable, optional
        Names of the joints that dry friction holds at rest in a state y.

    Raises
    ------
    SpatialError
        By the function that is returned: dry friction is what limits the steps, and there are so
        many left that the integration would not end in reasonable time.
    """
    stages, limit = _STAGES.get(method, (_IMPLICIT, 0.0))
    count, look, since, told = 0, _LOOK, float(t[0]), False

    def watched(now: float, y: np.ndarray) -> np.ndarray:
        nonlocal count, look, since, told
        count += 1
        if count == look and not told:
            step = stages * (now - since) / (look if look == _LOOK else look // 2)
            values = poles(rate, now, y) if limit and step > 0 else np.zeros(1)
            fast = values[np.abs(values.real).argmax()]
            at_limit = -fast.real * step > _NEAR * limit and abs(fast.imag) < 2 * -fast.real
            if limit and at_limit and (t[-1] - now) / step > _LONG:
                told = True
                _advise(method, now, step, fast.real, limit, t[-1] - now, held(y))
            elif t[-1] - now > _ENDLESS * step:
                told = True
                _advise_of_jumps(method, now, step, t[-1] - now)
            look, since = 2 * look, now
        return rate(now, y)

    return watched


def _advise(
    method: str, now: float, step: float, pole: float, limit: float, remaining: float, stuck: str
) -> None:
    allowed = limit / -pole
    steps = remaining / min(step, allowed)
    slower = "reduce damping, gains or the stiffness of the ground"
    if stuck:
        slower = f"give a greater rest=, as dry friction holds {stuck} at rest"
    text = (
        f"simulate: at t = {now:.3g} s {method} takes steps of {step:.1e} s, so that the remaining "
        f"{remaining:.3g} s need {steps:.1e} steps or more: a pole at {pole:.1e} 1/s limits the "
        f"steps to {allowed:.1e} s, whatever the tolerance. Use method='LSODA', 'Radau' or 'BDF', "
        f"which have no such limit; or {slower}"
    )
    if stuck and steps > _ENDLESS:
        raise SpatialError(text)
    warnings.warn(text, ConvergenceWarning, stacklevel=2)


def _advise_of_jumps(method: Any, now: float, step: float, remaining: float) -> None:
    name = method if isinstance(method, str) else getattr(method, "__name__", repr(method))
    warnings.warn(
        f"simulate: at t = {now:.3g} s {name} takes steps of {step:.1e} s, so that the remaining "
        f"{remaining:.3g} s need some {remaining / max(step, 1e-300):.1e} steps. Forces that jump "
        "with the state, as those of a switching controller, are a cause: run the controller at "
        "fixed intervals (control_step=), or let its forces change smoothly. time_limit= ends a "
        "simulation early",
        ConvergenceWarning,
        stacklevel=3,
    )
