"""Kernels that tests compile by default: not those of derivatives of closed loops, and for SIMD
batches those of a few functions. Others compute step by step, or state by state. If slow tests are
asked for, all compile.

Run as a program, it compiles the kernels of all functions for a default run.
"""

from importlib import import_module
from typing import Any

SIMD = {
    "CRBA", "FDab", "FD_derivatives", "FrameJacobian", "HandC", "Hinverse", "ID",
    "ID_SO_derivatives", "ID_derivatives", "KKT", "KKT_FD", "forward_kinematics",
    "ground_kinematics", "modID_derivatives",
}  # fmt: skip
"""Functions whose kernels for SIMD batches compile by default."""
ALGORITHMS = "spatial_v2.engine.algorithms."
CLOSED = {"FDab_closed", "ID_closed"}
"""Kernels of closed loops that compile by default; the others take three minutes."""


def hold_back() -> None:
    """Let this process compile the kernels of a default run alone."""
    from spatial_v2.calls.loading import has_kernels, needs_compiler
    from spatial_v2.engine.compiled import CompiledKernel
    from spatial_v2.mechanisms import at_once

    make = CompiledKernel.__init__

    def narrow(self: CompiledKernel, function: Any) -> None:
        make(self, function)
        if function.__module__.startswith(ALGORITHMS) and self.name not in SIMD:
            self.width = 1

    def runs(name: str) -> bool:
        return has_kernels(name) and (name in CLOSED or not needs_compiler(name))

    CompiledKernel.__init__ = narrow  # type: ignore[method-assign]
    at_once.has_kernels = runs  # type: ignore[attr-defined]


def begin() -> None:
    """Begin a process that compiles."""
    import_module("spatial_v2.cli.warmup")._begin()
    hold_back()


def main() -> None:
    """Compile kernels in several processes."""
    warmup: Any = import_module("spatial_v2.cli.warmup")
    forms = warmup.tasks
    warmup._pool = pool
    warmup.tasks = lambda name: [
        x for x in forms(name) if "single" in x.form or name in (*SIMD, warmup.SOLVE)
    ]
    warmup.warmup(None, 0)


def pool(count: int) -> Any:
    """Start a pool of processes that compile."""
    from multiprocessing import get_context

    return get_context("spawn").Pool(count, begin)


if __name__ == "__main__":
    main()
