"""Timing for all benchmarks: interleaved rounds, of which the minimum counts."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import repeat
from typing import Any, TypeVar

__all__ = ["Clock", "Round", "interleaved", "least", "round_of"]

K = TypeVar("K")

Round = Callable[[int], float]
"""Function that returns the time of a number of calls [s]."""
Clock = Callable[[], float]
"""Function that returns a time [s]: ``time.perf_counter``, or ``time.thread_time`` for long calls
on one thread, which other processes may interrupt.
"""


def round_of(call: Callable[[], object], clock: Clock = time.perf_counter) -> Round:
    """Return a function that times one round of calls of a function without arguments."""

    def seconds(count: int) -> float:
        start = clock()
        for _ in repeat(None, count):
            call()
        return clock() - start

    return seconds


def least(
    rounds: Mapping[K, Round], *, repeats: int = 50, budget: float = 0.002, limit: float = 1.0
) -> dict[K, float]:
    """Return the least time per call [us] of each function, measured in interleaved rounds.

    Functions are measured in turn so that disturbances affect all of them alike.

    Parameters
    ----------
    rounds : dict
        Functions to measure; each is called once before, so that it is compiled.
    repeats : int
        Number of rounds over all functions.
    budget : float
        Seconds for one function in one round, which determine its number of calls. Rounds are
        short, so that at least one is undisturbed even if other processes share the core.
    limit : float
        Seconds for one function in all rounds. Slow functions have fewer rounds, but at least five.
    """
    number, times = {}, {}
    for name, seconds in rounds.items():
        seconds(1)
        once = max(seconds(1), 1e-7)
        number[name] = max(1, int(budget / once))
        times[name] = max(5, min(repeats, int(limit / (number[name] * once))))
    best = dict.fromkeys(rounds, float("inf"))
    for i in range(repeats):
        for name, seconds in rounds.items():
            if i < times[name]:
                best[name] = min(best[name], seconds(number[name]) / number[name])
    return {name: 1e6 * value for name, value in best.items()}


def interleaved(
    calls: Mapping[K, Callable[[], object]], clock: Clock = time.perf_counter, **effort: Any
) -> dict[K, float]:
    """Return the least time per call [us] of functions without arguments; see `least`."""
    return least({name: round_of(call, clock) for name, call in calls.items()}, **effort)
