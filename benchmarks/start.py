"""Time to the first result: import, start of a process, compilation.

Run by ``python -m benchmarks start``. Each row is measured in a process of its own, which may use
all cores: the shortest time of several runs, and the least processor time, that of processes which
it starts included. Rows with compilation run once, with empty caches. Start-up files (``.pth``) of
other packages, which happen to be installed here, are left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping

from benchmarks import study
from benchmarks.machine import CORES, use_all_cores
from benchmarks.results_file import Row
from spatial_v2.engine.shipped.library import VARIABLE
from spatial_v2.export import compiler

REPEATS = 30
CALL = "from spatial_v2 import ID, models; ID(models.puma560(), *[[0.0] * 6] * 3)"
COMMAND = "from spatial_v2.cli import app; app({!r})"
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA")
STARTS = {
    "Python alone": "pass",
    "import of NumPy": "import numpy",
    "import": "import spatial_v2",
    "import of a function": "from spatial_v2 import ID",
    "a call, compiled before": CALL,
    "a command, compiled before": COMMAND.format(["derivatives"]),
}
"""Programs to time, whose kernels are already compiled and on disk."""
SHIPPED = "a call, kernels of a wheel"
BUILD = "from spatial_v2.export import build_kernels; build_kernels({!r}, ['native'], ['ID'])"
COMPILATIONS = {
    "the first command of all": COMMAND.format(["derivatives"]),
    "every function": COMMAND.format(["warmup"]),
}


def once(code: str, environment: Mapping[str, str]) -> dict[str, float]:
    """Return the wall-clock time of a process that runs the code, and its processor time."""
    import resource

    def spent() -> float:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime

    command = [sys.executable, "-S", "-c", f"import sys; sys.path[1:] = {sys.path!r}; {code}"]
    start, before = time.perf_counter(), spent()
    subprocess.run(
        command, env=environment, check=True, stdout=subprocess.DEVNULL, preexec_fn=use_all_cores
    )
    return {"s": time.perf_counter() - start, "processor_s": spent() - before}


def least(
    programs: Mapping[str, tuple[str, Mapping[str, str]]], repeats: int
) -> Iterator[tuple[str, dict[str, float]]]:
    """Yield each program's name and shortest times of several runs, of all programs in turn, after
    one that fills the caches.
    """
    runs = [{name: once(*given) for name, given in programs.items()} for _ in range(repeats + 1)]
    for name, first in runs[0].items():
        yield name, {key: min(run[name][key] for run in runs[1:]) for key in first}


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each program."""
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have the compiled files of modules
    for library in THREADS:
        environment.pop(f"{library}_NUM_THREADS", None)
    programs = {name: (code, environment) for name, code in STARTS.items()}
    with tempfile.TemporaryDirectory() as folder:
        if compiler():
            once(BUILD.format(folder), environment)
            programs[SHIPPED] = CALL, {**environment, VARIABLE: folder}
        for name, times in least(programs, 2 if args.fast else REPEATS):
            yield {"start": name, **times, "cores": len(CORES)}
    for name, code in COMPILATIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            environment["NUMBA_CACHE_DIR"] = folder
            yield {"start": name, **once(code, environment), "cores": len(CORES)}


def main() -> None:
    study.table("start", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
