"""All quantities at all states, batch by batch, with the time they take."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

import numpy as np

import derivatives
from spatial_v2 import ID, HandC
from spatial_v2.cli.states import States
from spatial_v2.model import Model

__all__ = ["TOLERANCE", "Evaluation", "Group", "evaluate", "groups"]

TOLERANCE = 1e-9
"""Largest relative error that passes the check."""
BATCH_BYTES = 2**24
"""Size of the results of one batch; larger ones wait for fresh memory from the system."""
FIRST = 16
"""States of the first call, if a batch has as many: enough for full SIMD batches."""
CALLS, SHORT = 5, 2e-3
"""Number of timed calls of a function that takes less than the given seconds."""
ROUNDING = 1e-10
"""Entries below this share of the largest one count as zero: robot files round their angles."""


class Group(NamedTuple):
    """Quantities that one function returns."""

    names: tuple[str, ...]
    function: Callable[..., Sequence[np.ndarray]]
    """Function of model, q, qd, qdd."""


def groups(order: int) -> tuple[Group, ...]:
    """The quantities to compute, up to first or second derivatives."""
    return (
        Group(("tau",), lambda model, *x: (ID(model, *x),)),
        Group(("H", "C"), lambda model, q, qd, qdd: HandC(model, q, qd)),
        Group(("dtau_dq", "dtau_dqd"), derivatives.ID_derivatives),
        Group(("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq"), derivatives.ID_SO_derivatives),
    )[: 2 + order]


@dataclass
class Evaluation:
    """Results of `evaluate`; dictionaries by the name of the quantity.

    Attributes
    ----------
    states, checked : int
        Number of states, and of those that are checked.
    compilation : float
        Time of the first call of every function, on a few states [s].
    seconds : dict
        Time per state of the function that gives the quantity, under the name of the first
        quantity that it gives; the least of a few calls, where they are short.
    largest : dict
        Largest magnitude of each entry over all states, without the axis of the states; 0 for
        entries that are nothing but rounding errors.
    sample : dict
        Values at the states to be checked.
    values : dict
        Values at all states; empty unless kept.
    errors : dict
        Largest relative errors; empty unless checked.
    """

    states: int
    checked: int
    compilation: float = 0.0
    seconds: dict[str, float] = field(default_factory=dict)
    largest: dict[str, np.ndarray] = field(default_factory=dict)
    sample: dict[str, np.ndarray] = field(default_factory=dict)
    values: dict[str, np.ndarray] = field(default_factory=dict)
    errors: dict[str, float] = field(default_factory=dict)

    @property
    def failed(self) -> list[str]:
        """Quantities whose error is too large."""
        return [name for name, error in self.errors.items() if not error < TOLERANCE]


def timed(call: Callable[[], Sequence[np.ndarray]]) -> tuple[Sequence[np.ndarray], float]:
    """Result of a call, and its time [s]: the least of a few calls, if they are short.

    Nothing is kept of one call during the next.
    """
    least = float("inf")
    values: Sequence[np.ndarray] = ()
    for _ in range(CALLS):
        values = ()
        start = perf_counter()
        values = call()
        least = min(least, perf_counter() - start)
        if least > SHORT:
            break
    return values, least


def evaluate(
    model: Model,
    states: States,
    order: int,
    sample: np.ndarray,
    keep: bool,
    advance: Callable[[int, float], None],
    second: Callable[[], None] = lambda: None,
) -> Evaluation:
    """Compute all quantities at all states.

    Parameters
    ----------
    model : Model
        The robot.
    states : States
        N states.
    order : {1, 2}
        Up to first or second derivatives.
    sample : int array
        The states whose values are wanted back for a check, in increasing order.
    keep : bool
        True to return all values.
    advance : callable
        Called after each batch with its number of states and the seconds that each of them took.
    second : callable, optional
        Called before the first second derivatives.

    Returns
    -------
    Evaluation
        Times, magnitudes and values.
    """
    n = len(states.q)
    result = Evaluation(n, len(sample))
    few = max(1, BATCH_BYTES // (8 * 4 * model.NV ** (order + 1) + 1))
    first_states = states.at(slice(min(FIRST, few)))
    start = perf_counter()
    for group in groups(order):
        if group.function is derivatives.ID_SO_derivatives:
            second()
        result.seconds[group.names[0]] = 0.0
        for name, x in zip(group.names, group.function(model, *first_states), strict=True):
            core = x.shape[1:]
            result.largest[name] = np.zeros(core)
            result.sample[name] = np.empty((len(sample), *core))
            if keep:
                result.values[name] = np.empty((n, *core))
    result.compilation = perf_counter() - start

    size = sum(x.nbytes for x in result.largest.values())
    batch = max(1, BATCH_BYTES // size)
    for first in range(0, n, batch):
        rows = slice(first, min(first + batch, n))
        inside = (rows.start <= sample) & (sample < rows.stop)
        begin = perf_counter()
        for group in groups(order):
            values, seconds = timed(functools.partial(group.function, model, *states.at(rows)))
            result.seconds[group.names[0]] += seconds / n
            for name, x in zip(group.names, values, strict=True):
                result.largest[name] = np.maximum.reduce(
                    [result.largest[name], x.max(axis=0), -x.min(axis=0)]
                )
                result.sample[name][inside] = x[sample[inside] - rows.start]
                if keep:
                    result.values[name][rows] = x
            del values, x
        count = rows.stop - rows.start
        advance(count, (perf_counter() - begin) / count)
    for x in result.largest.values():
        x[x < ROUNDING * x.max()] = 0.0
    return result
