"""How kernels are compiled: once, kept on disk, without checks that the door has made already.

A kernel holds the code of its parts, which stand in other files. Numba dates what it keeps by the
kernel's own file; here it is dated by the contents of all files of the engine, so that no kernel
outlives a change, an upgrade for instance, of one of its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from numba import njit

__all__ = ["inline", "jit"]

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "reassoc"},
    "no_cfunc_wrapper": True,
}
_SOURCES = sorted(Path(__file__).parent.glob("*.py"))
_STAMP = blake2b(b"".join(path.read_bytes() for path in _SOURCES), digest_size=16).hexdigest()


def _dated(function: Any) -> Any:
    """Keep the compiled function on disk, dated by the whole engine; else in memory alone."""
    function.enable_caching()
    try:
        function._cache._cache_file._source_stamp = _STAMP
    except AttributeError:
        return njit(**function.targetoptions)(function.py_func)
    return function


def jit(function: F) -> F:
    """Compile a kernel. Sums may be reordered and fused; NaN and infinity keep their meaning."""
    compiled: F = _dated(njit(**_OPTIONS)(function))
    return compiled


def inline(function: F) -> F:
    """Compile a small part of kernels, of which no call is left in them."""
    options = _OPTIONS | {"forceinline": True, "no_cpython_wrapper": True}
    compiled: F = _dated(njit(**options)(function))
    return compiled
