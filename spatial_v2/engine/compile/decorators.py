"""Decorators that compile kernels and cache them on disk; bounds checks are off."""

import gc
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from numba import njit

from spatial_v2.engine.compile.linking import CallerCompiler, KernelCompiler, PartCompiler
from spatial_v2.engine.compile.notice import NOTICE
from spatial_v2.engine.compile.private import event
from spatial_v2.engine.compile.store import disk_cache

F = TypeVar("F", bound=Callable[..., Any])

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


class _Listener(event.Listener):  # type: ignore[misc]
    """Context of the compilation of a kernel: shows a notice, and stops the garbage collector.

    The compiler's objects are in use until it ends: garbage collections would find no garbage and
    take a tenth of the time.
    """

    depth, collects = 0, False

    def on_start(self, begun: Any) -> None:
        if _is_kernel(begun):
            if not self.depth:
                self.collects = gc.isenabled()
                gc.disable()
            self.depth += 1
            NOTICE.begin()

    def on_end(self, ended: Any) -> None:
        if _is_kernel(ended):
            NOTICE.end()
            self.depth -= 1
            if not self.depth and self.collects:
                gc.enable()


def _is_kernel(compilation: Any) -> bool:
    function = compilation.data["dispatcher"].py_func
    return str(function.__module__).startswith("spatial_v2.")


event.register("numba:compile", _Listener())


def compile_function(function: F, **options: Any) -> F:
    """Make a function that is compiled at its first call; Python with NUMBA_DISABLE_JIT."""
    compiled: Any = njit(**{**_OPTIONS, **options})(function)
    if compiled is not function:
        compiled._cache = disk_cache(function)
    return cast("F", compiled)


def jit(function: F) -> F:
    """Compile a kernel. Sums may be reordered and fused; NaN and infinity keep their meaning."""
    return compile_function(function)


def part(function: F) -> F:
    """Compile a part, which only kernels call; it can neither allocate nor return an array.

    References to arrays are not counted, as the running kernel owns them: that would take longer
    than most operations on a row of six numbers.
    """
    return compile_function(function, **_PART)


def inline(function: F) -> F:
    """Compile a small `part` that is always inlined into the kernel."""
    return compile_function(function, **_PART, forceinline=True)


def within(function: F) -> F:
    """Inline the source of a function where it is called, before types are inferred."""
    return cast("F", njit(inline="always", **_OPTIONS)(function))


def exact(function: F) -> F:
    """Compile a small `part` without fast-math: operations are neither reordered nor fused."""
    return compile_function(function, **_PART, forceinline=True, fastmath=False)


def entry(function: Callable[..., Any], signature: tuple[Any, ...], *, release: bool) -> Any:
    """Compile a function for one signature; calls of the result do not inspect types.

    With `release` it releases the interpreter's lock while it runs.
    """
    compiled: Any = compile_function(function, nogil=release, pipeline_class=CallerCompiler)
    return compiled.compile(signature)


def uncached(function: Callable[..., Any], pipeline: Any) -> Any:
    """Return a kernel that is compiled by the given pipeline and not cached on disk."""
    return njit(**{**_OPTIONS, "pipeline_class": pipeline})(function)


def specialise(template: Any, qualname: str, **names: Any) -> Any:
    """Copy a function with some of its global names replaced.

    The compiled copy is cached on disk by its module and `qualname`.
    """
    copy = FunctionType(template.__code__, {**template.__globals__, **names})
    copy.__module__, copy.__qualname__ = template.__module__, qualname
    return copy


def callback(function: Callable[..., Any], signature: tuple[Any, ...]) -> int:
    """Compile a function with the calling convention of C; return its address."""
    compiled: Any = compile_function(
        function, no_cfunc_wrapper=False, pipeline_class=CallerCompiler
    )
    compiled.compile(signature)
    code = compiled.overloads[signature]
    return int(code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name))
