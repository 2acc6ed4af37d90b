"""Dense tensors from their values: zeros and values together, line by line of the cache, or values.

What is written to memory through the cache is read first, which takes two thirds of the time. Large
results are therefore put together in a small buffer and written past the cache.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from spatial_v2.engine.compile import jit, part
from spatial_v2.engine.extend import intrinsic, make_array, types
from spatial_v2.engine.tree import Floats, Ints

__all__ = ["MANY", "compose", "copy", "scatter"]

LINE = 8
BUFFER = 1024
"""Numbers that are put together at a time."""
MANY = 1 << 18
"""Numbers in a result from which on it is written past the cache: two megabytes."""


@intrinsic
def _line(typing: Any, source: Any, k: Any, target: Any, at: Any) -> Any:
    """The line source[k : k + LINE] to target[at : at + LINE], which is aligned, past the cache."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        vector = ir.VectorType(ir.DoubleType(), LINE).as_pointer()
        places = []
        for array, kind, index in ((args[0], source, args[1]), (args[2], target, args[3])):
            data = make_array(kind)(context, builder, array).data
            places.append(builder.bitcast(builder.gep(data, [index]), vector))
        numbers = builder.load(places[0], align=8)
        one = builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)])
        builder.store(numbers, places[1], align=8 * LINE).set_metadata("nontemporal", one)

    return types.void(source, types.intp, target, types.intp), generate


@intrinsic
def _misaligned(typing: Any, x: Any) -> Any:
    """How many numbers come before the first line of a contiguous array."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word = context.get_value_type(types.intp)
        address = builder.ptrtoint(make_array(x)(context, builder, args[0]).data, word)
        number = builder.lshr(address, ir.Constant(word, 3))
        return builder.and_(builder.neg(number), ir.Constant(word, LINE - 1))

    return types.intp(x), generate


@part
def copy(x: Floats, out: Floats, past: bool) -> None:
    """out = x, whole lines past the cache if so asked."""
    n = out.size
    begin = _misaligned(out) if past and n >= LINE else n
    end = n - (n - begin) % LINE
    for k in range(begin):
        out[k] = x[k]
    for k in range(begin, end, LINE):
        _line(x, k, out, k)
    for k in range(end, n):
        out[k] = x[k]


@jit
def scatter(values: Floats, order: Ints, places: Ints, out: Floats) -> None:
    """out[b, places[x]] = values[b, order[x]] for each state b."""
    for b in range(out.shape[0]):
        source, target = values[b], out[b]
        for x in range(places.size):
            target[places[x]] = source[order[x]]


@jit
def compose(values: Floats, order: Ints, places: Ints, out: Floats) -> None:
    """The same, and zeros between; the places ascend."""
    past, buffer = out.size >= MANY, np.zeros(BUFFER)
    for b in range(out.shape[0]):
        source, target, x, begin = values[b], out[b], np.uint64(0), np.uint64(0)
        end = np.uint64(_misaligned(target) if past else 0)
        while begin < target.size:
            first = x
            while x < places.size and places[x] < end:
                buffer[places[x] - begin] = source[order[x]]
                x += np.uint64(1)
            n = np.uint64(end - begin)
            if past and n == BUFFER:
                for k in range(0, BUFFER, LINE):
                    _line(buffer, k, target, np.intp(begin) + k)
            else:
                part = target[np.intp(begin) :]
                for k in range(n):
                    part[k] = buffer[k]
            for y in range(first, x):
                buffer[places[y] - begin] = 0.0
            begin, end = end, min(end + np.uint64(BUFFER), np.uint64(target.size))
