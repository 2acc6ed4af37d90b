"""Timing of all benchmarks: interleaved rounds, minima."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from itertools import repeat
from typing import Any, TypeVar

__all__ = ["Round", "interleaved", "least", "round_of"]

K = TypeVar("K")

Round = Callable[[int], float]
"""Function that returns the time of a number of calls [s]."""


def round_of(call: Callable[[], object]) -> Round:
    """Make the `Round` of a function without arguments."""

    def seconds(count: int) -> float:
        start = time.perf_counter()
        for _ in repeat(None, count):
            call()
        return time.perf_counter() - start

    return seconds


def least(
    rounds: Mapping[K, Round], *, repeats: int = 50, budget: float = 0.002, limit: float = 1.0
) -> dict[K, float]:
    """Least time per call [us] of several things, in turn so that noise hits all alike.

    Parameters
    ----------
    rounds : dict
        Functions to measure; each is called once before (compilation).
    repeats : int
        Rounds over all.
    budget : float
        Seconds for each and round, which fix the number of calls in a round: short ones, of which
        the least is undisturbed even where the core is shared.
    limit : float
        Seconds for each in all, after five rounds: what is slow has fewer.
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


def interleaved(calls: Mapping[K, Callable[[], object]], **effort: Any) -> dict[K, float]:
    """`least` of functions of no arguments."""
    return least({name: round_of(call) for name, call in calls.items()}, **effort)
