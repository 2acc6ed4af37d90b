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


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each program."""
    environment = dict(os.environ)
    for library in THREADS:
        environment.pop(f"{library}_NUM_THREADS", None)
    for name, code in STARTS.items():
        seconds(code, environment)
        repeats = 2 if args.fast else REPEATS
        least = min(seconds(code, environment) for _ in range(repeats))
        yield {"start": name, "s": least, "cores": len(CORES)}
    for name, code in COMPILATIONS.items():
        with tempfile.TemporaryDirectory() as folder:
            environment["NUMBA_CACHE_DIR"] = folder
            yield {"start": name, "s": seconds(code, environment), "cores": len(CORES)}


def main() -> None:
    study.table("start", study.options(__doc__), measure)


if __name__ == "__main__":
    main()
