"""Slices of a batch in several threads."""

import functools
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from spatial_v2.engine.kernel import WIDEST

T = TypeVar("T")


_taken = threading.Lock()
"""Lock of the pool of threads, which one call uses at a time."""


def share(workers: int, states: int, task: Callable[[slice], T]) -> list[T]:
    """Call task(slice) for slices of range(states): at most one per worker, SIMD batches undivided.

    One call at a time uses the threads. Other calls do not wait but compute in their own thread; a
    call from a signal handler or the garbage collector could otherwise wait for itself. So do calls
    when threads are not available, as at the exit of the interpreter.
    """
    size = -(-states // workers)
    size = -(-size // WIDEST) * WIDEST
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
        """Start no more threads."""
    finally:
        wait(begun)
        taken.release()
    rest = [task(part) for part in parts[len(begun) :]]
    return [future.result() for future in begun] + rest


@functools.cache
def _pool(workers: int) -> ThreadPoolExecutor:
    return ThreadPoolExecutor(workers, "spatial_v2")


def _in_child() -> None:
    """Reset the pool in a forked process, which has no threads of its parent."""
    global _taken
    _taken = threading.Lock()
    _pool.cache_clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
