"""Times of functions on robots: Pinocchio in C++ and from Python, and every form of a call here.

``python -m benchmarks robots``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from benchmarks import study
from benchmarks.cpp.build import missing
from benchmarks.engine.functions import FUNCTIONS
from benchmarks.engine.measure import measure
from benchmarks.peers.pinocchio_python import pinocchio_python
from benchmarks.peers.pinocchio_twin import cpp_peer
from benchmarks.results_file import Row
from benchmarks.robots import ROBOTS, robot, states, there

NAMES = [*ROBOTS, "atlas", "biped20", "quadruped20"]
COUNT = 256


def table(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot and function."""
    for name in filter(there, args.robots):
        model = robot(name)
        sample = states(model, COUNT)
        peer = None if missing() else cpp_peer(model, sample)
        python = pinocchio_python(model, sample)
        head = {"robot": name, "bodies": model.NB, "NV": model.NV}
        for row in measure(model, sample, FUNCTIONS.values(), peer, python, **args.effort):
            yield head | row
        if peer:
            peer.close()


def main() -> None:
    study.table("robots", study.options(__doc__, robots=NAMES), table)


if __name__ == "__main__":
    main()
