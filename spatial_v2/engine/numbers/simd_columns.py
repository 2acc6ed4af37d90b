"""SIMD batches of adjacent numbers in the rows of a matrix of one state.

Tensors of one state can be computed `SIMD_WIDTH` numbers at a time, too. A matrix whose rows are
padded to whole SIMD batches is read as a matrix of SIMD batches. Each row of SIMD batches computed
from it stands for `SIMD_WIDTH` rows of numbers.
"""

from typing import Any

from spatial_v2.engine.compile.extend import intrinsic, overload, types
from spatial_v2.engine.compile.memory import place
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.simd_arrays import as_batches
from spatial_v2.engine.numbers.simd_batch import VECTOR, simd_batch
from spatial_v2.engine.numbers.transpose import turn_out
from spatial_v2.engine.tree import Floats


def as_simd(x: Floats) -> Floats:
    """View the matrix x (n, m SIMD_WIDTH), with aligned rows, as (n, m) SIMD batches."""
    return x


def turn_rows(X: Floats, x: Floats) -> None:
    """Copy the entries of SIMD batches X (1, m) to numbers x (SIMD_WIDTH, m), transposed."""
    for c in range(x.shape[1]):
        x[0, c] = X[0, c]


def store_simd(X: float, x: Floats, k: int, column: int) -> None:
    """Store the entries of a SIMD batch X in x[k, at:], or X itself if x has SIMD batches."""
    x[k, column] = X


def take(x: Floats, i: int, k: int) -> float:
    """Load the numbers x[i, k], x[i, k + 1], ... as a SIMD batch, from any address."""
    return x[i, k]  # type: ignore[no-any-return]


def _place(context: Any, builder: Any, kind: Any, x: Any, i: Any, k: Any) -> Any:
    return builder.bitcast(place(context, builder, kind, x, i, k), VECTOR.as_pointer())


@intrinsic
def _take_pack(typing: Any, x: Any, i: Any, k: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.load(_place(context, builder, x, *args), align=8)

    return simd_batch(x, types.intp, types.intp), generate


@overload(take, jit_options={"forceinline": True})
def _take(x: Any, i: Any, k: Any) -> Any:
    return (lambda x, i, k: _take_pack(x, i, k)) if SIMD_WIDTH > 1 else take


@overload(as_simd, jit_options={"forceinline": True})
def _as_simd(x: Any) -> Any:
    several = SIMD_WIDTH > 1 and x.dtype is not simd_batch
    return (lambda x: as_batches(x)) if several else as_simd


@overload(turn_rows)
def _turn_rows(X: Any, x: Any) -> Any:
    return (lambda X, x: turn_out(X, x, 0)) if SIMD_WIDTH > 1 else turn_rows


@intrinsic
def _store_batch(typing: Any, X: Any, x: Any, k: Any, column: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        X, *where = args
        builder.store(X, _place(context, builder, x, *where), align=8)

    return types.void(simd_batch, x, types.intp, types.intp), generate


@overload(store_simd, jit_options={"forceinline": True})
def _store_simd(X: Any, x: Any, k: Any, column: Any) -> Any:
    several = X is simd_batch and x.dtype is not simd_batch
    return (lambda X, x, k, column: _store_batch(X, x, k, column)) if several else store_simd
