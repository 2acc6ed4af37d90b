"""Blocks of columns of a matrix on which a kernel performs the same operations.

In a matrix of numbers a *block* is `SIMD_WIDTH` adjacent columns, of which one SIMD value holds a
row. In a matrix of SIMD batches, which already fill the registers, each column is a block. So a
kernel that iterates over blocks uses the SIMD registers for single states as well. A block has
`simd_columns` columns, and `as_simd` views a matrix as one of blocks. If only some columns of a
block are to be changed, a bit mask marks them.
"""

from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import inline
from spatial_v2.engine.compile.extend import intrinsic, overload, types
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.simd_batch import SimdBatch, simd_batch
from spatial_v2.engine.numbers.vectors import Six
from spatial_v2.engine.tree import Floats


def choose(bits: int, x: float, y: float) -> float:
    """Select x in the columns of a block whose bits are set, y in the others."""
    return x if bits & 1 else y


def work(out: Floats, room: Floats) -> Floats:
    """Return memory for the matrix `out` in whole blocks: `out` itself if possible, or `room`."""
    return out


def hand_out(room: Floats, out: Floats) -> None:
    """Copy results from the memory that `work` returned into `out`, if that is another array."""


@inline
def span(v0: int, v1: int, c: int, m: int) -> int:
    """Return the bit mask of the columns v0:v1 in block c of m columns.

    If a block is one column, all bits are equal.
    """
    if m == 1:
        return -1 if v0 <= c < v1 else 0
    first, end = min(max(v0 - c * m, 0), m), min(max(v1 - c * m, 0), m)
    return (1 << end) - (1 << first)


@inline
def choose_six(bits: int, x: Six, y: Six) -> Six:
    """Apply `choose` to each of six rows."""
    return (
        choose(bits, x[0], y[0]), choose(bits, x[1], y[1]), choose(bits, x[2], y[2]),
        choose(bits, x[3], y[3]), choose(bits, x[4], y[4]), choose(bits, x[5], y[5]),
    )  # fmt: skip


@inline
def store_block_column(x: Six, t: int, m: int, out: Floats) -> None:
    """Set column t of a matrix with six rows to x; `out` has its blocks of m columns."""
    block, column = out[t // m], t % m
    block[column], block[column + m], block[column + 2 * m] = x[0], x[1], x[2]
    block[column + 3 * m], block[column + 4 * m], block[column + 5 * m] = x[3], x[4], x[5]


def _side_by_side(x: Any) -> bool:
    return SIMD_WIDTH > 1 and isinstance(x.dtype, types.Float)


@overload(work, jit_options={"forceinline": True})
def _work(out: Any, room: Any) -> Any:
    return (lambda out, room: room) if _side_by_side(out) else work


@overload(hand_out, jit_options={"forceinline": True})
def _hand_out(room: Any, out: Any) -> Any:
    def copy(room: Any, out: Any) -> None:
        for r in range(out.shape[0]):
            for c in range(out.shape[1]):
                out[r, c] = room[r, c]

    return copy if _side_by_side(out) else hand_out


@intrinsic
def _choose_entries(typing: Any, bits: Any, x: Any, y: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        bits = builder.trunc(args[0], ir.IntType(SIMD_WIDTH))
        mask = builder.bitcast(bits, ir.VectorType(ir.IntType(1), SIMD_WIDTH))
        return builder.select(mask, args[1], args[2])

    return simd_batch(types.int64, simd_batch, simd_batch), generate


@overload(choose, jit_options={"forceinline": True})
def _choose(bits: Any, x: Any, y: Any) -> Any:
    return (lambda bits, x, y: _choose_entries(bits, x, y)) if isinstance(x, SimdBatch) else choose
