"""Functions that allocate workspaces, as kernels do, but are called by kernels alone.

They are optimised once for all kernels, and made machine code only as pieces of these.
"""

from collections.abc import Callable
from typing import Any, TypeVar

from spatial_v2.engine.compile.decorators import compile_function
from spatial_v2.engine.compile.linking import PartCompiler
from spatial_v2.engine.compile.private import binding, codegen

F = TypeVar("F", bound=Callable[..., Any])

CALLED = {"forceinline": True, "pipeline_class": PartCompiler}
"""Options of an `overload` that calls a subkernel, which no copy of it shall optimise again."""


class _Library(PartCompiler.library):  # type: ignore[misc]
    """Optimised code without machine code."""

    attributes: tuple[str, ...] = ()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.is_declaration:
                continue
            if function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
            else:
                for name in self.attributes:
                    function.add_function_attribute(name)
        codegen.JITCodeLibrary._optimize_final_module(self)


class _RareLibrary(_Library):
    attributes = "noinline", "optsize"


class _Compiler(PartCompiler):
    library = _Library

    def define_pipelines(self) -> Any:
        """Return the passes of parts; nothing calls the function from Python.

        That its callers are inlined, which it would inherit, is no reason to inline it.
        """
        self.state.flags.no_cpython_wrapper, self.state.flags.forceinline = True, False
        return super().define_pipelines()


class _RareCompiler(_Compiler):
    library = _RareLibrary


def subkernel(function: F) -> F:
    """Compile a function that kernels call, and that may allocate."""
    return compile_function(function, pipeline_class=_Compiler)


def rare(function: F) -> F:
    """Compile a `subkernel` that few states need: small, and in each kernel once, as a call."""
    return compile_function(function, pipeline_class=_RareCompiler)
