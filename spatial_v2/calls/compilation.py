"""Compilation of kernels: at once, in a process of its own, or not at all."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, Literal, cast, get_args

from spatial_v2.exceptions import SpatialError

__all__ = ["get_compilation", "set_compilation"]

Mode = Literal["wait", "background", "never"]
LARGE = 10**6
"""Number of entries of results of a batch for which compiling takes less time than waiting."""


def set_compilation(mode: Mode) -> None:
    """Choose how functions compute while their kernel is not compiled yet.

    Parameters
    ----------
    mode : {"wait", "background", "never"}
        ``"wait"`` compiles at the first call, which takes seconds. ``"background"`` compiles in a
        second process; until that is done, reference implementations compute the results, and
        large batches wait. ``"never"`` always uses reference implementations. The environment
        variable ``SPATIAL_V2_COMPILE`` sets the mode of new processes, by default ``"wait"``.

    Raises
    ------
    SpatialError
        Another mode.

    Notes
    -----
    A kernel and its reference implementation agree to rounding, not to the last bit. With
    ``"background"``, results can therefore change by rounding errors when the kernel takes over.

    Examples
    --------
    >>> set_compilation("background")
    >>> get_compilation()
    'background'
    >>> set_compilation("wait")
    """
    _STATE.mode = checked(mode, "mode")


def get_compilation() -> Mode:
    """Return the mode of compilation; see `set_compilation`.

    Returns
    -------
    {"wait", "background", "never"}
        The mode.

    Examples
    --------
    >>> get_compilation()
    'wait'
    """
    if _STATE.mode is None:
        _STATE.mode = checked(os.environ.get("SPATIAL_V2_COMPILE", "wait"), "SPATIAL_V2_COMPILE")
    return _STATE.mode


def checked(mode: Any, name: str) -> Mode:
    """Return a mode of compilation, or raise an error that names the argument."""
    if mode not in get_args(Mode):
        known = ", ".join(map(repr, get_args(Mode)))
        raise SpatialError(f"{name}: want one of {known}, got {mode!r}")
    return cast("Mode", mode)


class _State:
    """The mode, and the calls that other processes compile."""

    def __init__(self) -> None:
        self.mode: Mode | None = None
        self.lock = threading.Lock()
        self.started: dict[Any, subprocess.Popen[bytes] | None] = {}


_STATE = _State()
_REFERENCE: ContextVar[bool] = ContextVar("reference", default=False)


@contextmanager
def use_reference() -> Iterator[None]:
    """Let functions that a reference implementation calls use theirs too, while kernels compile."""
    token = _REFERENCE.set(True)
    try:
        yield
    finally:
        _REFERENCE.reset(token)


def kernel_is_there(key: Any, size: int, call: tuple[Any, ...]) -> bool:
    """Test if a call may use its kernel now; start its compilation if that is wanted.

    Parameters
    ----------
    key : hashable
        Key of the compiled code: the function and the form of the call.
    size : int
        Number of entries of all results.
    call : tuple
        The function, its positional arguments and its options, which another process repeats.
    """
    mode = get_compilation()
    if mode == "wait":
        return True
    if mode == "never" or _REFERENCE.get():
        return False
    if size > LARGE:
        return True
    with _STATE.lock:
        if key not in _STATE.started:
            _STATE.started[key] = _start(call)
        process = _STATE.started[key]
    return process is None or process.poll() is not None


def _start(call: tuple[Any, ...]) -> subprocess.Popen[bytes] | None:
    """Start a process that makes a call, and so compiles and caches the kernel.

    Returns None if there is no Python to start, or if an object of the call cannot be sent to it.
    """
    try:
        data = pickle.dumps(call)
    except (AttributeError, TypeError, pickle.PicklingError):
        return None
    if not sys.executable:
        return None
    code = "from spatial_v2.calls.compilation import _repeat; _repeat()"
    given = os.environ.get("PYTHONPATH")
    folders = [str(Path(__file__).parents[2]), *filter(None, [given])]
    new = {"PYTHONPATH": os.pathsep.join(folders), "SPATIAL_V2_COMPILE": "wait"}
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", code],
        stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, env=os.environ | new,
    )  # fmt: skip
    stdin = cast("IO[bytes]", process.stdin)
    stdin.write(data)
    stdin.flush()
    return process


def _repeat() -> None:
    """Make the call that standard input describes; end when the first process ends.

    Standard input is a pipe to which nothing else is written: it closes when the first process
    ends, even if that is killed.
    """
    function, args, options = pickle.load(sys.stdin.buffer)

    def watch() -> None:
        sys.stdin.buffer.read(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    function(*args, **options)
    os._exit(0)
