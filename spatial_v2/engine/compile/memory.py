"""Access to memory by address, for compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import within
from spatial_v2.engine.compile.entries import array_at, load
from spatial_v2.engine.compile.extend import (
    cgutils,
    impl_ret_borrowed,
    intrinsic,
    make_array,
    types,
)
from spatial_v2.engine.tree import Ints, Tree

__all__ = [
    "ROOM",
    "TREE",
    "arrays",
    "clear",
    "constants",
    "data_address",
    "differ",
    "doubles",
    "integers",
    "number",
    "stack_integers",
    "tree_at",
]  # fmt: skip

_EIGHT = ir.Constant(cgutils.intp_t, 8)
ROOM = 200
"""Maximum number of integers in `stack_integers`."""


@intrinsic
def number(typing: Any, at: Any) -> Any:
    """Read the 64-bit integer at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], cgutils.intp_t.as_pointer()))

    return types.int64(types.int64), generate


@intrinsic
def differ(typing: Any, one: Any, other: Any, size: Any) -> Any:
    """True if the bytes at two addresses differ: memcmp."""
    kind = ir.FunctionType(ir.IntType(32), [cgutils.voidptr_t, cgutils.voidptr_t, cgutils.intp_t])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        memcmp = cgutils.get_or_insert_function(builder.module, kind, "memcmp")
        places = [builder.inttoptr(x, cgutils.voidptr_t) for x in args[:2]]
        result = builder.call(memcmp, [*places, args[2]])
        return builder.icmp_signed("!=", result, ir.Constant(ir.IntType(32), 0))

    return types.boolean(types.int64, types.int64, types.int64), generate


@intrinsic
def clear(typing: Any, at: Any, count: Any) -> Any:
    """Set a number of doubles at an address to zero."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        at, size = builder.inttoptr(args[0], cgutils.voidptr_t), builder.mul(args[1], _EIGHT)
        cgutils.memset(builder, at, size, 0)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


def _view(context: Any, builder: Any, array: Any, at: Any, shape: Any, arena: Any = None) -> Any:
    """A contiguous array at an address; kernels allocate arrays like it from an arena."""
    data = builder.inttoptr(at, cgutils.voidptr_t)
    out = array_at(context, builder, array, data, shape, parent=arena)
    return impl_ret_borrowed(context, builder, array, out)


def _reader(dtype: Any) -> Any:
    """Make a compiled function from an address and lengths to an array."""

    def read(typing: Any, at: Any, shape: Any) -> Any:
        array = types.Array(dtype, len(shape), "C")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            lengths = cgutils.unpack_tuple(builder, args[1])
            return _view(context, builder, array, args[0], lengths)

        return array(types.int64, types.UniTuple(types.int64, len(shape))), generate

    return intrinsic(read)


doubles, integers = _reader(types.float64), _reader(types.int64)
"""View numbers, or integers, at an address as an array."""


@intrinsic
def constants(typing: Any, x: Any) -> Any:
    """View an array as read-only, the type in which kernels get the layout."""
    array = types.Array(x.dtype, x.ndim, "C", readonly=True)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return impl_ret_borrowed(context, builder, array, args[0])

    return array(x), generate


@intrinsic
def stack_integers(typing: Any, n: Any) -> Any:
    """Allocate n integers, at most `ROOM`, on the stack of the calling function."""
    array = types.Array(types.int64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = cgutils.alloca_once(builder, cgutils.intp_t, size=ROOM)
        at = builder.ptrtoint(place, cgutils.intp_t)
        return _view(context, builder, array, at, args)

    return array(types.int64), generate


@intrinsic
def data_address(typing: Any, x: Any) -> Any:
    """Address of the data of an array, in compiled code."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = make_array(x)(context, builder, value=args[0])
        return builder.ptrtoint(array.data, cgutils.intp_t)

    return types.int64(x), generate


@intrinsic
def arrays(
    typing: Any, given: Any, at: Any, states: Any, shapes: Any, step: Any, arena: Any
) -> Any:
    """Arrays (states, ...) of numbers; `given` has the number of further axes of each.

    Lists at the addresses `at` and `states` have their addresses and numbers of states; an array
    without states has length 0 along its next axis too. The lengths of the axes of the first array
    end at the address `shapes`, those of each further array a fixed number of bytes later. Kernels
    allocate from the arena, unless that is 0.
    """
    kinds = [types.Array(types.float64, n + 1, "C") for n in given.axes]
    result = types.Tuple(kinds)

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        _, at, states, end, step, arena = args
        at, states = (builder.inttoptr(x, cgutils.voidptr_t) for x in (at, states))
        views = []
        for k, kind in enumerate(kinds):
            last, x = builder.inttoptr(end, cgutils.voidptr_t), load(builder, at, 8 * k)
            count = load(builder, states, 8 * k)
            none = builder.icmp_signed("==", count, count.type(0))
            axes = [count, *(load(builder, last, -8 * k) for k in range(kind.ndim - 1, 0, -1))]
            axes[1:2] = [builder.select(none, count, n) for n in axes[1:2]]
            views.append(_view(context, builder, kind, x, axes, arena))
            end = builder.add(end, step)
        return context.make_tuple(builder, result, views)

    return result(given, *[types.int64] * 5), generate


_FIELDS = [(types.int64, 1), (types.int64, 2), *((types.float64, n) for n in (2, 3, 3, 1, 1, 1, 1))]
TREE = types.NamedTuple(
    [types.Array(kind, n, "C", readonly=k < 3) for k, (kind, n) in enumerate(_FIELDS)], Tree
)
"""The type of a tree: nothing changes its layout, which is the first three arrays."""


@within
def tree_at(table: Ints, first: int, bodies: int, terms: int) -> Tree:
    """Tree of arrays whose addresses are in `table`, beginning at `first`."""
    return Tree(
        constants(integers(table[first], (bodies,))),
        constants(integers(table[first + 1], (bodies, 6))),
        constants(doubles(table[first + 2], (bodies, 2))),
        doubles(table[first + 3], (bodies, 6, 6)),
        doubles(table[first + 4], (bodies, 6, 6)),
        doubles(table[first + 5], (3,)),
        doubles(table[first + 6], (terms,)),
        doubles(table[first + 7], (terms,)),
        doubles(table[first + 8], (terms,)),
    )
