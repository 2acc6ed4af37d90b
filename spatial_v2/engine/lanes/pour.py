"""Values of packs to the rows of their states: line by line of the cache, past it if they are many.

What is written to memory through the cache is read first. Whole lines can go by another way, which
is three times as fast where the values will leave the cache anyway.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.compile import inline
from spatial_v2.engine.extend import intrinsic, make_array, overload, types
from spatial_v2.engine.lanes.pack import Pack
from spatial_v2.engine.lanes.turn import tail_out, whole_out, whole_past
from spatial_v2.engine.lanes.width import LANES
from spatial_v2.engine.values import LINE, pour, pour_rest

__all__ = ["MANY"]

MANY = 1 << 18
"""Numbers in a tensor of a batch from which on they are written past the cache: two megabytes."""


@intrinsic
def _address(typing: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = make_array(x)(context, builder, args[0])
        return builder.ptrtoint(array.data, context.get_value_type(types.int64))

    return types.int64(x), generate


@inline
def _past(out: Any, at: int) -> bool:
    """Whether to write past the cache; each row then begins with a line."""
    rows, m = out.shape
    lines = m % LINE == 0 and at % LINE == 0 and _address(out) % (8 * LINE) == 0
    return bool(lines and rows * m >= MANY)


@overload(pour, jit_options={"_nrt": False})
def _pour_packs(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    def of_packs(waiting: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> None:
        n, at = count[k] - count[k] % LINE, done[k]
        if _past(out, at):
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
