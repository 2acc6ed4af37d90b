"""Workspace arenas: memory that kernels for single states reuse in place of new allocations.

An arena is an array of integers: the address of its memory, the numbers of bytes used and
available, then the memory itself. Arrays that do not fit are allocated elsewhere, but counted as
used, so that the next arena can be made large enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.engine.compile.extend import cgutils, intrinsic, types
from spatial_v2.engine.tree import Ints

__all__ = ["ALIGN", "new_arena", "reset", "taken"]

ALIGN = 64
"""Bytes of a cache line, and of the longest SIMD value."""
_MEMORY, _TAKEN, _SIZE, _HEAD = range(4)


def new_arena(last: Ints | None = None) -> Ints:
    """Return an arena as large as the demand on the previous one, `last`, or an empty one."""
    size = 0 if last is None else int(last[_TAKEN])
    arena = np.zeros(_HEAD + (size + ALIGN) // 8, dtype=np.int64)
    arena[_MEMORY] = -(-arena[_HEAD:].ctypes.data // ALIGN) * ALIGN
    arena[_SIZE] = size
    return arena


@intrinsic
def reset(typing: Any, arena: Any) -> Any:
    """Mark all memory of the arena at this address as unused; the address 0 stands for no arena."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = args[0].type(0)
        with builder.if_then(builder.icmp_signed("!=", args[0], zero)):
            head = builder.inttoptr(args[0], cgutils.intp_t.as_pointer())
            builder.store(zero, cgutils.gep_inbounds(builder, head, _TAKEN))
        return context.get_dummy_value()

    return types.void(types.int64), generate


def taken(builder: Any, arena: Any, size: Any) -> tuple[Any, Any]:
    """Emit code that reserves a number of bytes in an arena.

    Returns
    -------
    fits : LLVM value
        True if so many bytes are available.
    at : LLVM value
        Address of the reserved bytes.
    """
    head = builder.bitcast(arena, cgutils.intp_t.as_pointer())
    memory, before, limit = (
        builder.load(cgutils.gep_inbounds(builder, head, k)) for k in (_MEMORY, _TAKEN, _SIZE)
    )
    whole = builder.and_(builder.add(size, size.type(ALIGN - 1)), size.type(-ALIGN))
    after = builder.add(before, whole)
    builder.store(after, cgutils.gep_inbounds(builder, head, _TAKEN))
    return builder.icmp_signed("<=", after, limit), builder.add(memory, before)
