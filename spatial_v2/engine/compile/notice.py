"""Notice on standard error during a compilation."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

DELAY, LONG_DELAY = 2.0, 10.0
"""Duration of a compilation before the notice is shown in a terminal, and elsewhere [s]."""
_TEXT = "Compiling kernels of spatial_v2, once (see spatial-v2 warmup) ..."


class Notice:
    """Notice on standard error that kernels are compiled: in a terminal as long as that lasts,
    elsewhere, as in a log or a notebook, a line.

    Compilations are nested; only the outermost shows a notice.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0
        self._timer: threading.Timer | None = None
        self._shown: Any = None
        self.silent = 0
        self.started: Callable[[], None] | None = None
        """Function that is called when the outermost compilation begins, or None."""

    def begin(self) -> None:
        """Begin a compilation."""
        with self._lock:
            self._depth += 1
            if self._depth == 1 and self.started:
                self.started()
            if self._depth > 1 or self.silent:
                return
            show, delay = (self._show, DELAY) if _is_terminal() else (_say, LONG_DELAY)
            self._timer = threading.Timer(delay, show)
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        """End a compilation."""
        with self._lock:
            self._depth -= 1
            if self._depth or self._timer is None:
                return
            self._timer.cancel()
            shown, self._timer, self._shown = self._shown, None, None
        if shown:
            shown.stop()

    def _show(self) -> None:
        from rich.console import Console

        status = Console(stderr=True).status(_TEXT)
        with self._lock:
            if self._timer is not threading.current_thread():
                return
            self._shown = status
            status.start()


NOTICE = Notice()


@contextmanager
def silent() -> Iterator[None]:
    """Suppress the notice within a block that shows its own progress."""
    NOTICE.silent += 1
    try:
        yield
    finally:
        NOTICE.silent -= 1


def _say() -> None:
    print(_TEXT, file=sys.stderr, flush=True)


def _is_terminal() -> bool:
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):
        return False
