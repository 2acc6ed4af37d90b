"""Linking of parts into kernels, without machine code of their own.

Numba optimises each compiled function, with all that it calls, and compiles it to machine code. For
a part, which only kernels call, both would be wasted: they are done again in every kernel that it
is linked into. So a part stays unoptimised LLVM code, and its kernel is optimised as a whole.

Each kernel has private copies of its parts. With shared names a process would run all kernels with
the parts of the kernel that it loaded first, and with their rounding.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = ["KernelCompiler", "PartCompiler"]

_codegen: Any = import_module("numba.core.codegen")
_compiler: Any = import_module("numba.core.compiler")
_binding: Any = import_module("llvmlite.binding")

_ENVIRONMENT = "_ZN08NumbaEnv"


class _Part(_codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code of a part, with an empty module in place of machine code."""

    _final_module: Any
    _shared_module: Any

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        code = self._final_module
        for function in code.functions:
            if not function.is_declaration and function.linkage == _binding.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = code
        lines = [str(x) for x in code.global_variables if x.name.startswith(_ENVIRONMENT)]
        empty = str(self._codegen._create_empty_module(self.name))
        self._final_module = _binding.parse_assembly("\n".join([empty, *lines]))
        self._final_module.name = code.name
        super()._finalize_final_module()


class _Kernel(_codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel, including its parts."""

    _final_module: Any

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == _binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()


class PartCompiler(_compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler pipeline for parts."""

    library: type[Any] = _Part

    def define_pipelines(self) -> Any:
        """Numba's passes, with the library class for parts."""
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class KernelCompiler(PartCompiler):
    """Pipeline for kernels; on SIMD batches they are parts of the function that drives them."""

    def define_pipelines(self) -> Any:
        """Numba's passes, with the library class for kernels."""
        if any(hasattr(getattr(x, "dtype", None), "is_simd_batch") for x in self.state.args):
            self.state.flags.no_cpython_wrapper = True
        else:
            self.library = _Kernel
        return super().define_pipelines()
