"""Compilation of kernels in a second process, while reference implementations compute results."""

from __future__ import annotations

import math
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, Any, cast

from spatial_v2.arrays import Array
from spatial_v2.calls.blocks import WIDEST
from spatial_v2.calls.compilation import get_compilation
from spatial_v2.calls.signature import Function
from spatial_v2.model import Model

__all__ = ["kernel_is_there", "use_reference"]

LARGE = 10**6
"""Number of entries of the results of a batch for which a call waits for its kernel."""

_STARTED: dict[Any, subprocess.Popen[bytes] | None] = {}
"""Processes that compile, by the function and the form of the call."""
_LOCK = threading.Lock()
_REFERENCE: ContextVar[bool] = ContextVar("reference", default=False)


@contextmanager
def use_reference() -> Iterator[None]:
    """Let functions that a reference implementation calls use theirs too, while kernels compile."""
    token = _REFERENCE.set(True)
    try:
        yield
    finally:
        _REFERENCE.reset(token)


def kernel_is_there(
    of: Function,
    model: Model,
    arrays: list[Array],
    force: Array | None,
    options: dict[str, Any],
    packed: bool,
) -> bool:
    """Test if a call may use its kernel now; start a process that compiles it if that is wanted.

    Parameters
    ----------
    of : Function
        The function.
    model, arrays, force, options, packed
        The checked arguments and options of the call. The process repeats it with few states.
    """
    mode = get_compilation()
    if mode == "wait":
        return True
    if mode == "never" or _REFERENCE.get():
        return False
    lead = of.lead(arrays, force)
    sizes = of.sizes(model, model.is_planar, options.get("m", 0))
    if math.prod(lead) * sum(map(math.prod, sizes)) > LARGE:
        return True
    given = dict(zip(of.names, arrays, strict=True))
    if force is not None:
        given["f_ext"] = force
    given = {name: _few(x, lead) for name, x in given.items()}
    given |= {name: x for name, x in options.items() if name != "m"}
    if packed:
        given["packed"] = True
    key = of.name, *sorted(given), bool(lead)
    with _LOCK:
        if key not in _STARTED:
            _STARTED[key] = _start((of.function, model, given))
        process = _STARTED[key]
    return process is None or process.poll() is not None


def _few(x: Array, lead: tuple[int, ...]) -> Array:
    """Return the first states of an array with the leading axes of a batch."""
    whole = bool(lead) and x.shape[: len(lead)] == lead
    return x.reshape(-1, *x.shape[len(lead) :])[:WIDEST] if whole else x


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
    code = "from spatial_v2.calls.background import _repeat; _repeat()"
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
    function, model, given = pickle.load(sys.stdin.buffer)

    def watch() -> None:
        sys.stdin.buffer.read(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()
    function(model, **given)
    os._exit(0)
