"""Cost of compiling a function, by the steps of the compiler.

Run by ``python -m benchmarks compiling``. Each row is the first call of a function in a new process
with an empty cache, in seconds of processor time. Steps are those of Numba: from Python to types
("inference"), from types to LLVM's code ("lowering"), LLVM's optimisation, and machine code. What
is left are reading bytecode, writing LLVM's code as text and reading it, and files.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from benchmarks import study
from benchmarks.results_file import Row

CALLS = {
    "ID, one state": ("ID", "single"),
    "ID, batch": ("ID", "batch"),
    "FDab, one state": ("FDab", "single"),
    "HandC, one state": ("HandC", "single"),
    "ID_derivatives, one state": ("ID_derivatives", "single"),
    "ID_SO_derivatives, one state": ("ID_SO_derivatives", "single"),
    "ID_SO_derivatives, batch": ("ID_SO_derivatives", "batch"),
    "FD_SO_derivatives, one state": ("FD_SO_derivatives", "single"),
}
"""Function and form of each row, see `spatial_v2.cli.warmup.Task`."""
STEPS = {
    "nopython_type_inference": "inference",
    "native_lowering": "lowering",
    "kernel_lowering": "lowering",
}


class Steps:
    """Processor time of each step of the compiler, without that of the steps inside it."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.functions = 0
        self._inside = ["rest"]
        self._since = time.process_time()

    def switch(self) -> None:
        """Add the time since the last switch to the present step."""
        now = time.process_time()
        self.seconds[self._inside[-1]] += now - self._since
        self._since = now

    def watch(self, cls: type, name: str, step: Callable[..., str | None]) -> None:
        """Measure a method; ``step`` names the step, or is None for a part of the present one."""
        method = getattr(cls, name)

        def watched(*args: Any, **options: Any) -> Any:
            self.switch()
            self._inside.append(step(*args) or "rest")
            try:
                return method(*args, **options)
            finally:
                self.switch()
                self._inside.pop()

        setattr(cls, name, watched)

    def of_pass(self, manager: Any, index: int, done: Any, state: Any) -> str | None:
        """Return the step that a pass of Numba belongs to, and count the functions."""
        name = done.name()
        self.functions += name == "nopython_type_inference"
        return STEPS.get(name)


def one(function: str, form: str) -> None:
    """Make the first call of a function, and print the time of each step as JSON."""
    from spatial_v2.cli.warmup import Task, accelerated_functions

    accelerated_functions()
    codegen, passes = map(import_module, ("numba.core.codegen", "numba.core.compiler_machinery"))
    steps = Steps()
    steps.watch(codegen.CPUCodeLibrary, "_optimize_functions", lambda *_: "optimisation")
    steps.watch(codegen.CPUCodeLibrary, "_optimize_final_module", lambda *_: "optimisation")
    steps.watch(codegen.JITCodeLibrary, "_finalize_specific", lambda *_: "machine_code")
    steps.watch(passes.PassManager, "_runPass", steps.of_pass)
    Task(function, form).run()
    steps.switch()
    found = {f"{name}_s": x for name, x in steps.seconds.items()}
    print(json.dumps({"functions": steps.functions, "s": sum(steps.seconds.values()), **found}))


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each call; with ``--fast`` for the first two."""
    code = "import sys; from benchmarks.compiling import one; one(*sys.argv[1:])"
    for name, task in list(CALLS.items())[: 2 if args.fast else None]:
        with tempfile.TemporaryDirectory() as folder:
            given = {**os.environ, "NUMBA_CACHE_DIR": folder, "SPATIAL_V2_KERNELS": "0"}
            command = [sys.executable, "-c", code, *task]
            done = subprocess.run(command, env=given, check=True, stdout=subprocess.PIPE, text=True)
        yield {"call": name, **json.loads(done.stdout.splitlines()[-1])}


def main() -> None:
    study.table("compiling", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
