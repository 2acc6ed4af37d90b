"""Object code of kernels, for any processor that the compiler supports.

Numba's front end translates a kernel and all its parts to LLVM code. This code is optimised and
compiled by Numba's passes for the requested processor. The only function that can be called is the
kernel's entry. Functions of the exported C library replace Numba's runtime. Otherwise the code is
that which Python calls, so that results are the same to the last bit.
"""

import contextlib
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from spatial_v2.engine.compile.decorators import uncached
from spatial_v2.engine.compile.groups import grouped_types
from spatial_v2.engine.compile.linking import KernelCompiler, Unfinished
from spatial_v2.engine.compile.private import binding, codegen, settings
from spatial_v2.engine.shipped.library import LEVELS
from spatial_v2.exceptions import SpatialError

_REFERENCES = re.compile(r"define [^\n]*@NRT_((?:in|de)cref(?:\.\d+)?)\(.*?\n}", re.DOTALL)
"""Functions that count references. Numbers stand behind the names of those of subkernels."""
_COUNT = """define internal void @NRT_{name}(ptr %x) alwaysinline {{
  %none = icmp eq ptr %x, null
  br i1 %none, label %done, label %count
count:
  %before = load i64, ptr %x
  %after = add i64 %before, {step}
  store i64 %after, ptr %x
  {end}
done:
  ret void
}}"""
_UP, _DOWN = (
    "br label %done",
    """%last = icmp eq i64 %after, 0
  br i1 %last, label %unused, label %done
unused:
  call void @NRT_MemInfo_call_dtor(ptr %x)
  br label %done""",
)
_NO_COUNT = "define internal void @NRT_{name}(ptr %x) alwaysinline {{\n  ret void\n}}"
_INLINED = re.compile(
    r"%(\d+) = (?:tail )?call i8 @llvm\.x86\.atomic\.sub\.cc\.i64"
    r"\(ptr (?:nonnull )?([^,]+), i64 1, i32 4\)\n"
    r"\s*%(\d+) = trunc i8 %\1 to i1"
)
"""A decrement in line, which Numba writes for x86; its result says whether the count became 0."""
_NAMES = {
    "NRT_MemInfo_alloc_aligned": "sv2_allocate",
    "NRT_MemInfo_alloc": "sv2_allocate_plain",
    "NRT_MemInfo_call_dtor": "sv2_unused",
    "NRT_Allocate": "sv2_take",
    "NRT_Free": "sv2_release",
    "PyErr_SetString": "sv2_raise",
    "PyExc_RuntimeError": "sv2_error",
}


class Processor(NamedTuple):
    """A processor, with its names in LLVM."""

    triple: str
    cpu: str
    features: str

    @property
    def simd_width(self) -> int:
        """SIMD width for this processor."""
        wide = self.cpu == "x86-64-v4" or "+avx512f" in self.features.split(",")
        return 8 if wide else 4


def processor(level: str) -> Processor:
    """Return the processor for a level, one of `LEVELS` of `engine.shipped.library`.

    Raises an error for an unknown level, and for one of x86-64 on another machine.
    """
    here = binding.get_process_triple()
    if level == "native":
        host = codegen.get_host_cpu_features()
        return Processor(here, binding.get_host_cpu_name(), host)
    if level not in LEVELS:
        raise SpatialError(f"level: want one of {', '.join(LEVELS)}, got {level!r}")
    if level == "aarch64":
        return Processor("aarch64-unknown-linux-gnu", "generic", "")
    if not here.startswith("x86_64"):
        raise SpatialError(
            f"level: {level} can be compiled only on a machine with an x86-64 processor"
        )
    return Processor(here, level, "")


class _Target(codegen.CPUCodegen):  # type: ignore[misc]
    """Numba's optimisation passes for another processor, with position-independent code."""

    def __init__(self, wanted: Processor) -> None:
        binding.initialize_all_targets()
        binding.initialize_all_asmprinters()
        self._tm = binding.Target.from_triple(wanted.triple).create_target_machine(
            cpu=wanted.cpu,
            features=wanted.features,
            opt=settings.OPT,
            reloc="pic",
            codemodel="default",
        )
        self._loopvect, self._opt_level = False, 0

    def _add_module(self, module: Any) -> None:
        """Do nothing: the code is not run here."""


class _Module:
    """An LLVM module with the methods that Numba's optimisation calls."""

    class _recorded_timings:
        @staticmethod
        def record(*args: Any) -> Any:
            return contextlib.nullcontext()

    def __init__(self, target: _Target, code: Any) -> None:
        self._codegen, self._final_module = target, code

    def optimise(self) -> None:
        """Run numba's passes on the module."""
        self._strip()
        codegen.CPUCodeLibrary._optimize_final_module(self)
        self._strip()

    def _strip(self) -> None:
        """Remove functions that nothing calls."""
        builder = self._codegen._pass_builder(opt=0)
        passes = builder.getModulePassManager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(self._final_module, builder)


class _Collector(KernelCompiler):
    """Compiler pipeline of kernels that stops before machine code."""

    library = Unfinished


def object_code(
    kernel: Callable[..., None], kinds: tuple[Any, ...], name: str, wanted: Processor,
    counted: bool = False,
) -> bytes:  # fmt: skip
    """Compile a kernel, a function in Python, to a relocatable object file for arguments of given
    types.

    `name` is that of the entry, see `engine.compile.entries`. The code calls functions of the
    exported library that allocate memory, and C's standard library. An exception is returned as a
    status, without its message. If references are `counted`, in one thread, memory is given back as
    soon as no array refers to it; else it is taken until the end of the call.
    """
    kinds, compiled = grouped_types(kernel, kinds), uncached(kernel, _Collector)
    compiled.compile(kinds)
    text = compiled.overloads[kinds].library.text
    text = _REFERENCES.sub(_count if counted else _no_count, text)
    text = _INLINED.sub(_inlined if counted else _never_last, text)
    code = binding.parse_assembly(text)
    target = _Target(wanted)
    code.triple, code.data_layout = wanted.triple, str(target._tm.target_data)
    for item in (*code.functions, *code.global_variables):
        if item.name.startswith("entry."):
            item.name, item.linkage, item.visibility = name, "external", "hidden"
        elif not item.is_declaration:
            item.linkage = "internal"
        elif item.name in _NAMES:
            item.name, item.visibility = _NAMES[item.name], "hidden"
    _Module(target, code).optimise()
    missing = {
        x.name for x in code.functions if x.is_declaration and x.name.startswith(("NRT", "Py"))
    }
    if missing:
        raise SpatialError(
            f"{name}: want a kernel that calls only functions of the exported library, got one "
            f"that calls {', '.join(sorted(missing))}"
        )
    made: bytes = target._tm.emit_object(code)
    return made


def _count(function: re.Match[str]) -> str:
    """Return a function that counts references; that of Numba is for several threads and x86."""
    step, end = (1, _UP) if function[1].startswith("in") else (-1, _DOWN)
    return _COUNT.format(name=function[1], step=step, end=end)


def _no_count(function: re.Match[str]) -> str:
    return _NO_COUNT.format(name=function[1])


def _inlined(step: re.Match[str]) -> str:
    """Return a decrement for one thread and any processor."""
    count, before, last = step[2], step[1], step[3]
    return (
        f"%{before} = load i64, ptr {count}\n  %after.{before} = sub i64 %{before}, 1\n"
        f"  store i64 %after.{before}, ptr {count}\n  %{last} = icmp eq i64 %{before}, 1"
    )


def _never_last(step: re.Match[str]) -> str:
    return f"%{step[1]} = add i8 0, 0\n  %{step[3]} = trunc i8 %{step[1]} to i1"
