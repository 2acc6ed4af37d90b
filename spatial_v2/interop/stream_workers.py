"""Chunks of a stream by the workers of a Dask cluster, which may come and go."""

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
"""How long nothing happens before somebody looks whether there are workers [s]."""
LIMIT = 60.0
"""How long a job waits where there are none [s]."""


class Lost(SpatialError):
    """A cluster that does not go on; the message says why, in words that a sentence begins with."""


def spread(client: Any, task: Callable[[int], Any], chunks: range) -> Iterator[Any]:
    """What a task makes of the chunks, as the workers of a client finish them.

    A few chunks are under way for each worker. Where there are none, a warning says so, and
    after a minute it is an error.

    Parameters
    ----------
    client : distributed.Client
        The client.
    task : callable
        What is computed of the number of a chunk.
    chunks : range
        Their numbers.

    Yields
    ------
    object
        One for each chunk, in the order in which they are done.

    Raises
    ------
    Lost
        Workers that die at a chunk again and again; none there; a scheduler that has gone.
    """
    from distributed import wait

    waiting, futures, idle = iter(chunks), set[Any](), 0.0
    try:
        with _reached(client):
            ahead = 2 * max(sum(client.nthreads().values()), 1)
            futures.update(client.submit(task, k, pure=False) for k in islice(waiting, ahead))
        while futures:
            start, done = time.monotonic(), set[Any]()
            with _reached(client), suppress(TimeoutError):
                done = wait(futures, timeout=PATIENCE, return_when="FIRST_COMPLETED").done
            idle = 0.0 if done else _idle(client, idle, time.monotonic() - start)
            for future in done:
                futures.discard(future)
                yield _result(client, future)
            with _reached(client):
                more = islice(waiting, len(done))
                futures.update(client.submit(task, k, pure=False) for k in more)
    finally:
        if futures and client.status == "running":
            with suppress(Lost), _reached(client):  # it may go while it is told
                client.cancel(list(futures))


@contextmanager
def _reached(client: Any) -> Iterator[None]:
    """Say of a scheduler that cannot be reached that it has gone."""
    from distributed import CancelledError
    from distributed.comm import CommClosedError

    address = client.scheduler.address
    try:
        yield
    except TimeoutError:
        raise
    except (CancelledError, CommClosedError, OSError) as error:
        raise Lost(f"the scheduler at {address} has gone") from error


def _result(client: Any, future: Any) -> Any:
    """What a task has made, or the error that it has raised."""
    from distributed.scheduler import KilledWorker

    if future.status != "error":
        with _reached(client):
            return future.result()
    error = future.exception()
    if isinstance(error, KilledWorker):
        raise Lost(f"worker processes die: {error}") from error
    raise error


def _idle(client: Any, before: float, passed: float) -> float:
    """How long there have been no workers, of which there are words and a limit."""
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
