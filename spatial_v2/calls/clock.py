"""A clock that stands still while kernels compile."""

import functools
from time import perf_counter
from typing import Any

from spatial_v2.calls.compilation import get_compilation


def working_time() -> float:
    """Return seconds of a clock that stands still while kernels compile.

    Limits of time are about the work that is asked for, not about the compilation at a first call.
    """
    compilation = _compilation() if get_compilation() != "never" else None
    compiling = compilation.duration if compilation is not None and compilation.done else 0.0
    return perf_counter() - float(compiling)


@functools.cache
def _compilation() -> Any:
    """Begin to measure the time that this process spends compiling, and return the measurement.

    It is None where nothing can be compiled.
    """
    try:
        from spatial_v2.engine.compile.private import event
    except (ImportError, AttributeError):
        return None
    listener = event.TimingListener()
    event.register("numba:compile", listener)
    return listener
