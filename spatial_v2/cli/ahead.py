"""Compilation in a second process, in parallel with this one."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from spatial_v2.calls.second_process import end_with_first_process, start_second_process
from spatial_v2.cli.warmup import Task, processors
from spatial_v2.engine.compile.notice import NOTICE

__all__ = ["ahead", "helper"]


@contextmanager
def ahead(task: Task, wanted: bool) -> Iterator[Callable[[], None]]:
    """Start a task in a second process as soon as this process has to compile a kernel.

    Parameters
    ----------
    task : Task
        Task that this process will need; the second process compiles and caches its kernels.
    wanted : bool
        False if this process needs no kernels.

    Yields
    ------
    callable
        Function that waits until the task is finished, if it was started. If the task fails, this
        process compiles the kernels itself.
    """
    helpers: list[subprocess.Popen[bytes]] = []

    def start() -> None:
        if wanted and not helpers and processors() > 1:
            code = f"from spatial_v2.cli.ahead import helper; helper{tuple(task)!r}"
            helpers.append(start_second_process(code))

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


def helper(function: str, form: str) -> None:
    """Carry out a task in the process that `ahead` started; end when the first process ends.

    Parameters
    ----------
    function, form : str
        Name of the function and the form of the call, the fields of a `Task`.
    """
    end_with_first_process()
    Task(function, form).run()
