"""Progress of a simulation: a bar after a second, or a function of the user."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from rich.progress import Progress

__all__ = ["Rate", "showing_progress"]

Rate = Callable[[float, np.ndarray], np.ndarray]

_QUIET = 1.0
"""Seconds before a bar appears."""
_PAUSE = 0.1
"""Seconds between two changes of the bar."""


@contextmanager
def showing_progress(
    rate: Rate, begin: float, end: float, progress: Callable[[float], None] | bool | None
) -> Iterator[Rate]:
    """Wrap the right-hand side of an equation, so that the completed fraction of the time is shown.

    `progress` is a function of the fraction, False for none, or None for a bar on standard error if
    that is a terminal, or below a notebook's cell.
    """
    if callable(progress):
        yield _telling(rate, begin, end, progress)
        progress(1.0)
        return
    bar = None if progress is False else _Bar()
    try:
        yield rate if bar is None else _telling(rate, begin, end, bar.show)
    finally:
        if bar is not None:
            bar.close()


def _telling(rate: Rate, begin: float, end: float, tell: Callable[[float], None]) -> Rate:
    reached = begin

    def watched(t: float, y: np.ndarray) -> np.ndarray:
        nonlocal reached
        if t > reached:
            reached = t
            tell(float((t - begin) / (end - begin)))
        return rate(t, y)

    return watched


class _Bar:
    """A progress bar on standard error that appears after a second."""

    def __init__(self) -> None:
        self.next = time.perf_counter() + _QUIET
        self.bar: Progress | None = None

    def show(self, fraction: float) -> None:
        if time.perf_counter() < self.next:
            return
        self.next = time.perf_counter() + _PAUSE
        if self.bar is None:
            self.bar = _started()
        self.bar.update(self.bar.task_ids[0], completed=fraction)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def _started() -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    errors = Console(stderr=True)
    shown = errors.is_terminal or errors.is_jupyter
    columns = TextColumn("simulate"), BarColumn(), TimeRemainingColumn()
    bar = Progress(*columns, console=errors, transient=True, disable=not shown)
    bar.add_task("simulate", total=1.0)
    bar.start()
    return bar
