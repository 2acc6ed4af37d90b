"""First derivatives of a UR5 at any number of states, from disk to disk, in constant memory.

Run by ``python -m benchmarks streaming``. Random states are written in a Zarr group, then the
command ``spatial-v2 derivatives --states X.zarr --out Y.zarr --workers 2 --order 1`` runs. Memory
is the largest sum over all its processes, sampled ten times a second. Ten million states take 11 GB
of disk while it runs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import zarr

from benchmarks import study
from spatial_v2 import Model, load_model, random_configuration

ROBOT = "ur5"
WORKERS = 2
BATCH = 100_000


def write_states(path: Path, model: Model, states: int) -> None:
    """Write random states to a Zarr group, a batch at a time."""
    group = zarr.open_group(str(path), mode="w")
    arrays = [
        group.create_array(name, shape=(states, n), chunks=(BATCH, n), dtype="f8", compressors=None)
        for name, n in (("q", model.NQ), ("qd", model.NV), ("qdd", model.NV))
    ]
    rng = np.random.default_rng(0)
    for k in range(0, states, BATCH):
        n = min(BATCH, states - k)
        values = random_configuration(model, rng, (n,)), *rng.normal(size=(2, n, model.NV))
        for array, x in zip(arrays, values, strict=True):
            array[k : k + n] = x


def memory(process: psutil.Process) -> float:
    """Return the memory of a process and its children [MB]; shared memory is counted for each."""
    held = 0
    for each in [process, *process.children(recursive=True)]:
        try:
            held += each.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return held / 1e6


def run(states: Path, out: Path) -> tuple[float, float]:
    """Run the command; return the seconds it takes and its peak memory [MB]."""
    words = ["derivatives", ROBOT, "--states", states, "--out", out, "--order", 1]
    command = [sys.executable, "-m", "spatial_v2", *words, "--workers", WORKERS, "--no-check"]
    begin, most = time.perf_counter(), 0.0
    with subprocess.Popen([str(x) for x in command]) as process:
        looked_at = psutil.Process(process.pid)
        while process.poll() is None:
            try:
                most = max(most, memory(looked_at))
            except psutil.NoSuchProcess:
                break
            time.sleep(0.1)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, process.args)
    return time.perf_counter() - begin, most


def size(folder: Path) -> float:
    """Return the size of the files in a folder [MB]."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each number of states."""
    model = load_model(ROBOT)
    for states in args.sizes:
        with tempfile.TemporaryDirectory() as folder:
            given, made = Path(folder, "states.zarr"), Path(folder, "results.zarr")
            write_states(given, model, states)
            seconds, most = run(given, made)
            row = {"states": states, "workers": WORKERS, "s": seconds, "MB": most}
            yield row | {"states_MB": size(given), "results_MB": size(made)}


def main() -> None:
    args = study.options(__doc__, sizes=[100_000, 1_000_000, 10_000_000])
    if args.fast:
        args.sizes = args.sizes[:1]
    study.table("streaming", args, measure)


if __name__ == "__main__":
    main()
