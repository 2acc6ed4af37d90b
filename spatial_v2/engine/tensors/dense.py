"""Expansion of the values of packed tensors to dense tensors; each cache line is written once.

A line is gathered in registers: a table has, for each number of the line, its index in the values;
entries that are always zero have the index of a zero after the values. Lines without values are
written as zeros, or skipped if they are known to be zero. A store through the cache reads the
memory first, which takes two thirds of the time, so large results are written with non-temporal
stores.
"""

from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import inline, jit, part
from spatial_v2.engine.compile.entries import write_ranges
from spatial_v2.engine.compile.extend import config, intrinsic, types
from spatial_v2.engine.compile.memory import data_address, overlap, place, stack_integers
from spatial_v2.engine.numbers.cache_lines import LINE
from spatial_v2.engine.tree import Floats, Ints

_VECTOR = ir.VectorType(ir.DoubleType(), LINE)
_INDEX = ir.IntType(32)


def _write(builder: Any, line: Any, address: Any, past: bool) -> None:
    """Emit the store of a cache line at its address; with `past`, a non-temporal store."""
    stored = builder.store(line, builder.bitcast(address, _VECTOR.as_pointer()), align=8 * LINE)
    if past:
        one = builder.module.add_metadata([ir.Constant(_INDEX, 1)])
        stored.set_metadata("nontemporal", one)


def _gather(past: bool) -> Any:
    @intrinsic
    def line(typing: Any, x: Any, places: Any, at: Any, target: Any, k: Any) -> Any:
        """Gather a cache line: target[k : k + LINE] = x[places[at : at + LINE]]."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            first, numbers = place(context, builder, places, args[1], args[2]), []
            for lane in range(LINE):
                number = builder.load(builder.gep(first, [ir.Constant(_INDEX, lane)]))
                number = builder.zext(number, args[2].type)
                numbers.append(builder.load(place(context, builder, x, args[0], number)))
            made = ir.Constant(_VECTOR, ir.Undefined)
            for lane, number in enumerate(numbers):
                made = builder.insert_element(made, number, ir.Constant(_INDEX, lane))
            _write(builder, made, place(context, builder, target, *args[3:]), past)

        return types.void(x, places, types.intp, target, types.intp), generate

    return line


def _clear(past: bool) -> Any:
    @intrinsic
    def line(typing: Any, target: Any, k: Any) -> Any:
        """Clear a cache line: target[k : k + LINE] = 0."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            zeros = ir.Constant(_VECTOR, [0.0] * LINE)
            _write(builder, zeros, place(context, builder, target, *args), past)

        return types.void(target, types.intp), generate

    return line


@intrinsic
def _copy_past(typing: Any, source: Any, k: Any, target: Any) -> Any:
    """Copy source[k : k + LINE] to the same indices of target, with non-temporal stores."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at = builder.bitcast(place(context, builder, source, *args[:2]), _VECTOR.as_pointer())
        line = builder.load(at, align=8)
        _write(builder, line, place(context, builder, target, args[2], args[1]), True)

    return types.void(source, types.intp, target), generate


_gather_line, _gather_past = _gather(False), _gather(True)
_clear_line, _clear_past = _clear(False), _clear(True)


@inline
def _misaligned(x: Floats) -> int:
    """Return how many numbers of a contiguous array lie before its first cache line."""
    before: int = -(data_address(x) >> 3) & (LINE - 1)
    return before


@part
def copy(x: Floats, out: Floats, past: bool) -> None:
    """Copy x to out; with `past`, whole cache lines by non-temporal stores."""
    n = out.size
    begin = _misaligned(out) if past and n >= LINE else n
    end = n - (n - begin) % LINE
    for k in range(begin):
        out[k] = x[k]
    for k in range(begin, end, LINE):
        _copy_past(x, k, out)
    for k in range(end, n):
        out[k] = x[k]


@part
def _clear_lines(out: Floats, begin: int, end: int, past: bool) -> None:
    if past:
        for k in range(begin, end, LINE):
            _clear_past(out, k)
    else:
        for k in range(begin, end, LINE):
            _clear_line(out, k)


@part
def _gather_lines(
    x: Floats, places: Ints, shift: int, out: Floats, begin: int, end: int, past: bool
) -> None:
    if past:
        for k in range(begin, end, LINE):
            _gather_past(x, places, k + shift, out, k)
    else:
        for k in range(begin, end, LINE):
            _gather_line(x, places, k + shift, out, k)


@part
def _compose(
    source: Floats, places: Ints, spans: Ints, clear: bool, past: bool, target: Floats
) -> None:
    n = target.size
    first = min(_misaligned(target), n)
    last = n - (n - first) % LINE
    if clear:
        target[:first] = 0.0
        target[last:] = 0.0
    done = first
    for s in range(spans.shape[0]):
        a, b, shift = spans[s, 0], spans[s, 1], spans[s, 2] - spans[s, 0]
        for k in range(a, min(b, first)):
            target[k] = source[places[k + shift]]
        for k in range(max(a, last), b):
            target[k] = source[places[k + shift]]
        begin = max(a - ((a - done) & (LINE - 1)), done)
        end = min(b + ((done - b) & (LINE - 1)), last)
        if begin >= end:
            continue
        if clear:
            _clear_lines(target, done, begin, past)
        _gather_lines(source, places, shift, target, begin, end, past)
        done = end
    if clear:
        _clear_lines(target, done, last, past)


def _by_index(
    source: Floats, places: Ints, spans: Ints, clear: bool, past: bool, target: Floats
) -> None:
    """Do the work of `_compose` with NumPy's indexing, where Numba's compiler is disabled."""
    if clear:
        target[:] = 0.0
    for a, b, at in spans.tolist():
        target[a:b] = source[places[at : at + b - a]]


if config.DISABLE_JIT:
    _compose = _by_index


@jit
def compose(
    values: Floats, places: Ints, spans: Ints, clear: bool, past: bool, out: Floats
) -> None:
    """Expand values[b], which end with a zero, to the dense tensor out[b] of each state.

    See `packed.TensorPattern.lines` for `places` and `spans`. Outside of the spans `out` is written
    only if `clear`; with `past`, lines are written with non-temporal stores.
    """
    for b in range(out.shape[0]):
        _compose(values[b], places, spans, clear, past, out[b])


@jit
def compose_all(
    values: Floats, places: Ints, spans: Ints, ends: Ints, clear: int, past: bool,
    outs: tuple[Floats, ...],
) -> bool:  # fmt: skip
    """Expand the tensors of one state, whose values are in one array.

    Tensor k has the spans from ends[k - 1] to ends[k]. If bit k of `clear` is set, it is zeroed
    outside of the spans. If tensors overlap one another, nothing is written and False is returned.
    """
    ranges = stack_integers(0)
    write_ranges(data_address(ranges), outs, (), ())
    if overlap(ranges, len(outs), len(outs)):
        return False
    begin = 0
    for k in range(len(outs)):
        out = outs[k].reshape(outs[k].size)
        cleared = (clear >> k) & 1 != 0
        _compose(values, places, spans[begin : ends[k]], cleared, past, out)
        begin = ends[k]
    return True
