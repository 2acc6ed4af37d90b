"""Sine and cosine of a SIMD batch from one reduction, to less than one unit in the last place.

With k the integer nearest to ``2 x / pi`` the reduced argument ``y = x - k pi / 2`` is at most
pi/4, and sin x and cos x are sin y and cos y, exchanged if k is odd, with signs that follow from k.

Near multiples of pi/2 the reduced argument is small, and must keep all digits. pi/2 is therefore
split into three parts of 33 bits, whose products with k < 2^20 are exact, and a fourth; the reduced
argument is a sum of two numbers, y + e. Sine and cosine of y are minimax polynomials (Remez) with
relative errors 4e-18 and 6e-20 before rounding.

For arguments beyond 1e5, infinities and NaN, each entry is computed by `math.sin` and `math.cos`.
"""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import exact, part
from spatial_v2.engine.compile.extend import intrinsic, overload, types
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.kinds import sincos
from spatial_v2.engine.numbers.simd_batch import BITS, VECTOR, SimdBatch, simd_batch

LIMIT = 1e5
_TWO_OVER_PI = 0.6366197723675814
_HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32)
_SINE = (
    -0.1666666666666663, 0.008333333333322108, -0.00019841269829580177,
    2.7557313618020905e-06, -2.505074721871669e-08, 1.589619766436341e-10,
)  # fmt: skip
_COSINE = (
    0.041666666666666595, -0.001388888888887304, 2.48015872888414e-05,
    -2.7557314176239724e-07, 2.0875700415987923e-09, -1.1358513944530989e-11,
)  # fmt: skip
_SHIFTER = 1.5 * 2.0**52
"""Added to a number, it leaves the nearest integer in the lowest bits."""


class _Value:
    """A SIMD value in generated code; its operators emit instructions."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def like(self, number: float) -> _Value:
        """Return a constant."""
        return _Value(self.builder, ir.Constant(VECTOR, [number] * SIMD_WIDTH))

    def __add__(self, other: _Value) -> _Value:
        return _Value(self.builder, self.builder.fadd(self.value, other.value))

    def __sub__(self, other: _Value) -> _Value:
        return _Value(self.builder, self.builder.fsub(self.value, other.value))

    def __mul__(self, other: _Value) -> _Value:
        return _Value(self.builder, self.builder.fmul(self.value, other.value))

    def fused(self, factor: _Value, term: _Value) -> _Value:
        """Return self times factor plus term, as a fused operation if the processor supports it."""
        product = self.builder.fmul(self.value, factor.value, flags=("contract",))
        return _Value(self.builder, self.builder.fadd(product, term.value, flags=("contract",)))

    def bits(self) -> Any:
        """Return the value reinterpreted as integers."""
        return self.builder.bitcast(self.value, BITS)


def _difference(a: _Value, b: _Value) -> tuple[_Value, _Value]:
    """Return the rounded difference a - b, and its rounding error."""
    s = a - b
    t = s - a
    return s, (a - (s - t)) - (b + t)


def _polynomial(z: _Value, coefficients: tuple[float, ...]) -> _Value:
    value = z.like(coefficients[-1])
    for c in coefficients[-2::-1]:
        value = value.fused(z, z.like(c))
    return value


def _rest(x: _Value) -> tuple[Any, _Value, _Value]:
    """Return integers whose last bits are k, and the reduced argument as a sum y + e."""
    a, b, c, d = map(x.like, _HALF_PI)
    shifter = x.like(_SHIFTER)
    shifted = x * x.like(_TWO_OVER_PI) + shifter
    k = shifted - shifter
    r, e = _difference(x - k * a, k * b)
    y, f = _difference(r, k * c)
    return shifted.bits(), y, (e + f) - k * d


@intrinsic
def _near_zero(context: Any, x: Any) -> Any:
    """Compute sine and cosine of a SIMD batch whose entries are at most LIMIT in magnitude."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        def bits(n: int) -> Any:
            return ir.Constant(BITS, [n] * SIMD_WIDTH)

        k, y, e = _rest(_Value(builder, args[0]))
        z, one = y * y, y.like(1.0)
        half = z * y.like(0.5)
        top = one - half
        sine = (y + (y * z).fused(_polynomial(z, _SINE), e * top)).bits()
        # the sum loses the sign of y = -0, so the sign of y is copied
        sine = builder.or_(sine, builder.and_(y.bits(), bits(1 << 63)))
        rest = (z * z).fused(_polynomial(z, _COSINE), y.like(0.0) - y * e)
        cosine = (top + (((one - top) - half) + rest)).bits()
        odd = builder.icmp_unsigned("!=", builder.and_(k, bits(1)), bits(0))
        turns = k, builder.add(k, bits(1))
        signs = [builder.shl(builder.and_(n, bits(2)), bits(62)) for n in turns]
        both = builder.select(odd, cosine, sine), builder.select(odd, sine, cosine)
        signed = [builder.xor(x, sign) for x, sign in zip(both, signs, strict=True)]
        results = [builder.bitcast(x, VECTOR) for x in signed]
        return context.make_tuple(builder, signature.return_type, results)

    return types.UniTuple(simd_batch, 2)(x), generate


@intrinsic
def _within(context: Any, x: Any) -> Any:
    """Test if all entries are finite and within LIMIT."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        limits = [ir.Constant(VECTOR, [sign * LIMIT] * SIMD_WIDTH) for sign in (-1.0, 1.0)]
        above = builder.fcmp_ordered(">=", args[0], limits[0])
        below = builder.fcmp_ordered("<=", args[0], limits[1])
        every = builder.bitcast(builder.and_(above, below), ir.IntType(SIMD_WIDTH))
        return builder.icmp_unsigned("==", every, ir.Constant(ir.IntType(SIMD_WIDTH), -1))

    return types.boolean(x), generate


@intrinsic
def _lane(context: Any, x: Any, lane: Any) -> Any:
    """Return one entry of a SIMD batch."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.extract_element(*args)

    return types.float64(x, types.intp), generate


@intrinsic
def _with_lane(context: Any, x: Any, number: Any, lane: Any) -> Any:
    """Return the SIMD batch x with one entry replaced."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.insert_element(*args)

    return simd_batch(x, types.float64, types.intp), generate


@part
def _one_by_one(x: Any, sine: Any, cosine: Any) -> tuple[Any, Any]:
    """Replace sine and cosine of the entries beyond LIMIT."""
    for lane in range(SIMD_WIDTH):
        number = _lane(x, lane)
        if not abs(number) <= LIMIT:
            sine = _with_lane(sine, math.sin(number), lane)
            cosine = _with_lane(cosine, math.cos(number), lane)
    return sine, cosine


@exact
def sincos_batch(x: Any) -> tuple[Any, Any]:
    """Return the sine and the cosine of a SIMD batch."""
    sine, cosine = _near_zero(x)
    if not _within(x):
        sine, cosine = _one_by_one(x, sine, cosine)
    return sine, cosine


@overload(sincos, jit_options={"forceinline": True})
def _sincos_of_packs(x: Any) -> Any:
    def of_batches(x: Any) -> Any:
        return sincos_batch(x)

    return of_batches if isinstance(x, SimdBatch) else None
