"""Access to memory by address, for compiled code."""

from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import part
from spatial_v2.engine.compile.entries import array_at
from spatial_v2.engine.compile.extend import (
    cgutils,
    impl_ret_borrowed,
    intrinsic,
    make_array,
    types,
)
from spatial_v2.engine.tree import Ints, Tree

_EIGHT = ir.Constant(cgutils.intp_t, 8)
ROOM = 200
"""Maximum number of integers in `stack_integers`."""


@intrinsic
def number(typing: Any, address: Any) -> Any:
    """Read the 64-bit integer at an address."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(builder.inttoptr(args[0], cgutils.intp_t.as_pointer()))

    return types.int64(types.int64), generate


@intrinsic
def clear(typing: Any, address: Any, count: Any) -> Any:
    """Set a number of doubles at an address to zero."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        address, size = builder.inttoptr(args[0], cgutils.voidptr_t), builder.mul(args[1], _EIGHT)
        cgutils.memset(builder, address, size, 0)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


def place(context: Any, builder: Any, kind: Any, x: Any, *index: Any) -> Any:
    """Emit code for the address of an entry of a contiguous array."""
    array = make_array(kind)(context, builder, x)
    address, lengths = index[0], cgutils.unpack_tuple(builder, array.shape)
    for n, k in zip(lengths[1:], index[1:], strict=True):
        address = builder.add(builder.mul(address, n), k)
    return builder.gep(array.data, [address])


def _view(context: Any, builder: Any, array: Any, address: Any, shape: Any) -> Any:
    """View memory at an address as a contiguous array."""
    data = builder.inttoptr(address, cgutils.voidptr_t)
    out = array_at(context, builder, array, data, shape)
    return impl_ret_borrowed(context, builder, array, out)


def array_reader(dtype: Any) -> Any:
    """Make a compiled function that views numbers at an address as an array of given lengths."""

    def read(typing: Any, address: Any, shape: Any) -> Any:
        array = types.Array(dtype, len(shape), "C")

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            lengths = cgutils.unpack_tuple(builder, args[1])
            return _view(context, builder, array, args[0], lengths)

        return array(types.int64, types.UniTuple(types.int64, len(shape))), generate

    return intrinsic(read)


doubles, integers = array_reader(types.float64), array_reader(types.int64)
"""View doubles, or integers, at an address as an array."""


@intrinsic
def stack_integers(typing: Any, n: Any) -> Any:
    """Allocate n integers, at most `ROOM`, on the stack of the calling function."""
    array = types.Array(types.int64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        place = cgutils.alloca_once(builder, cgutils.intp_t, size=ROOM)
        address = builder.ptrtoint(place, cgutils.intp_t)
        return _view(context, builder, array, address, args)

    return array(types.int64), generate


@intrinsic
def data_address(typing: Any, x: Any) -> Any:
    """Return the address of the data of an array, in compiled code."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = make_array(x)(context, builder, value=args[0])
        return builder.ptrtoint(array.data, cgutils.intp_t)

    return types.int64(x), generate


@part
def overlap(ranges: Ints, outs: int, count: int) -> bool:
    """Test if one of the first `outs` of the ranges that `write_ranges` writes overlaps another."""
    for k in range(outs):
        first, last = ranges[2 * k], ranges[2 * k + 1]
        for j in range(count):
            if j != k and first < ranges[2 * j + 1] and ranges[2 * j] < last:
                return True
    return False


_AXES = 2, 3, 3, 1, 1, 1, 1, 1, 1
_FIELDS = [(types.int64, 1), (types.int64, 2), *((types.float64, n) for n in _AXES)]
TREE = types.NamedTuple(
    [types.Array(kind, n, "C", readonly=k < 3) for k, (kind, n) in enumerate(_FIELDS)], Tree
)
"""Numba type of a tree. Its first three arrays, which define the layout, are read-only."""
