"""Transfer of buffered values to the rows of their states.

Values of SIMD batches are written in cache lines; if there are many, with non-temporal stores. A
store through the cache reads the memory first; whole lines written by non-temporal stores take a
third of the time, if the values would leave the cache anyway.
"""

from typing import Any

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.compile.extend import overload, types
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.engine.numbers.simd_batch import SimdBatch
from spatial_v2.engine.numbers.transpose import in_lines, tail_out, whole_out, whole_past
from spatial_v2.engine.tree import Floats, Ints


def flush(pending: Floats, count: Ints, k: int, out: Floats, b: int, done: Ints) -> None:
    """Write buffered values of tensor k to out[b], after the done[k] values already written.

    For SIMD batches only whole cache lines are written; the rest stays in the buffer.
    """
    _write(pending, count, k, out, b, done)


def flush_all(pending: Floats, count: Ints, k: int, out: Floats, b: int, done: Ints) -> None:
    """Write all buffered values of tensor k to out[b], after the done[k] values already written."""
    _write(pending, count, k, out, b, done)


@part
def _write(pending: Floats, count: Ints, k: int, out: Floats, b: int, done: Ints) -> None:
    source, target = pending[k], out[b, done[k] :]
    for x in range(count[k]):
        target[x] = source[x]
    done[k] += count[k]
    count[k] = 0


@overload(flush, jit_options={"forceinline": True})
@overload(flush_all, jit_options={"forceinline": True})
def _of_kind(pending: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    return flush if isinstance(pending.dtype, types.Float) else None


@overload(flush, jit_options={"_nrt": False})
def _flush_batches(pending: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    def of_batches(pending: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> None:
        n, start = count[k] - count[k] % LINE, done[k]
        if start % LINE == 0 and in_lines(out):
            for x in range(0, n, SIMD_WIDTH):
                whole_past(pending, k, x, SIMD_WIDTH, out, b * SIMD_WIDTH, start + x)
        else:
            for x in range(0, n, SIMD_WIDTH):
                whole_out(pending, k, x, SIMD_WIDTH, out, b * SIMD_WIDTH, start + x)
        for x in range(n, count[k]):
            pending[k, x - n] = pending[k, x]
        done[k] += n
        count[k] -= n

    return of_batches if isinstance(pending.dtype, SimdBatch) else None


@overload(flush_all, jit_options={"_nrt": False})
def _flush_all_batches(pending: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> Any:
    def of_batches(pending: Any, count: Any, k: Any, out: Any, b: Any, done: Any) -> None:
        for x in range(0, count[k], SIMD_WIDTH):
            n = min(count[k] - x, SIMD_WIDTH)
            tail_out(pending, k, x, n, out, b * SIMD_WIDTH, done[k] + x)

    return of_batches if isinstance(pending.dtype, SimdBatch) else None
