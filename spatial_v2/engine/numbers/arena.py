"""Memory that kernels take for single states, over and over, in place of new memory.

An arena is an array of integers: where its memory is, how many bytes of it are taken, how many
there are; then that memory. What does not fit is allocated, and counted, so that the next arena can
be large enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.engine.compile.extend import cgutils, intrinsic, types
from spatial_v2.engine.tree import Ints

__all__ = ["ALIGN", "new_arena", "reset", "taken"]

ALIGN = 64
"""Bytes of a line of the cache, and of the longest SIMD value."""
_MEMORY, _TAKEN, _SIZE, _HEAD = range(4)


def new_arena(last: Ints | None = None) -> Ints:
    """An arena with as much memory as was wanted of the last one, or none."""
    size = 0 if last is None else int(last[_TAKEN])
    arena = np.zeros(_HEAD + (size + ALIGN) // 8, dtype=np.int64)
    arena[_MEMORY] = -(-arena[_HEAD:].ctypes.data // ALIGN) * ALIGN
    arena[_SIZE] = size
    return arena


@intrinsic
def reset(typing: Any, arena: Any) -> Any:
    """Let nothing of the arena at this address be taken, if there is one."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        zero = args[0].type(0)
        with builder.if_then(builder.icmp_signed("!=", args[0], zero)):
            head = builder.inttoptr(args[0], cgutils.intp_t.as_pointer())
            builder.store(zero, cgutils.gep_inbounds(builder, head, _TAKEN))
        return context.get_dummy_value()

    return types.void(types.int64), generate


def taken(builder: Any, arena: Any, size: Any) -> tuple[Any, Any]:
    """Take so many bytes from an arena, in a function under construction.

    Returns
    -------
    fits : LLVM value
        Whether they are there.
    at : LLVM value
        Their address.
    """
    head = builder.bitcast(arena, cgutils.intp_t.as_pointer())
    memory, before, limit = (
        builder.load(cgutils.gep_inbounds(builder, head, k)) for k in (_MEMORY, _TAKEN, _SIZE)
    )
    whole = builder.and_(builder.add(size, size.type(ALIGN - 1)), size.type(-ALIGN))
    after = builder.add(before, whole)
    builder.store(after, cgutils.gep_inbounds(builder, head, _TAKEN))
    return builder.icmp_signed("<=", after, limit), builder.add(memory, before)
