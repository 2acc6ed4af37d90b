"""A batch cut into slices, each computed by a thread of its own."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from spatial_v2.engine.lanes.width import LANES

__all__ = ["share"]


def share(workers: int, states: int, task: Callable[[slice], None]) -> None:
    """Call task(slice) for slices of range(states), at most one for each worker, of whole packs."""
    size = -(-states // workers)
    size = -(-size // LANES) * LANES
    if states <= size:
        task(slice(0, states))
        return
    list(
        _pool(workers).map(task, [slice(b, min(b + size, states)) for b in range(0, states, size)])
    )


@functools.cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "spatial_v2")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)
