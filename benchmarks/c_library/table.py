"""Times of the exported library and of Pinocchio in one C++ program, at the same states of robots.

Run from the root of the repository: ``python -m benchmarks c_library``. One thread, its processor
time, interleaved rounds. Norms of all results are compared before anything is timed. A row has the
load of the machine: other programs that run at the same time, and use the same caches.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator

from benchmarks import study
from benchmarks.c_library.program import FUNCTIONS, Program, program
from benchmarks.cpp.build import missing
from benchmarks.results_file import Row
from benchmarks.robots import robot, states
from benchmarks.timing import least
from spatial_v2.exceptions import SpatialError

NAMES = ["ur5", "hyq", "talos"]
COUNT = 256


def confirm(run: Program, function: str, peer: str) -> None:
    """Check that both libraries compute the same at the first state."""
    theirs = run.norm("pinocchio", peer)
    for kind in ("one", "batch"):
        ours = run.norm(kind, function)
        if not abs(ours - theirs) <= 1e-8 * ours:
            raise ArithmeticError(f"norms differ: {function} {ours!r}, {peer} {theirs!r}")


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot and function: times per state [us]."""
    if missing():
        raise SpatialError(f"c_library needs {missing()}")
    path = program()
    for name in args.robots:
        model = robot(name)
        run = Program(path, name, model, states(model, COUNT))
        for function, peer in FUNCTIONS.items():
            confirm(run, function, peer)
            rounds = {kind: run.round(kind, function) for kind in ("one", "batch")}
            us = least({"C++": run.round("pinocchio", peer), **rounds}, **args.effort)
            yield {
                "robot": name,
                "NV": model.NV,
                "function": function,
                "peer": peer,
                "C++": us["C++"],
                "one state": us["one"],
                "batch": us["batch"] / COUNT,
                "load": os.getloadavg()[0],
            }
        run.close()


def main() -> None:
    study.table("c_library", study.options(__doc__, robots=NAMES), measure)


if __name__ == "__main__":
    main()
