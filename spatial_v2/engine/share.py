"""A batch cut into slices, each computed by a thread of its own."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from spatial_v2.engine.lanes.width import LANES

__all__ = ["share"]

T = TypeVar("T")


def share(workers: int, states: int, task: Callable[[slice], T]) -> list[T]:
    """Call task(slice) for slices of range(states), at most one for each worker, of whole packs."""
    size = -(-states // workers)
    size = -(-size // LANES) * LANES
    if states <= size:
        return [task(slice(0, states))]
    parts = [slice(b, min(b + size, states)) for b in range(0, states, size)]
    return list(_pool(workers).map(task, parts))


@functools.cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "spatial_v2")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)
