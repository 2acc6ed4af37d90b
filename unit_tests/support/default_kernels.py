"""Kernels that tests compile by default: not those of derivatives of closed loops, and for SIMD
batches those of a few functions. Others compute step by step, or state by state. If slow tests are
asked for, all compile.

Run as a program, it compiles the kernels of all functions for a default run, or with the argument
`all` those of slow tests, too.
"""

import sys
from importlib import import_module
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

SIMD = {
    "CRBA", "FDab", "FD_derivatives", "FrameJacobian", "HandC", "Hinverse", "ID",
    "ID_SO_derivatives", "ID_derivatives", "KKT", "KKT_FD", "forward_kinematics",
    "ground_kinematics", "modID_derivatives",
}  # fmt: skip
"""Functions whose kernels for SIMD batches compile by default."""
ALGORITHMS = "spatial_v2.engine.algorithms."
CLOSED = {"FDab_closed", "ID_closed"}
"""Kernels of closed loops that compile by default; the others take three minutes."""
FOLLOWING = (
    "FDab", "Hinverse", "FD_derivatives", "modFD_derivatives", "FD_SO_derivatives",
    "modFD_second_derivatives",
)  # fmt: skip
"""Functions with kernels for trees in which joints follow others."""


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
    at_once.has_kernels = runs  # type: ignore[attr-defined, assignment]


class Coupled(NamedTuple):
    """A function of a tree with closed loops, or with joints that follow others, as a task of the
    warmup.
    """

    function: str
    form: str
    loops: bool = True

    def run(self) -> None:
        """Call the function, so that its kernel is compiled and cached."""
        import mechanisms

        import spatial_v2

        model = mechanisms.four_bar()
        if not self.loops:
            model = spatial_v2.couple(mechanisms.bars(), matrix=np.array([[1], [0.5], [-2]]))
        function = getattr(spatial_v2, self.function)
        count = function.signature.partition("->")[0].count("(")
        lead = () if self.form == "single" else (16,)
        function(model, *np.full((count, *lead, 1), 0.1))


def begin(hold: bool) -> None:
    """Begin a process that compiles."""
    import_module("spatial_v2.cli.warmup")._begin()
    if hold:
        hold_back()


def main(hold: bool) -> None:
    """Compile kernels in several processes: those of a default run, or all."""
    from spatial_v2.mechanisms.at_once import KERNELS

    warmup: Any = import_module("spatial_v2.cli.warmup")
    forms = warmup.tasks
    loops = {whole.name: name for name, whole in reversed(KERNELS.items())}
    loops = {k: name for k, name in loops.items() if k in CLOSED or not hold}
    forms_of = ["single"] if hold else ["single", "batch"]
    coupled = [Coupled(name, form) for name in loops.values() for form in ("single", "batch")]
    coupled += [Coupled(name, form, False) for name in FOLLOWING for form in forms_of]

    def tasks(name: str) -> list[Any]:
        if name == warmup.SOLVE:
            return [*coupled, *forms(name)]
        return [x for x in forms(name) if "single" in x.form or name in SIMD or not hold]

    warmup.tasks = tasks
    warmup._pool = lambda count: get_context("spawn").Pool(count, begin, (hold,))
    warmup.warmup(None, 0)


if __name__ == "__main__":
    main(sys.argv[1:] != ["all"])
