"""Decorators that compile kernels: once, cached on disk, without checks that the call has made."""

from __future__ import annotations

import gc
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any, TypeVar, cast

from numba import njit

from spatial_v2.engine.compile.linking import CallerCompiler, KernelCompiler, PartCompiler
from spatial_v2.engine.compile.notice import NOTICE
from spatial_v2.engine.compile.store import disk_cache

__all__ = ["callback", "entry", "exact", "inline", "jit", "part", "specialise", "within"]

F = TypeVar("F", bound=Callable[..., Any])
_event: Any = import_module("numba.core.event")

_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "nsz", "reassoc"},
    "no_cfunc_wrapper": True,
    "pipeline_class": KernelCompiler,
}
_PART: dict[str, Any] = {
    "no_cpython_wrapper": True,
    "_nrt": False,
    "pipeline_class": PartCompiler,
}


class _Listener(_event.Listener):  # type: ignore[misc]
    """Tells of the compilation of kernels, and of nothing else that numba compiles.

    What the compiler makes lives until it is done, so that looking for garbage takes a tenth of the
    time and finds none.
    """

    depth, collects = 0, False

    def on_start(self, event: Any) -> None:
        if _is_kernel(event):
            if not self.depth:
                self.collects = gc.isenabled()
                gc.disable()
            self.depth += 1
            NOTICE.begin()

    def on_end(self, event: Any) -> None:
        if _is_kernel(event):
            NOTICE.end()
            self.depth -= 1
            if not self.depth and self.collects:
                gc.enable()


def _is_kernel(event: Any) -> bool:
    function = event.data["dispatcher"].py_func
    return str(function.__module__).startswith("spatial_v2.")


_event.register("numba:compile", _Listener())


def _compile(function: F, **options: Any) -> F:
    """Compile at the first call; with ``NUMBA_DISABLE_JIT`` the function runs as it is."""
    compiled: Any = njit(**{**_OPTIONS, **options})(function)
    if compiled is not function:
        compiled._cache = disk_cache(function)
    return cast("F", compiled)


def jit(function: F) -> F:
    """Compile a kernel. Sums may be reordered and fused; NaN and infinity keep their meaning."""
    return _compile(function)


def part(function: F) -> F:
    """Compile a part of kernels, which only they call; it can allocate and return no array.

    Nor does it count references to the arrays it looks at, as their owner is the kernel that runs.
    Counting takes longer than most of what is done with a row of six numbers.
    """
    return _compile(function, **_PART)


def inline(function: F) -> F:
    """Compile a small `part`, of which no call is left in the kernel."""
    return _compile(function, **_PART, forceinline=True)


def within(function: F) -> F:
    """Compile a function wherever it is called, as if it stood there."""
    return cast("F", njit(inline="always", **_OPTIONS)(function))


def exact(function: F) -> F:
    """Compile a small `part` whose operations are done as they are written, each rounded once."""
    return _compile(function, **_PART, forceinline=True, fastmath=False)


def entry(function: Callable[..., Any], signature: tuple[Any, ...], *, release: bool) -> Any:
    """Compile a function for one signature; what is returned is called without looking at types.

    `release` says whether it gives up the interpreter's lock while it runs.
    """
    compiled: Any = _compile(function, nogil=release, pipeline_class=CallerCompiler)
    return compiled.compile(signature)


def specialise(template: Any, qualname: str, **names: Any) -> Any:
    """Copy a function, with other objects for some of its global names.

    The compiled copy is cached on disk by its module and `qualname`.
    """
    copy = FunctionType(template.__code__, {**template.__globals__, **names})
    copy.__module__, copy.__qualname__ = template.__module__, qualname
    return copy


def callback(function: Callable[..., Any], signature: tuple[Any, ...]) -> int:
    """Compile a function that C calls, and give its address."""
    compiled: Any = _compile(function, no_cfunc_wrapper=False, pipeline_class=CallerCompiler)
    compiled.compile(signature)
    found = compiled.overloads[signature]
    return int(found.library.get_pointer_to_function(found.fndesc.llvm_cfunc_wrapper_name))
