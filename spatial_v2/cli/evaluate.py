"""Evaluation of all quantities at all states, batch by batch, with timing."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import NamedTuple

import numpy as np

import derivatives
import spatial_v2.beside  # noqa: F401 - an error if a user's file hides derivatives
from spatial_v2 import ID, HandC
from spatial_v2.cli.states import States
from spatial_v2.model import Model

__all__ = ["TOLERANCE", "Evaluation", "Group", "evaluate", "groups"]

TOLERANCE = 1e-9
"""Largest relative error that passes the check."""
BATCH_BYTES = 2**24
"""Size of one batch of results [bytes]; larger arrays are slower, as their memory is new."""
FIRST = 16
"""Largest number of states in the first call, which compiles: enough for full SIMD batches."""
CALLS, SHORT = 5, 2e-3
"""A function that takes less than SHORT seconds is timed in CALLS calls."""
ROUNDING = 1e-10
"""Entries below this fraction of the largest count as zero, since robot files round angles."""


class Group(NamedTuple):
    """Quantities that one function computes."""

    names: tuple[str, ...]
    function: Callable[..., Sequence[np.ndarray]]
    """Function of model, q, qd, qdd that returns these quantities."""


def groups(order: int) -> tuple[Group, ...]:
    """Return the groups of quantities to compute, up to first or second derivatives."""
    return (
        Group(("tau",), lambda model, *x: (ID(model, *x),)),
        Group(("H", "C"), lambda model, q, qd, qdd: HandC(model, q, qd)),
        Group(("dtau_dq", "dtau_dqd"), derivatives.ID_derivatives),
        Group(("d2tau_dq", "d2tau_dqd", "d2tau_cross", "dM_dq"), derivatives.ID_SO_derivatives),
    )[: 2 + order]


@dataclass
class Evaluation:
    """Results of `evaluate`; dictionaries have the names of quantities as keys.

    Attributes
    ----------
    states, checked : int
        Number of states, and number of checked states.
    compilation : float
        Total time of the first calls of all functions, on a few states [s].
    seconds : dict
        Time per state of each function [s], under the name of the first quantity that it returns;
        the shortest of a few calls if they are short.
    largest : dict
        Largest magnitude of each entry over all states; 0 for entries that are only rounding
        errors.
    sample : dict
        Values at the states to check.
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
        """Names of the quantities whose error is too large."""
        return [name for name, error in self.errors.items() if not error < TOLERANCE]


def timed(call: Callable[[], Sequence[np.ndarray]]) -> tuple[Sequence[np.ndarray], float]:
    """Return the result of a call and its time [s], the shortest of a few calls if they are short.

    The result of one call is released before the next call.
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
        The states, N of them.
    order : {1, 2}
        Highest order of derivatives.
    sample : int array
        Indices of the states whose values are returned for the check, in increasing order.
    keep : bool
        If True, return all values.
    advance : callable
        Called after each batch with its number of states and the time per state [s].
    second : callable, optional
        Called before second derivatives are first computed.

    Returns
    -------
    Evaluation
        Times, magnitudes and values.
    """
    n = len(states.q)
    result = Evaluation(n, len(sample))
    most = max(1, BATCH_BYTES // (8 * 4 * model.NV ** (order + 1) + 1))
    first_states = states.at(slice(min(FIRST, most)))
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
