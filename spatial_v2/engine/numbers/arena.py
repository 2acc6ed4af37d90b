"""Workspace arenas: memory that kernels for single states reuse in place of new allocations.

An arena is an array of integers: the address of its memory, the numbers of bytes used and
available, then the memory itself. Arrays that do not fit are allocated elsewhere, but counted as
used, so that the next arena can be made large enough.
"""

from typing import Any

from spatial_v2.engine.compile.extend import cgutils

ALIGN = 64
"""Bytes of a cache line, and of the longest SIMD value."""
_MEMORY, _TAKEN, _SIZE = range(3)


def taken(builder: Any, arena: Any, size: Any) -> tuple[Any, Any]:
    """Emit code that reserves bytes in an arena: if they are available, and their address."""
    head = builder.bitcast(arena, cgutils.intp_t.as_pointer())
    memory, before, limit = (
        builder.load(cgutils.gep_inbounds(builder, head, k)) for k in (_MEMORY, _TAKEN, _SIZE)
    )
    whole = builder.and_(builder.add(size, size.type(ALIGN - 1)), size.type(-ALIGN))
    after = builder.add(before, whole)
    builder.store(after, cgutils.gep_inbounds(builder, head, _TAKEN))
    return builder.icmp_signed("<=", after, limit), builder.add(memory, before)
