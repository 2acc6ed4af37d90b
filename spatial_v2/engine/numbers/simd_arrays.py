"""Arrays of SIMD batches: new ones, and views of memory."""

from typing import Any

from spatial_v2.engine.compile.entries import array_at
from spatial_v2.engine.compile.extend import (
    cgutils,
    impl_ret_borrowed,
    intrinsic,
    make_array,
    types,
)
from spatial_v2.engine.compile.memory import array_reader
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.kinds import allocate_array
from spatial_v2.engine.numbers.simd_batch import simd_batch


@intrinsic
def as_batches(typing: Any, x: Any) -> Any:
    """View an aligned contiguous array (n, m SIMD_WIDTH) as an array (n, m) of SIMD batches."""
    result = types.Array(simd_batch, 2, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        array = make_array(x)(context, builder, args[0])
        n, m = cgutils.unpack_tuple(builder, array.shape)
        shape = [n, builder.sdiv(m, context.get_constant(types.intp, SIMD_WIDTH))]
        view = array_at(context, builder, result, array.data, shape, array.meminfo)
        return impl_ret_borrowed(context, builder, result, view)

    return result(x), generate


@intrinsic
def simd_room(typing: Any, n: Any) -> Any:
    """Allocate an uninitialised array of n SIMD batches."""
    array = types.Array(simd_batch, 1, "C")

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return allocate_array(context, builder, array, args)

    return array(types.intp), generate


simd_at = array_reader(simd_batch)
"""View SIMD batches at an address as an array of given lengths."""
