"""Compilation of kernels in a second process, while reference implementations compute results."""

from __future__ import annotations

import math
import os
import pickle
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

from spatial_v2.arrays import Array
from spatial_v2.calls.compilation import get_compilation
from spatial_v2.calls.loading import has_compiler
from spatial_v2.calls.signature import Function
from spatial_v2.engine.kernel import WIDEST
from spatial_v2.model import Model

if TYPE_CHECKING:
    import subprocess

LARGE = 10**6
"""Number of entries of the results above which a call waits for its kernel."""

_STARTED: dict[Any, _Coming | None] = {}
"""Kernels on their way, by the name of the function, the arguments given, and batch or not; None if
a call has to compile its kernel itself.
"""
_LOCK = threading.Lock()
_LOADING: ContextVar[bool] = ContextVar("loading", default=False)
_REFERENCE: ContextVar[bool] = ContextVar("reference", default=False)


@contextmanager
def use_reference() -> Iterator[None]:
    """Make functions run their reference implementations within a ``with`` block."""
    token = _REFERENCE.set(True)
    try:
        yield
    finally:
        _REFERENCE.reset(token)


def is_awaited(of: Function) -> bool:
    """Test if any call loads the kernel of a function: calls wait for it, or it is shipped."""
    if not of.needs_compiler:
        return True
    return (get_compilation() == "wait" or _LOADING.get()) and has_compiler()


def kernel_is_there(
    of: Function,
    model: Model,
    arrays: list[Array],
    force: Array | None,
    options: dict[str, Any],
    packed: bool,
) -> bool:
    """Test if a call may use its kernel now; in the mode "background", start to compile it.

    The second process repeats the call with few states.
    """
    if is_awaited(of):
        return True
    mode = get_compilation()
    if mode in ("wait", "never") or _LOADING.get() or _REFERENCE.get():
        return False
    lead = of.lead(arrays, force)
    sizes = of.sizes(model, model.is_planar, options.get("m", 0))
    if math.prod(lead) * sum(map(math.prod, sizes)) > LARGE:
        return has_compiler()
    arguments = dict(zip(of.names, arrays, strict=True))
    if force is not None:
        arguments["f_ext"] = force
    arguments = {name: _few(x, lead) for name, x in arguments.items()}
    arguments |= {name: x for name, x in options.items() if name != "m"}
    if packed:
        arguments["packed"] = True
    key = of.name, of.kernel, *sorted(arguments), bool(lead)
    with _LOCK:
        if key not in _STARTED:
            _STARTED[key] = _start((of.function, model, arguments))
        coming = _STARTED[key]
        ready = coming is None or coming.is_ready()
    return ready and has_compiler()


def _few(x: Array, lead: tuple[int, ...]) -> Array:
    """Return the first states of an array with the leading axes of a batch."""
    whole = bool(lead) and x.shape[: len(lead)] == lead
    return x.reshape(-1, *x.shape[len(lead) :])[:WIDEST] if whole else x


class _Coming:
    """A kernel on its way: a second process compiles and caches it, then a thread loads it, so that
    no call waits for the import of the compiler. Where nothing can be cached, the thread compiles.
    """

    def __init__(self, process: subprocess.Popen[bytes], call: bytes) -> None:
        self.process, self.call = process, call
        self.thread: threading.Thread | None = None

    def is_ready(self) -> bool:
        """Test if the kernel is loaded."""
        if self.process.poll() is None:
            return False
        if self.thread is None:
            self.thread = threading.Thread(target=self.load, daemon=True)
            self.thread.start()
        return not self.thread.is_alive()

    def load(self) -> None:
        """Make the call with its kernel; if it fails, the call that needs the kernel says why."""
        _LOADING.set(True)
        function, model, arguments = pickle.loads(self.call)
        with suppress(Exception):
            function(model, **arguments)


def _start(call: tuple[Any, ...]) -> _Coming | None:
    """Start a process that makes a call, and so compiles and caches the kernel.

    Returns None if there is no Python to start, or if an object of the call cannot be sent to it.
    """
    try:
        data = pickle.dumps(call)
    except (AttributeError, TypeError, pickle.PicklingError):
        return None
    if not sys.executable:
        return None
    from spatial_v2.calls.second_process import start_second_process

    code = "from spatial_v2.calls.background import _repeat; _repeat()"
    return _Coming(start_second_process(code, data, {"SPATIAL_V2_COMPILE": "wait"}), data)


def _repeat() -> None:
    """Make the call that standard input describes."""
    from spatial_v2.calls.second_process import end_with_first_process

    function, model, arguments = pickle.load(sys.stdin.buffer)
    end_with_first_process()
    function(model, **arguments)
    os._exit(0)
