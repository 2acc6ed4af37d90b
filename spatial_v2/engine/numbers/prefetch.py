"""Prefetching: memory is loaded into the cache before it is read or written."""

from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.extend import cgutils, intrinsic, overload, types
from spatial_v2.engine.compile.memory import place
from spatial_v2.engine.tree import Floats

_FLAG = ir.IntType(32)


def emit_prefetch(builder: Any, address: Any, written: bool) -> None:
    """Emit a prefetch of the cache line at an address, which will be written, or read."""
    address = builder.bitcast(address, ir.IntType(8).as_pointer())
    kind = ir.FunctionType(ir.VoidType(), [address.type, _FLAG, _FLAG, _FLAG])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(function, [address, *(ir.Constant(_FLAG, n) for n in (int(written), 3, 1))])


def prefetch(x: Floats, i: int) -> None:
    """Prefetch the number that is i numbers after the first one of the array x, also outside it."""


@intrinsic
def _prefetch(typing: Any, x: Any, i: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        emit_prefetch(builder, place(context, builder, x, *args), False)
        return context.get_dummy_value()

    return types.void(x, types.intp), generate


@overload(prefetch, jit_options={"forceinline": True})
def _prefetch_of_arrays(x: Any, i: Any) -> Any:
    def of_array(x: Any, i: Any) -> None:
        _prefetch(x, i)

    return of_array
