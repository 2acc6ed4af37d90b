"""Reports of errors: one line for bad input, a signal or closed output, otherwise a traceback."""

from __future__ import annotations

import _thread
import codecs
import os
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from spatial_v2.exceptions import SpatialError

__all__ = ["OneLineErrors", "one_line_warnings"]

_UsageError: Any = typer.BadParameter.__base__
"""Base class of errors of the command line: unknown options, missing or malformed values."""

_SIGNALS = {
    getattr(signal, name): word
    for name, word in (("SIGINT", "interrupted"), ("SIGTERM", "terminated"), ("SIGHUP", "hung up"))
    if hasattr(signal, name)
}
_CLOSED = 128 + 13
"""Exit code if standard output is closed: that of a program which SIGPIPE ended."""


def _flags(options: Any) -> Any:
    """Remove the type from options that are on or off, and return all."""
    for option in options:
        if getattr(option, "is_flag", False):
            option.metavar = ""
    return options


class OneLineErrors(TyperGroup):
    """A group of commands that reports bad input as ``error: ...`` on standard error."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command, whose help shows options without a value as such, not as ``<bool>``."""
        command = super().get_command(ctx, cmd_name)
        _flags(command.get_params(ctx) if command else ())
        return command

    def get_params(self, ctx: Any) -> Any:
        """Return the options of the group itself, of which the same holds."""
        return _flags(super().get_params(ctx))

    def main(self, *args: Any, **kw: Any) -> NoReturn:
        """Run the command line.

        The exit code is 0 or that of `typer.Exit`; 2 for bad input or if a file cannot be written;
        128 plus the number of the signal if a signal ended it.
        """
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="spatial_v2.plain")
        try:
            with _signals():
                code = super().main(*args, **{**kw, "standalone_mode": False})
                if sys.stdout:
                    sys.stdout.flush()
        except _UsageError as error:
            code = _end(2, error.format_message())
        except SpatialError as error:
            code = _end(2, str(error))
        except MemoryError as error:
            code = _end(2, f"the memory does not suffice: {error}")
        except _Signal as stop:
            code = _end(128 + stop.number, _SIGNALS[stop.number])
        except (BrokenPipeError, SystemExit):
            _drop_output()
            code = _CLOSED
        except OSError as error:
            if error.filename is not None:
                raise
            _drop_output()
            code = _end(2, f"cannot write to standard output: {error.strerror or error}")
        sys.exit(code if isinstance(code, int) else 0)


class _Signal(BaseException):
    """Exception for a signal: ends the command after unfinished files are removed."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def _signals() -> Iterator[None]:
    """Raise `_Signal` for the first signal that is not ignored.

    If Python discards the exception (in ``__del__``, or in a callback of a C library), it is raised
    again later.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, _: Any) -> NoReturn:
        for each in before:
            signal.signal(each, signal.SIG_IGN)
        raise _Signal(number)

    def dropped(lost: Any) -> None:
        if not isinstance(lost.exc_value, _Signal):
            unraisable(lost)
            return
        number = lost.exc_value.number
        signal.signal(number, stop)
        threading.Timer(0.01, _thread.interrupt_main, (number,)).start()

    unraisable = sys.unraisablehook
    handlers = {each: signal.getsignal(each) for each in _SIGNALS}
    before = {k: x for k, x in handlers.items() if x not in (signal.SIG_IGN, None)}
    for each in before:
        signal.signal(each, stop)
    sys.unraisablehook = dropped
    try:
        yield
    finally:
        sys.unraisablehook = unraisable
        for each, handler in before.items():
            signal.signal(each, handler)


def _drop_output() -> None:
    """Discard all further writes to standard output, including those when Python ends."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replaced(error: UnicodeError) -> tuple[str, int]:
    """Return replacements for characters that the terminal cannot encode."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return "".join({"µ": "u", "…": ".."}.get(c, "?") for c in text), error.end


codecs.register_error("spatial_v2.plain", _replaced)


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Print warnings inside the block at once as a line ``warning: ...`` on standard error."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        _say("warning", str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show
        yield


def _end(code: int, message: str) -> int:
    _say("error", message)
    return code


def _say(kind: str, message: str) -> None:
    print(f"{kind}: {' '.join(message.split())}", file=sys.stderr)
