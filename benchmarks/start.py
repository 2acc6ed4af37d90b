"""Time to the first result: import, start of a process, compilation.

Run by ``python -m benchmarks.start``. Each row is measured in a process of its own, which may use
all cores, as the minimum of several runs. Rows with compilation run once, with empty caches.
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

REPEATS = 9
CALL = "from spatial_v2 import ID, models; ID(models.puma560(), *[[0.0] * 6] * 3)"
COMMAND = "from spatial_v2.cli import app; app({!r})"
THREADS = ("OMP", "OPENBLAS", "MKL", "NUMBA")
STARTS = {
    "Python alone": "pass",
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


def seconds(code: str, environment: Mapping[str, str]) -> float:
    """Return the wall-clock time of a process that runs the code."""
    command = [sys.executable, "-c", code]
    start = time.perf_counter()
    subprocess.run(
        command, env=environment, check=True, stdout=subprocess.DEVNULL, preexec_fn=use_all_cores
    )
    return time.perf_counter() - start


def least(code: str, environment: Mapping[str, str], repeats: int) -> float:
    """Return the shortest of several runs, after one that fills the caches."""
    seconds(code, environment)
    return min(seconds(code, environment) for _ in range(repeats))


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each program."""
    environment = dict(os.environ)
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have the compiled files of modules
    for library in THREADS:
        environment.pop(f"{library}_NUM_THREADS", None)
    repeats = 2 if args.fast else REPEATS
    for name, code in STARTS.items():
        yield {"start": name, "s": least(code, environment, repeats), "cores": len(CORES)}
    if compiler():
        with tempfile.TemporaryDirectory() as folder:
            seconds(BUILD.format(folder), environment)
            shipped = {**environment, VARIABLE: folder}
            yield {"start": SHIPPED, "s": least(CALL, shipped, repeats), "cores": len(CORES)}
    for name, code in COMPILATIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            environment["NUMBA_CACHE_DIR"] = folder
            yield {"start": name, "s": seconds(code, environment), "cores": len(CORES)}


def main() -> None:
    study.table("start", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
