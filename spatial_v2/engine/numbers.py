"""What pages ask of numbers, whatever kind of number they are compiled for.

A page is written for one state. It is compiled for numbers, and for packs of numbers, which are
those of several states; see `lanes`. Here is what depends on the kind.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from spatial_v2.engine.arena import ALIGN, taken
from spatial_v2.engine.extend import (
    cgutils,
    impl_ret_new_ref,
    intrinsic,
    make_array,
    overload,
    populate_array,
    types,
)
from spatial_v2.engine.lanes.width import LANES
from spatial_v2.engine.tree import Floats

__all__ = ["abreast", "allocate", "empty", "room_for", "sincos"]


def empty(like: Floats, *shape: int) -> Floats:
    """An array for numbers of the kind of `like`, with nothing in it yet."""
    return np.empty(shape, like.dtype)


def abreast(x: Floats) -> int:
    """How many numbers of the kind of x's are best treated together, to fill SIMD values."""
    return 1


def sincos(x: float) -> tuple[float, float]:
    """The sine and the cosine of x."""
    return math.sin(x), math.cos(x)


def allocate(context: Any, builder: Any, kind: Any, shape: Any, like: Any = None) -> Any:
    """A new array of type `kind` in a function under construction, aligned for SIMD values.

    Its memory is from the arena of `like`, an array, if that has one: its owner is then no memory
    that is counted.
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
            found, at = taken(builder, arena, strides[0])
            inside = builder.block
        fits, place = builder.phi(found.type), builder.phi(at.type)
        for phi, one, other in ((fits, found.type(0), found), (place, at.type(0), at)):
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
    """`empty`, its shape a tuple."""
    array = types.Array(like.dtype, len(shape), "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        given = zip(cgutils.unpack_tuple(builder, args[1]), signature.args[1], strict=True)
        numbers = [context.cast(builder, n, kind, types.intp) for n, kind in given]
        one = make_array(like)(context, builder, value=args[0])
        return allocate(context, builder, array, numbers, one)

    return array(like, shape), generate


@intrinsic
def room_for(typing: Any, n: Any, arena: Any) -> Any:
    """An array of n numbers, from the arena at an address if that is not 0."""
    array = types.Array(types.float64, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        like = make_array(array)(context, builder)
        like.parent = builder.inttoptr(args[1], like.parent.type)
        like.meminfo = like.meminfo.type(None)
        return allocate(context, builder, array, [args[0]], like)

    return array(types.int64, types.int64), generate


@overload(empty, jit_options={"forceinline": True})
def _empty_of_kind(like: Any, *shape: Any) -> Any:
    def of_kind(like: Any, *shape: Any) -> Any:
        return _empty(like, shape)

    return of_kind


@overload(abreast, jit_options={"forceinline": True})
def _abreast_of_kind(x: Any) -> Any:
    n = LANES if isinstance(x.dtype, types.Float) else 1

    def of_kind(x: Any) -> Any:
        return n

    return of_kind


@overload(sincos, jit_options={"forceinline": True})
def _sincos_of_numbers(x: Any) -> Any:
    def of_numbers(x: Any) -> Any:
        return math.sin(x), math.cos(x)

    return of_numbers if isinstance(x, types.Float) else None
