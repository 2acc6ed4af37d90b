"""Transposition of rows of a batch into SIMD batches, and back, within registers.

`SIMD_WIDTH` rows of `SIMD_WIDTH` numbers are a square. It is read row by row, transposed by
shuffles, and written column by column, with one memory access for each row instead of one for each
number. The remainder at the end of rows is read and written with masks.
"""

from typing import Any

from llvmlite import ir

from spatial_v2.engine.compile.decorators import inline, part
from spatial_v2.engine.compile.extend import cgutils, intrinsic, make_array, types
from spatial_v2.engine.compile.memory import data_address
from spatial_v2.engine.compile.simd_width import SIMD_WIDTH
from spatial_v2.engine.numbers.cache_lines import LINE, MANY
from spatial_v2.engine.numbers.prefetch import emit_prefetch
from spatial_v2.engine.numbers.simd_batch import BITS, VECTOR, splat

_WORD, _INDEX = ir.IntType(64), ir.IntType(32)
_MASK = ir.VectorType(ir.IntType(1), SIMD_WIDTH)
_AHEAD = 32
"""Prefetch distance, in numbers."""


def _transpose(builder: Any, rows: list[Any]) -> list[Any]:
    """Transpose a square of SIMD values by exchanging blocks of half the size, recursively."""
    rows, half = list(rows), SIMD_WIDTH // 2
    while half:
        for i in range(SIMD_WIDTH):
            if i & half:
                continue
            x, y = rows[i], rows[i + half]
            upper = [j if not j & half else SIMD_WIDTH + j - half for j in range(SIMD_WIDTH)]
            lower = [j + half if not j & half else SIMD_WIDTH + j for j in range(SIMD_WIDTH)]
            for k, order in ((i, upper), (i + half, lower)):
                order = ir.Constant(ir.VectorType(_INDEX, SIMD_WIDTH), order)
                rows[k] = builder.shuffle_vector(x, y, order)
        half //= 2
    return rows


def _word(n: int) -> Any:
    return ir.Constant(_WORD, n)


def _address(builder: Any, array: Any, row: Any, column: Any) -> Any:
    """Return the address of the number or SIMD batch at (row, column) of an array (B, m)."""
    m = cgutils.unpack_tuple(builder, array.shape)[1]
    return builder.gep(array.data, [builder.add(builder.mul(row, m), column)])


def _first(builder: Any, n: Any) -> Any:
    """Return a mask of the first n entries."""
    return builder.icmp_signed("<", ir.Constant(BITS, list(range(SIMD_WIDTH))), splat(builder, n))


def _read(builder: Any, data: Any, mask: Any) -> Any:
    """Load adjacent numbers; with a mask, only the numbers that it marks."""
    data = builder.bitcast(data, VECTOR.as_pointer())
    if mask is None:
        return builder.load(data, align=8)
    kind = ir.FunctionType(VECTOR, [data.type, _INDEX, _MASK, VECTOR])
    name = f"llvm.masked.load.v{SIMD_WIDTH}f64.p0"
    read = cgutils.get_or_insert_function(builder.module, kind, name)
    zero = ir.Constant(VECTOR, [0.0] * SIMD_WIDTH)
    return builder.call(read, [data, ir.Constant(_INDEX, 8), mask, zero])


def _write(builder: Any, x: Any, data: Any, mask: Any, past: bool) -> None:
    """Store adjacent numbers x; with a mask, only the numbers that it marks.

    If `past` is True, all are stored with an aligned non-temporal store.
    """
    data = builder.bitcast(data, VECTOR.as_pointer())
    if past:
        one = builder.module.add_metadata([ir.Constant(_INDEX, 1)])
        builder.store(x, data, align=8 * SIMD_WIDTH).set_metadata("nontemporal", one)
        return
    if mask is None:
        builder.store(x, data, align=8)
        return
    kind = ir.FunctionType(ir.VoidType(), [VECTOR, data.type, _INDEX, _MASK])
    name = f"llvm.masked.store.v{SIMD_WIDTH}f64.p0"
    write = cgutils.get_or_insert_function(builder.module, kind, name)
    builder.call(write, [x, data, ir.Constant(_INDEX, 8), mask])


def _square_in(whole: bool) -> Any:
    """Return an intrinsic that reads a square, `whole` or of n < SIMD_WIDTH columns."""

    @intrinsic
    def square(typing: Any, x: Any, b: Any, c: Any, n: Any, X: Any, p: Any) -> Any:
        """Copy rows x[b:] at c : c + n to X[p, c : c + n]; the last row replaces missing ones."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = make_array(x)(context, builder, args[0])
            target = make_array(X)(context, builder, args[4])
            b, c, n, p = args[1], args[2], args[3], args[5]
            last = builder.sub(cgutils.unpack_tuple(builder, source.shape)[0], _word(1))
            mask, rows = None if whole else _first(builder, n), []
            for lane in range(SIMD_WIDTH):
                row = builder.add(b, _word(lane))
                row = builder.select(builder.icmp_signed("<", row, last), row, last)
                rows.append(_read(builder, _address(builder, source, row, c), mask))
            for k, column in enumerate(_transpose(builder, rows)):
                place = _address(builder, target, p, builder.add(c, _word(k)))
                if whole:
                    builder.store(column, place)
                    continue
                with builder.if_then(builder.icmp_signed(">", n, _word(k))):
                    builder.store(column, place)

        i = types.intp
        return types.void(x, i, i, i, X, i), generate

    return square


def _square_out(whole: bool, past: bool = False) -> Any:
    """Return an intrinsic that writes a square, `whole` or of n < SIMD_WIDTH columns.

    If `past` is True, the square is whole and is written with non-temporal stores.
    """

    @intrinsic
    def square(typing: Any, X: Any, p: Any, C: Any, n: Any, x: Any, b: Any, c: Any) -> Any:
        """Copy X[p, C : C + n] to those rows of x[b : b + SIMD_WIDTH, c : c + n] that exist."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            source = make_array(X)(context, builder, args[0])
            target = make_array(x)(context, builder, args[4])
            p, C, n, b, c = args[1], args[2], args[3], args[5], args[6]
            end = cgutils.unpack_tuple(builder, target.shape)[0]
            mask, columns = None if whole else _first(builder, n), []
            for k in range(SIMD_WIDTH):
                place = builder.add(C, _word(k))
                if not whole:
                    place = builder.select(builder.icmp_signed(">", n, _word(k)), place, C)
                columns.append(builder.load(_address(builder, source, p, place)))
            for lane, row in enumerate(_transpose(builder, columns)):
                state = builder.add(b, _word(lane))
                with builder.if_then(builder.icmp_signed("<", state, end), likely=True):
                    place = _address(builder, target, state, c)
                    _write(builder, row, place, mask, past)
                    if whole and not past:
                        emit_prefetch(builder, builder.gep(place, [_word(_AHEAD)]), True)

        i = types.intp
        return types.void(X, i, i, i, x, i, i), generate

    return square


_whole_in, _tail_in = _square_in(True), _square_in(False)
whole_out, tail_out, whole_past = _square_out(True), _square_out(False), _square_out(True, True)


@inline
def in_lines(x: Any) -> bool:
    """Test if x (B, m) is large and its rows begin at cache lines, as non-temporal stores need."""
    B, m = x.shape
    return bool(
        B > SIMD_WIDTH and B * m >= MANY and m % LINE == 0 and data_address(x) % (8 * LINE) == 0
    )


@part
def turn_in(x: Any, first: int, X: Any) -> None:
    """Write the rows of x (B, m) from `first` on to X (P, m), whose entries are SIMD batches.

    Each row of x is a state; the last one is repeated to fill X.
    """
    m = x.shape[1]
    for p in range(X.shape[0]):
        b = first + p * SIMD_WIDTH
        for c in range(0, m - SIMD_WIDTH + 1, SIMD_WIDTH):
            _whole_in(x, b, c, SIMD_WIDTH, X, p)
        if m % SIMD_WIDTH:
            _tail_in(x, b, m - m % SIMD_WIDTH, m % SIMD_WIDTH, X, p)


@part
def turn_out(X: Any, x: Any, first: int) -> None:
    """Write X (P, m), whose entries are SIMD batches, to the rows of x (B, m) from `first` on.

    Each row of x is a state; surplus states of the last batch are left out.
    """
    m, past = x.shape[1], in_lines(x)
    for p in range(X.shape[0]):
        b = first + p * SIMD_WIDTH
        if past:
            for c in range(0, m, SIMD_WIDTH):
                whole_past(X, p, c, SIMD_WIDTH, x, b, c)
            continue
        for c in range(0, m - SIMD_WIDTH + 1, SIMD_WIDTH):
            whole_out(X, p, c, SIMD_WIDTH, x, b, c)
        if m % SIMD_WIDTH:
            tail_out(X, p, m - m % SIMD_WIDTH, m % SIMD_WIDTH, x, b, m - m % SIMD_WIDTH)
