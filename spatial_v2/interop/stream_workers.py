"""Distribution of chunks over the workers of a Dask cluster, whose number may change."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from typing import Any

from spatial_v2.exceptions import SpatialError

__all__ = ["Lost", "spread"]

PATIENCE = 5.0
"""Time without a finished chunk after which the number of workers is checked [s]."""
LIMIT = 60.0
"""Longest time that a job waits while the cluster has no workers [s]."""


class Lost(SpatialError):
    """Error: the cluster has stopped working. `stream` adds to the message how far the job has
    come.
    """


def spread(client: Any, task: Callable[[int], Any], chunks: range) -> Iterator[Any]:
    """Run a task for all chunks on workers, and iterate over results as they are finished.

    Two chunks per worker are submitted at a time. A warning names each worker that goes. Without
    workers there is a warning, and after a minute an error.

    Parameters
    ----------
    client : distributed.Client
        The client.
    task : callable
        Function of the number of a chunk.
    chunks : range
        Numbers of the chunks.

    Yields
    ------
    object
        The result for each chunk, in the order in which chunks are finished.

    Raises
    ------
    Lost
        If workers die repeatedly at a chunk, there are no workers, or the scheduler is gone.
    """
    from distributed import wait

    waiting, futures, idle = iter(chunks), set[Any](), 0.0
    try:
        with _reached(client):
            workers = client.nthreads()
            ahead = 2 * max(sum(workers.values()), 1)
            futures.update(client.submit(task, k, pure=False) for k in islice(waiting, ahead))
        while futures:
            start, done = time.monotonic(), set[Any]()
            with _reached(client), suppress(TimeoutError):
                done = wait(futures, timeout=PATIENCE, return_when="FIRST_COMPLETED").done
            workers = _remaining(client, workers)
            idle = 0.0 if done else _idle(client, idle, time.monotonic() - start)
            for future in done:
                futures.discard(future)
                yield _result(client, future)
            with _reached(client):
                more = islice(waiting, len(done))
                futures.update(client.submit(task, k, pure=False) for k in more)
    finally:
        if futures and client.status == "running":
            with suppress(Lost), _reached(client):  # the scheduler may disappear meanwhile
                client.cancel(list(futures))


@contextmanager
def _reached(client: Any) -> Iterator[None]:
    """Raise `Lost` if the scheduler cannot be reached."""
    from distributed import CancelledError
    from distributed.comm import CommClosedError

    address = client.scheduler.address
    try:
        yield
    except TimeoutError:
        raise
    except (CancelledError, CommClosedError, OSError) as error:
        raise Lost(f"the scheduler at {address} no longer answers") from error


def _result(client: Any, future: Any) -> Any:
    """Return the result of a task, or raise the error that the task raised."""
    from distributed.scheduler import KilledWorker

    if future.status != "error":
        with _reached(client):
            return future.result()
    error = future.exception()
    if isinstance(error, KilledWorker):
        raise Lost(f"worker processes were killed or have crashed: {error}") from error
    raise error


def _remaining(client: Any, before: dict[str, int]) -> dict[str, int]:
    """Return the present workers with their threads; warn of each that has gone."""
    with _reached(client):
        now: dict[str, int] = client.nthreads()
    for address in before.keys() - now.keys():
        warnings.warn(
            f"the worker {address} has gone, stopped or killed; others compute its chunks again",
            stacklevel=4,
        )
    return now


def _idle(client: Any, before: float, passed: float) -> float:
    """Return the time without workers so far; warn once, and raise `Lost` at the limit."""
    with _reached(client):
        if client.nthreads():
            return 0.0
    address, now = client.scheduler.address, before + passed
    if now >= LIMIT:
        raise Lost(f"no worker has come to the scheduler at {address} for {now:.0f} s")
    if not before:
        warnings.warn(
            f"the scheduler at {address} has no workers; waiting up to {LIMIT:.0f} s for one",
            stacklevel=4,
        )
    return now
