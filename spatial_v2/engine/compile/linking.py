"""Linking of parts into kernels, without machine code of their own.

Numba optimises each compiled function together with all functions that it calls, and compiles it to
machine code. For a part, which only kernels call, both steps would be wasted: they are repeated for
every kernel that the part is linked into. A part therefore remains unoptimised LLVM code, and its
kernel is optimised as a whole.

A kernel is compiled to machine code once. The code that calls kernels for Python contains none of
them: it calls their entries; see `entries`.

Each kernel has its own copies of the functions that it calls, parts and other kernels, under other
names. LLVM finds a function in the objects of a process by its name alone, even if it is internal
to its object. With equal names, a kernel would be replaced by a copy of it that is inside another
kernel, with other rounding errors.
"""

from typing import Any

from spatial_v2.engine.compile.entries import RESULTS, add_entry, has_entry
from spatial_v2.engine.compile.private import (
    binding,
    codegen,
    compiler,
    lowering,
    machinery,
    typed_passes,
)

_ENVIRONMENT = "_ZN08NumbaEnv"


class _Part(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code of a part, with an empty module in place of machine code."""

    _final_module: Any
    _shared_module: Any

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        code = self._final_module
        for function in code.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = code
        lines = [str(x) for x in code.global_variables if x.name.startswith(_ENVIRONMENT)]
        empty = str(self._codegen._create_empty_module(self.name))
        self._final_module = binding.parse_assembly("\n".join([empty, *lines]))
        self._final_module.name = code.name
        super()._finalize_final_module()


class _Kernel(codegen.JITCodeLibrary):  # type: ignore[misc]
    """Code of a kernel, including its parts."""

    _final_module: Any
    _inside = ""

    def keep_inside(self, name: str) -> str:
        """Make a function callable only from within its library; return its name there."""
        function, self._inside = self._final_module.get_function(name), f"{name}.inside"
        function.name = self._inside
        return self._inside

    def _optimize_final_module(self) -> None:
        # a copy from inside another kernel is internal already, and may have the kernel's own name
        copies = binding.Linkage.linkonce_odr, binding.Linkage.internal
        for function in self._final_module.functions:
            if function.linkage in copies and not function.is_declaration:
                if not function.name.endswith(".inside"):
                    function.name = f"{function.name}.inside"
            elif function.name != self._inside:
                continue
            function.linkage = "internal"
        super()._optimize_final_module()


class Unfinished(_Kernel, _Part):
    """LLVM code of a kernel as text, neither optimised nor compiled to machine code."""

    text = ""

    def _optimize_final_module(self) -> None:
        self.text = str(self._final_module)


class PartCompiler(compiler.Compiler):  # type: ignore[misc]
    """Numba's compiler pipeline for parts."""

    library: type[Any] = _Part

    def define_pipelines(self) -> Any:
        """Return Numba's passes with the library class for parts."""
        state = self.state
        state.library = self.library(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().define_pipelines()


class CallerCompiler(PartCompiler):
    """Numba's compiler pipeline for functions that Python or C calls."""

    library = _Kernel


class _Lower(lowering.Lower):  # type: ignore[misc]
    """Numba's lowering of kernels, with an entry added."""

    def create_cpython_wrapper(self, release_gil: bool = False) -> None:
        """Add the entry, and a Python wrapper if no argument is a SIMD batch."""
        kinds = self.fndesc.argtypes
        if self.fndesc.restype in RESULTS and has_entry(kinds):
            add_entry(self.context, self.library, self.fndesc)
        if not any(hasattr(getattr(x, "dtype", None), "is_simd_batch") for x in kinds):
            super().create_cpython_wrapper(release_gil)


@machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _KernelLowering(typed_passes.NativeLowering):  # type: ignore[misc]
    _name = "kernel_lowering"

    @property
    def lowering_class(self) -> Any:
        return _Lower


class KernelCompiler(CallerCompiler):
    """Numba's compiler pipeline for kernels, which get an entry."""

    def define_pipelines(self) -> Any:
        """Return Numba's own passes with the lowering replaced."""
        managers = super().define_pipelines()
        for manager in managers:
            manager.passes[:] = [
                (_KernelLowering if kind is typed_passes.NativeLowering else kind, text)
                for kind, text in manager.passes
            ]
            manager.finalize()
        return managers
