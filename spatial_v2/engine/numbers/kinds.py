"""Operations of kernels that depend on the kind of number: float64 or SIMD batch.

A kernel is written for one state. It is compiled for float64 numbers, and for SIMD batches, which
hold the numbers of several states. An operation is a function in Python, which in most cases is
compiled for numbers as well, and an overload that chooses the code for a kind.
"""

import math
from typing import Any

import numpy as np

from spatial_v2.engine.compile.extend import (
    cgutils,
    impl_ret_new_ref,
    intrinsic,
    make_array,
    overload,
    populate_array,
    types,
)
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.arena import ALIGN, taken
from spatial_v2.engine.tree import Floats


def empty(like: Floats, *shape: int) -> Floats:
    """Return an uninitialised array of the shape, with the kind of number of `like`."""
    return np.empty(shape, like.dtype)


def simd_columns(x: Floats) -> int:
    """Return how many columns of a matrix fill a SIMD value, for the kind of number of x."""
    return 1


def sincos(x: float) -> tuple[float, float]:
    """Return the sine and the cosine of x."""
    return math.sin(x), math.cos(x)


def sign(x: float) -> float:
    """Return the sign of x: -1, 0 or 1."""
    return (1.0 if x > 0.0 else 0.0) - (1.0 if x < 0.0 else 0.0)


def allocate_array(context: Any, builder: Any, kind: Any, shape: Any, like: Any = None) -> Any:
    """Emit code for a new array of type `kind`, aligned for SIMD values.

    If the array `like` has an arena, the memory is taken from it, and is then not reference
    counted.
    """
    item = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [context.get_constant(types.intp, item)]
    for n in reversed(shape):
        strides.insert(0, builder.mul(strides[0], n))
    out = make_array(kind)(context, builder)
    fits, place, start = cgutils.false_bit, cgutils.intp_t(0), builder.block
    if like is not None:
        counted = cgutils.is_not_null(builder, like.meminfo)
        arena = builder.select(counted, like.parent.type(None), like.parent)
        start = builder.block
        with builder.if_then(cgutils.is_not_null(builder, arena)):
            enough, at = taken(builder, arena, strides[0])
            inside = builder.block
        fits, place = builder.phi(enough.type), builder.phi(at.type)
        for phi, one, other in ((fits, enough.type(0), enough), (place, at.type(0), at)):
            phi.add_incoming(one, start)
            phi.add_incoming(other, inside)
        start = builder.block
    with builder.if_then(builder.not_(fits)):
        new = context.nrt.meminfo_alloc_aligned(builder, size=strides[0], align=ALIGN)
        there = builder.ptrtoint(context.nrt.meminfo_data(builder, new), place.type)
        inside = builder.block
    info, data = builder.phi(new.type), builder.phi(place.type)
    for phi, one, other in ((info, new.type(None), new), (data, place, there)):
        phi.add_incoming(one, start)
        phi.add_incoming(other, inside)
    populate_array(
        out,
        data=builder.inttoptr(data, out.data.type),
        shape=shape,
        strides=strides[1:],
        itemsize=strides[-1],
        meminfo=info,
        parent=None,
    )
    return impl_ret_new_ref(context, builder, kind, out._getvalue())


@intrinsic
def _empty(typing: Any, like: Any, shape: Any) -> Any:
    """Allocate an array as `empty` does, with the shape as a tuple."""
    array = types.Array(like.dtype, len(shape), "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = zip(cgutils.unpack_tuple(builder, args[1]), signature.args[1], strict=True)
        numbers = [context.cast(builder, n, kind, types.intp) for n, kind in given]
        one = make_array(like)(context, builder, value=args[0])
        return allocate_array(context, builder, array, numbers, one)

    return array(like, shape), generate


@overload(empty, jit_options={"forceinline": True})
def _empty_of_kind(like: Any, *shape: Any) -> Any:
    return lambda like, *shape: _empty(like, shape)


@overload(simd_columns, jit_options={"forceinline": True})
def _simd_columns_of_kind(x: Any) -> Any:
    return (lambda x: SIMD_WIDTH) if isinstance(x.dtype, types.Float) else simd_columns


@overload(sign, jit_options={"forceinline": True})
def _sign_of_numbers(x: Any) -> Any:
    return sign if isinstance(x, types.Float) else None


@overload(sincos, jit_options={"forceinline": True})
def _sincos_of_numbers(x: Any) -> Any:
    return sincos if isinstance(x, types.Float) else None
