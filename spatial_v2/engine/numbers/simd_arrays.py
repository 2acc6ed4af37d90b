"""Arrays of SIMD batches, and views of arrays, for tuples of arrays.

A kernel's arrays have the batch as their first axis and differ in the others. For the transfer of a
block they are all viewed as matrices with one row for each state.
"""

from __future__ import annotations

from typing import Any

from spatial_v2.engine.compile.entries import array_at
from spatial_v2.engine.compile.extend import (
    cgutils,
    impl_ret_borrowed,
    intrinsic,
    make_array,
    types,
)
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.kinds import allocate_array
from spatial_v2.engine.numbers.simd_batch import simd_batch

__all__ = ["as_batches", "carve", "flat_rows", "simd_room"]


def _product(context: Any, builder: Any, numbers: Any) -> Any:
    total = context.get_constant(types.intp, 1)
    for n in numbers:
        total = builder.mul(total, n)
    return total


@intrinsic
def as_batches(typing: Any, x: Any) -> Any:
    """A view (n, m) of an aligned contiguous array (n, m SIMD_WIDTH) as SIMD batches."""
    result = types.Array(simd_batch, 2, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = make_array(x)(context, builder, args[0])
        n, m = cgutils.unpack_tuple(builder, array.shape)
        shape = [n, builder.sdiv(m, context.get_constant(types.intp, SIMD_WIDTH))]
        view = array_at(context, builder, result, array.data, shape, array.meminfo)
        return impl_ret_borrowed(context, builder, result, view)

    return result(x), generate


@intrinsic
def flat_rows(typing: Any, xs: Any) -> Any:
    """A view (B, m) of each contiguous array (B, ...) of a tuple."""
    result = types.UniTuple(types.Array(xs[0].dtype, 2, "C"), len(xs))

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        views = []
        for kind, x in zip(xs, cgutils.unpack_tuple(builder, args[0]), strict=True):
            array = make_array(kind)(context, builder, x)
            first, *others = cgutils.unpack_tuple(builder, array.shape)
            shape = [first, _product(context, builder, others)]
            views.append(array_at(context, builder, result.dtype, array.data, shape, array.meminfo))
        tuple_ = context.make_tuple(builder, result, views)
        return impl_ret_borrowed(context, builder, result, tuple_)

    return result(xs), generate


@intrinsic
def simd_room(typing: Any, n: Any) -> Any:
    """An uninitialised array of n SIMD batches."""
    array = types.Array(simd_batch, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return allocate_array(context, builder, array, args)

    return array(types.intp), generate


@intrinsic
def carve(typing: Any, xs: Any, simd: Any, at: Any, block: Any, count: Any) -> Any:
    """Cut an array (count, ...) for each array (B, ...) of a tuple from an array of SIMD batches.

    The first begins at simd[at]; each has memory for `block` entries of its first axis.
    """
    result = types.Tuple([types.Array(simd_batch, x.ndim, "C") for x in xs])

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        source, cut = make_array(simd)(context, builder, args[1]), []
        place, block, count = args[2:]
        for kind, given, x in zip(result, xs, cgutils.unpack_tuple(builder, args[0]), strict=True):
            array = make_array(given)(context, builder, x)
            _, *others = cgutils.unpack_tuple(builder, array.shape)
            data, shape = builder.gep(source.data, [place]), [count, *others]
            cut.append(array_at(context, builder, kind, data, shape, source.meminfo))
            place = builder.add(place, _product(context, builder, [block, *others]))
        tuple_ = context.make_tuple(builder, result, cut)
        return impl_ret_borrowed(context, builder, result, tuple_)

    return result(xs, simd, *[types.intp] * 3), generate
