"""Half of a compilation in another process, while this one does the other half."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from spatial_v2.cli.warmup import Task, processors
from spatial_v2.engine.compile.notice import NOTICE

__all__ = ["ahead", "helper"]


@contextmanager
def ahead(task: Task, wanted: bool) -> Iterator[Callable[[], None]]:
    """Do a task in another process, in a block, as soon as this one has to compile something.

    Parameters
    ----------
    task : Task
        Task of this process, whose kernels the second process compiles and caches.
    wanted : bool
        False if this process needs no kernels.

    Yields
    ------
    callable
        Waits until the task is done, if it is under way. Where it fails, this process finds nothing
        and compiles itself.
    """
    helpers: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if wanted and not helpers and processors() > 1:
            code = f"from spatial_v2.cli.ahead import helper; helper{tuple(task)!r}"
            quiet = subprocess.DEVNULL
            command = [sys.executable, "-P", "-c", code]
            held, env = subprocess.PIPE, os.environ | {"PYTHONPATH": _this_library()}
            helpers.append(
                subprocess.Popen(command, stdin=held, stdout=quiet, stderr=quiet, env=env)
            )

    def wait() -> None:
        for process in helpers:
            process.wait()

    NOTICE.started = start
    try:
        yield wait
    finally:
        NOTICE.started = None
        for process in helpers:
            process.kill()
        wait()
        for process in helpers:
            assert process.stdin
            process.stdin.close()


def _this_library() -> str:
    """The search path with the folder of this package first, not that of the current directory."""
    given = os.environ.get("PYTHONPATH")
    return os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), given]))


def helper(function: str, form: str) -> None:
    """Do a task in the process that `ahead` started; end with the one that started it.

    Standard input is a pipe that nothing is ever written to: it closes when the other process ends,
    however that is killed.

    Parameters
    ----------
    function, form : str
        The task.
    """

    def watch() -> None:
        os.read(0, 1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    Task(function, form).run()
