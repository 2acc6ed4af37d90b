"""Seconds to write a film of twenty seconds of motion, without a browser and on all processors.

Run from the root of the repository: ``python -m benchmarks.films``. It needs the extras ``robots``,
``meshes`` and ``movies``. All joints of a robot swing, in 30 pictures a second of 1280 x 720; a
robot without its meshes is drawn as bones. A first short film, which also compiles the kernels that
draw, does not count.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter

import numpy as np

from benchmarks import study
from benchmarks.machine import CORES, use_all_cores
from spatial_v2 import Model, load_model, showmotion

SIZE, FPS, DURATION = (1280, 720), 30, 20.0


def spent() -> float:
    """Return the processor time of this process and of the encoders that it has started [s]."""
    used = [resource.getrusage(x) for x in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(x.ru_utime + x.ru_stime for x in used)


def film(model: Model, path: Path, duration: float) -> dict[str, float]:
    """Write a film, and return the time that it took, and the processor time [s]."""
    t = np.linspace(0, duration, round(60 * duration) + 1)
    phases = np.arange(model.NV)
    begin, before = perf_counter(), spent()
    motion = showmotion(model, t, 0.4 * np.sin(0.7 * t[:, None] + phases))
    motion.save(path, size=SIZE, fps=FPS)
    return {"s": perf_counter() - begin, "processor_s": spent() - before}


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each robot, with its meshes and as bones."""
    use_all_cores()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        path = Path(folder, "film.mp4")
        film(load_model("puma560"), path, 0.2)
        for name in args.robots:
            model = load_model(name)
            for drawn, robot in (("meshes", model), ("bones", model.replace(appearance=None))):
                times = film(robot, path, DURATION)
                yield {"robot": name, "drawn as": drawn, **times, "cores": len(CORES)}


def main() -> None:
    study.table("films", study.options(__doc__, robots=["panda"]), measure)


if __name__ == "__main__":
    main()
