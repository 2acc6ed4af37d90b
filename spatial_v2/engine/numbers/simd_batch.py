"""The type of a SIMD batch: `SIMD_WIDTH` doubles in one value, with the arithmetic of numbers.

A number combined with a SIMD batch is broadcast to every entry. A comparison gives one result for
all entries, since a kernel takes one branch for all of its states: `==` is true if all entries are
equal.
"""

import operator
from typing import Any, ClassVar

from llvmlite import ir

from spatial_v2.engine.compile.extend import (
    AbstractTemplate,
    Conversion,
    PrimitiveModel,
    infer_global,
    lower_builtin,
    lower_cast,
    register_model,
    signature,
    types,
)
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.kinds import sign

VECTOR = ir.VectorType(ir.DoubleType(), SIMD_WIDTH)
BITS = ir.VectorType(ir.IntType(64), SIMD_WIDTH)
_INDEX = ir.IntType(32)


class SimdBatch(types.Type):  # type: ignore[misc]
    """The Numba type of SIMD batches."""

    is_simd_batch = True
    """Marks the type, so that other modules recognise it without an import of this one."""

    def __init__(self) -> None:
        super().__init__(f"pack{SIMD_WIDTH}")

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """Convert a number to a SIMD batch if a variable may hold either."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


simd_batch = SimdBatch()


@register_model(SimdBatch)
class _SimdBatchModel(PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def splat(builder: Any, x: Any) -> Any:
    """Emit code for a SIMD value whose entries are all x, a number or an integer."""
    none = ir.Constant(ir.VectorType(x.type, SIMD_WIDTH), ir.Undefined)
    one = builder.insert_element(none, x, ir.Constant(_INDEX, 0))
    everywhere = ir.Constant(ir.VectorType(_INDEX, SIMD_WIDTH), [0] * SIMD_WIDTH)
    return builder.shuffle_vector(one, none, everywhere)


@lower_cast(types.Float, SimdBatch)
@lower_cast(types.Integer, SimdBatch)
def _cast(context: Any, builder: Any, kind: Any, wanted: Any, x: Any) -> Any:
    return splat(builder, context.cast(builder, x, kind, types.float64))


def _concerns(args: tuple[Any, ...]) -> bool:
    """Test if the arguments are SIMD batches and numbers, with at least one SIMD batch."""
    return any(isinstance(x, SimdBatch) for x in args) and all(
        isinstance(x, SimdBatch | types.Float | types.Integer) for x in args
    )


def _define(function: Any, arity: int, returns: Any, instruction: Any) -> None:
    """Implement an operator for SIMD batches and numbers by one instruction.

    Fast-math flags are those of the calling function, as for numbers.
    """

    class Template(AbstractTemplate):  # type: ignore[misc]
        metadata: ClassVar[dict[str, str]] = {"target": "cpu"}
        """Gives this implementation priority over Numba's own, which would fail."""

        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) == arity and _concerns(args):
                return signature(returns, *[simd_batch] * arity)
            return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return instruction(builder, *args)

    infer_global(function)(Template)
    lower_builtin(function, *[SimdBatch] * arity)(generate)


def _all_equal(builder: Any, x: Any, y: Any) -> Any:
    equal = builder.fcmp_ordered("==", x, y)
    every = builder.bitcast(equal, ir.IntType(SIMD_WIDTH))
    return builder.icmp_unsigned("==", every, ir.Constant(ir.IntType(SIMD_WIDTH), -1))


def _absolute(builder: Any, x: Any) -> Any:
    words = ir.VectorType(ir.IntType(64), SIMD_WIDTH)
    without_sign = ir.Constant(words, [2**63 - 1] * SIMD_WIDTH)
    return builder.bitcast(builder.and_(builder.bitcast(x, words), without_sign), x.type)


def _sign(builder: Any, x: Any) -> Any:
    zero, one = ir.Constant(VECTOR, [0.0] * SIMD_WIDTH), ir.Constant(VECTOR, [1.0] * SIMD_WIDTH)
    above, below = (builder.fcmp_ordered(op, x, zero) for op in "><")
    return builder.fsub(builder.select(above, one, zero), builder.select(below, one, zero))


for _name, _instruction in {
    "add": ir.IRBuilder.fadd,
    "sub": ir.IRBuilder.fsub,
    "mul": ir.IRBuilder.fmul,
    "truediv": ir.IRBuilder.fdiv,
}.items():
    _define(getattr(operator, _name), 2, simd_batch, _instruction)
    _define(getattr(operator, "i" + _name), 2, simd_batch, _instruction)
_define(operator.neg, 1, simd_batch, ir.IRBuilder.fneg)
_define(abs, 1, simd_batch, _absolute)
_define(sign, 1, simd_batch, _sign)
_define(operator.eq, 2, types.boolean, _all_equal)
