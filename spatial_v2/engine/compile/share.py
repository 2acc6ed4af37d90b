"""A batch cut into slices, each computed by a thread of its own."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from spatial_v2.engine.compile.simd_width import SIMD_WIDTH

__all__ = ["share"]

T = TypeVar("T")


_taken = threading.Lock()
"""Held by the call that has the threads."""


def share(workers: int, states: int, task: Callable[[slice], T]) -> list[T]:
    """Call task(slice) for slices of range(states), at most one a worker, SIMD batches whole.

    One call at a time has the threads. Others do not wait for them but do their work themselves: a
    thread might wait for itself where a signal handler or the garbage collector calls. So does who
    can have none, as at the end of the interpreter.
    """
    size = -(-states // workers)
    size = -(-size // SIMD_WIDTH) * SIMD_WIDTH
    if states <= size:
        return [task(slice(0, states))]
    parts = [slice(b, min(b + size, states)) for b in range(0, states, size)]
    taken, begun = _taken, list[Future[T]]()
    if not taken.acquire(blocking=False):
        return [task(part) for part in parts]
    try:
        for part in parts:
            begun.append(_pool(workers).submit(task, part))
    except RuntimeError:
        """No thread begins any more."""
    finally:
        wait(begun)
        taken.release()
    rest = [task(part) for part in parts[len(begun) :]]
    return [future.result() for future in begun] + rest


@functools.cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "spatial_v2")


def _in_child() -> None:
    """A process that was forked has none of its parent's threads."""
    global _taken
    _taken = threading.Lock()
    _pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
