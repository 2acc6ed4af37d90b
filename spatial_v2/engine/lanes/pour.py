"""Values of packs to the rows of their states: line by line of the cache, past it if they are many.

What is written to memory through the cache is read first. Whole lines can go by another way, which
is three times as fast where the values will leave the cache anyway.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.extend import overload
from spatial_v2.engine.lanes.pack import Pack
from spatial_v2.engine.lanes.turn import in_lines, tail_out, whole_out, whole_past
from spatial_v2.engine.lanes.width import LANES
from spatial_v2.engine.lines import LINE
from spatial_v2.engine.values import pour, pour_rest

__all__: list[str] = []


@overload(pour, jit_options={"_nrt": False})
def _pour_packs(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    def of_packs(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> None:
        n, at = count[k] - count[k] % LINE, done[k]
        if at % LINE == 0 and in_lines(out):
            for x in range(0, n, LANES):
                whole_past(waiting, k, x, LANES, out, b * LANES, at + x)
        else:
            for x in range(0, n, LANES):
                whole_out(waiting, k, x, LANES, out, b * LANES, at + x)
        for x in range(n, count[k]):
            waiting[k, x - n] = waiting[k, x]
        done[k] += n
        count[k] -= n

    return of_packs if isinstance(waiting.dtype, Pack) else None


@overload(pour_rest, jit_options={"_nrt": False})
def _pour_rest_of_packs(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    def of_packs(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> None:
        for x in range(0, count[k], LANES):
            n = min(count[k] - x, LANES)
            tail_out(waiting, k, x, n, out, b * LANES, done[k] + x)

    return of_packs if isinstance(waiting.dtype, Pack) else None
