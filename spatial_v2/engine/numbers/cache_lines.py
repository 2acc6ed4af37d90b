"""Lines of the cache, in numbers; what is larger than it is written past it."""

from __future__ import annotations

__all__ = ["LINE", "MANY"]

LINE = 8
"""Numbers in a line of the cache."""
MANY = 1 << 18
"""Numbers in a result from which on it is written past the cache: two megabytes."""
