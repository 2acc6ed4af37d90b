"""Sines and cosines of several angles of one state, side by side in SIMD values."""

from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.extend import intrinsic, make_array, overload, types
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.kinds import sincos
from spatial_v2.engine.numbers.simd_batch import VECTOR, simd_batch
from spatial_v2.engine.numbers.trig import sincos_batch
from spatial_v2.engine.tree import Floats


def sines(x: Floats, n: int) -> None:
    """Set x[i, 0, 1] and x[i, 0, 2] to the sine and the cosine of x[i, 0, 0], for i < n.

    For a single state, a SIMD value has the angles of as many rows as the SIMD width.
    """
    for i in range(n):
        x[i, 0, 1], x[i, 0, 2] = sincos(x[i, 0, 0])


def _rows(context: Any, builder: Any, kind: Any, x: Any, i: Any, n: Any) -> list[Any]:
    """Emit the addresses of rows x[i], x[i + 1], ... for a SIMD value; the last is x[n - 1]."""
    array = make_array(kind)(context, builder, value=x)
    step, rows = builder.extract_value(array.strides, 0), []
    for lane in range(SIMD_WIDTH):
        row, last = builder.add(i, i.type(lane)), builder.sub(n, n.type(1))
        row = builder.select(builder.icmp_signed("<", row, last), row, last)
        place = builder.add(builder.ptrtoint(array.data, row.type), builder.mul(row, step))
        rows.append(builder.inttoptr(place, array.data.type))
    return rows


@intrinsic
def _angles(typing: Any, x: Any, i: Any, n: Any) -> Any:
    """Load x[i, 0, 0], x[i + 1, 0, 0], ... as a SIMD batch."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        angles = ir.Constant(VECTOR, ir.Undefined)
        for lane, place in enumerate(_rows(context, builder, x, *args)):
            angles = builder.insert_element(angles, builder.load(place), ir.IntType(32)(lane))
        return angles

    return simd_batch(x, types.intp, types.intp), generate


@intrinsic
def _store_sines(typing: Any, x: Any, i: Any, n: Any, sine: Any, cosine: Any) -> Any:
    """Store SIMD batches as x[i, 0, 1], x[i + 1, 0, 1], ... and x[i, 0, 2], x[i + 1, 0, 2], ..."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        for lane, place in enumerate(_rows(context, builder, x, *args[:3])):
            for column, value in enumerate(args[3:], 1):
                number = builder.extract_element(value, ir.IntType(32)(lane))
                builder.store(number, builder.gep(place, [ir.IntType(32)(column)]))

    return types.void(x, types.intp, types.intp, simd_batch, simd_batch), generate


@overload(sines, jit_options={"forceinline": True})
def _sines_of_kind(x: Any, n: Any) -> Any:
    def several(x: Any, n: Any) -> None:
        for i in range(0, n, SIMD_WIDTH):
            sine, cosine = sincos_batch(_angles(x, i, n))
            _store_sines(x, i, n, sine, cosine)

    return several if SIMD_WIDTH > 1 and isinstance(x.dtype, types.Float) else sines
