"""Functions of numbers and of SIMD batches, without branches."""

import math
from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.compile.extend import cgutils, intrinsic, overload, types


@inline
def larger(x: float, y: float) -> float:
    """Return the larger number."""
    return 0.5 * (x + y + abs(x - y))


def root(x: float) -> float:
    """Return the square root of x."""
    return math.sqrt(x)


@intrinsic
def _root_of_batch(typing: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        kind = args[0].type
        name, form = f"llvm.sqrt.v{kind.count}f64", ir.FunctionType(kind, [kind])
        return builder.call(cgutils.get_or_insert_function(builder.module, form, name), args)

    return x(x), generate


@overload(root, jit_options={"forceinline": True})
def _root_of_kind(x: Any) -> Any:
    return root if isinstance(x, types.Float) else lambda x: _root_of_batch(x)
