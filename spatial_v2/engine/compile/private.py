"""Modules of Numba and llvmlite beyond the documented extension interface, each with the reason.

All other files take them from here. They are tested with Numba 0.61 to 0.68, the range that
`pyproject.toml` allows; before that range grows, the methods that `linking`, `object_code` and
`store` override, whose names begin with an underscore, are compared with Numba's.
"""

from importlib import import_module
from typing import Any

arrayobj: Any = import_module("numba.np.arrayobj")
"""Arrays that view memory, such as a workspace, which `carray` gives no owner."""
imputils: Any = import_module("numba.core.imputils")
"""Reference counts of what generated code returns."""
templates: Any = import_module("numba.core.typing.templates")
"""Types of operators of SIMD batches, and signatures."""
castgraph: Any = import_module("numba.core.typeconv.castgraph")
"""Conversion of numbers to SIMD batches."""

codegen: Any = import_module("numba.core.codegen")
"""Libraries of code: parts stay unoptimised until a kernel has them, see `linking`, and kernels are
optimised for other processors, see `object_code`."""
compiler: Any = import_module("numba.core.compiler")
machinery: Any = import_module("numba.core.compiler_machinery")
typed_passes: Any = import_module("numba.core.typed_passes")
lowering: Any = import_module("numba.core.lowering")
"""Compiler pipelines with another library and with an entry for each kernel, see `linking`."""
binding: Any = import_module("llvmlite.binding")
"""LLVM's modules, to rename, link and write them."""
settings: Any = import_module("numba.core.config")
"""The level of optimisation of object code."""

registry: Any = import_module("numba.core.registry")
"""The instructions of this processor, which decide about the SIMD width."""
event: Any = import_module("numba.core.event")
"""Begin and end of a compilation: the notice in the terminal."""

caching: Any = import_module("numba.core.caching")
serialize: Any = import_module("numba.core.serialize")
runtime: Any = import_module("numba.core.runtime.nrt")
"""Cache on disk with stamps of all sources of a kernel, read without the compiler; see `store`."""
