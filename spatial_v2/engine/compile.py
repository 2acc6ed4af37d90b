"""How kernels are compiled: once, kept on disk, without checks that the door has made already.

A kernel holds the code of its parts, which stand in other files. Numba dates what it keeps by the
kernel's own file; here it is dated by the contents of all files of the engine, so that no kernel
outlives a change, an upgrade for instance, of one of its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

__all__ = ["exact", "inline", "jit", "part"]

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "reassoc"},
    "no_cfunc_wrapper": True,
}
_SOURCES = sorted(Path(__file__).parent.rglob("*.py"))
_STAMP = blake2b(b"".join(path.read_bytes() for path in _SOURCES), digest_size=16).hexdigest()


def _compile(function: F, **options: Any) -> F:
    """Keep the compiled function on disk, dated by the whole engine; else in memory alone."""
    compiled: Any = njit(**{**_OPTIONS, **options})(function)
    compiled.enable_caching()
    try:
        compiled._cache._cache_file._source_stamp = _STAMP
    except AttributeError:
        compiled = njit(**{**_OPTIONS, **options})(function)
    return cast("F", compiled)


def jit(function: F) -> F:
    """Compile a kernel. Sums may be reordered and fused; NaN and infinity keep their meaning."""
    return _compile(function)


def part(function: F) -> F:
    """Compile a part of kernels, which only they call; it can allocate and return no array.

    Nor does it count references to the arrays it looks at, as their owner is the kernel that runs.
    Counting takes longer than most of what is done with a row of six numbers.
    """
    return _compile(function, no_cpython_wrapper=True, _nrt=False)


def inline(function: F) -> F:
    """Compile a small `part`, of which no call is left in the kernel."""
    return _compile(function, no_cpython_wrapper=True, _nrt=False, forceinline=True)


def exact(function: F) -> F:
    """Compile a small `part` whose operations are done as they are written, each rounded once."""
    return _compile(function, no_cpython_wrapper=True, _nrt=False, forceinline=True, fastmath=False)
