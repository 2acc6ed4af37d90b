"""Cache lines, in numbers; results larger than the cache are written past it."""

from __future__ import annotations

__all__ = ["LINE", "MANY"]

LINE = 8
"""Numbers in a cache line."""
MANY = 1 << 18
"""Size of results, in numbers, above which they are written past the cache: two megabytes."""
