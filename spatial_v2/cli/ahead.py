"""Half of a compilation in another process, while this one does the other half."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from spatial_v2.cli.warmup import Task, processors
from spatial_v2.engine.notice import NOTICE

__all__ = ["ahead"]


@contextmanager
def ahead(task: Task, wanted: bool) -> Iterator[Callable[[], None]]:
    """Do a task in another process, in a block, as soon as this one has to compile something.

    Parameters
    ----------
    task : Task
        What this process will need later; it finds it on disk then.
    wanted : bool
        Whether it will.

    Yields
    ------
    callable
        Waits until the task is done, if it is under way. Where it fails, this process finds nothing
        and compiles itself.
    """
    helpers: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if wanted and not helpers and processors() > 1:
            code = f"from spatial_v2.cli.warmup import Task; Task{tuple(task)!r}.run()"
            quiet = subprocess.DEVNULL
            command = [sys.executable, "-c", code]
            helpers.append(subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet))

    def wait() -> None:
        for helper in helpers:
            helper.wait()

    NOTICE.started = start
    try:
        yield wait
    finally:
        NOTICE.started = None
        for helper in helpers:
            helper.kill()
        wait()
