"""The type of a pack: `LANES` doubles in one SIMD value, with the arithmetic of numbers.

A number beside a pack stands for a pack of that number in every lane. Comparisons answer for all
lanes at once, since a page goes one way for all of its states: `==` is true if it is in every lane.
"""

from __future__ import annotations

import operator
from typing import Any, ClassVar

from llvmlite import ir

from spatial_v2.engine.extend import (
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
from spatial_v2.engine.lanes.width import LANES

__all__ = ["BITS", "VECTOR", "Pack", "pack", "splat"]

VECTOR = ir.VectorType(ir.DoubleType(), LANES)
BITS = ir.VectorType(ir.IntType(64), LANES)
_INDEX = ir.IntType(32)


class Pack(types.Type):  # type: ignore[misc]
    """Numba's type of packs."""

    def __init__(self) -> None:
        super().__init__(f"pack{LANES}")

    def can_convert_from(self, context: Any, other: Any) -> Any:
        """A number becomes a pack wherever a variable may hold either."""
        return Conversion.safe if isinstance(other, types.Float | types.Integer) else None


pack = Pack()


@register_model(Pack)
class _PackModel(PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, VECTOR)


def splat(builder: Any, x: Any) -> Any:
    """The number x in every lane."""
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), x, ir.Constant(_INDEX, 0))
    everywhere = ir.Constant(ir.VectorType(_INDEX, LANES), [0] * LANES)
    return builder.shuffle_vector(one, ir.Constant(VECTOR, ir.Undefined), everywhere)


@lower_cast(types.Float, Pack)
@lower_cast(types.Integer, Pack)
def _cast(context: Any, builder: Any, given: Any, wanted: Any, x: Any) -> Any:
    return splat(builder, context.cast(builder, x, given, types.float64))


def _concerns(args: tuple[Any, ...]) -> bool:
    """Whether the arguments are packs and numbers, with at least one pack."""
    return any(isinstance(x, Pack) for x in args) and all(
        isinstance(x, Pack | types.Float | types.Integer) for x in args
    )


def _define(function: Any, arity: int, returns: Any, instruction: Any) -> None:
    """Let an operator take packs, or numbers and packs, and generate an instruction of LLVM.

    Fast-math flags are those of the function that it stands in, as for numbers.
    """

    class Template(AbstractTemplate):  # type: ignore[misc]
        metadata: ClassVar[dict[str, str]] = {"target": "cpu"}
        """Which puts it before numba's own, that would be tried and fail."""

        def generic(self, args: tuple[Any, ...], kws: Any) -> Any:
            if len(args) == arity and _concerns(args):
                return signature(returns, *[pack] * arity)
            return None

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return instruction(builder, *args)

    infer_global(function)(Template)
    lower_builtin(function, *[Pack] * arity)(generate)


def _all_equal(builder: Any, x: Any, y: Any) -> Any:
    equal = builder.fcmp_ordered("==", x, y)
    every = builder.bitcast(equal, ir.IntType(LANES))
    return builder.icmp_unsigned("==", every, ir.Constant(ir.IntType(LANES), -1))


def _absolute(builder: Any, x: Any) -> Any:
    words = ir.VectorType(ir.IntType(64), LANES)
    without_sign = ir.Constant(words, [2**63 - 1] * LANES)
    return builder.bitcast(builder.and_(builder.bitcast(x, words), without_sign), x.type)


for _name, _instruction in {
    "add": ir.IRBuilder.fadd,
    "sub": ir.IRBuilder.fsub,
    "mul": ir.IRBuilder.fmul,
    "truediv": ir.IRBuilder.fdiv,
}.items():
    _define(getattr(operator, _name), 2, pack, _instruction)
    _define(getattr(operator, "i" + _name), 2, pack, _instruction)
_define(operator.neg, 1, pack, ir.IRBuilder.fneg)
_define(abs, 1, pack, _absolute)
_define(operator.eq, 2, types.boolean, _all_equal)
