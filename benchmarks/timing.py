"""How all benchmarks measure: interleaved repeats, minima."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

__all__ = ["interleaved"]


def interleaved(
    calls: Mapping[str, Callable[[], object]], *, repeats: int = 9, budget: float = 0.05
) -> dict[str, float]:
    """Least time per call [us] of several callables, measured in turn so that noise hits all alike.

    Parameters
    ----------
    calls : dict of callables
        What to measure; each is called once before (compilation).
    repeats : int
        Rounds over all callables.
    budget : float
        Seconds per callable and round, which fix the number of calls in a round.
    """
    number = {}
    for name, call in calls.items():
        call()
        start = time.perf_counter()
        call()
        number[name] = max(1, int(budget / max(time.perf_counter() - start, 1e-7)))
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(repeats):
        for name, call in calls.items():
            start = time.perf_counter()
            for _ in range(number[name]):
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / number[name])
    return {name: 1e6 * seconds for name, seconds in best.items()}
