"""Write test vectors of robots: ``python -m benchmarks.vectors [--check] [ROBOT ...]``.

A file of JSON for each robot: its joints and inertias, states, inverse and forward dynamics, the
Coriolis matrix, and first and second derivatives, with and without contacts, in Pinocchio's
conventions, which the file states. ``--check`` compiles ``benchmarks/vectors/check.cpp``, which
compares the files with Pinocchio.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

from benchmarks.cpp.build import build, missing
from benchmarks.robots import ROBOTS, loaded
from benchmarks.vectors.content import test_vectors
from spatial_v2.io import example_robots

__all__ = ["build_check", "write"]

FLAGS = ("-std=c++17", "-O1", "-DNDEBUG")
SOURCE = Path(__file__).with_name("check.cpp")


def write(robot: str, folder: Path, count: int = 2, floating: bool = False) -> Path:
    """Write the vectors of a robot of example-robot-data; return the file."""
    model = loaded(robot, floating or ROBOTS.get(robot, False))
    path = folder / f"{robot}.json"
    path.write_text(json.dumps(test_vectors(model, robot, count)), encoding="utf-8")
    return path


def build_check() -> Path:
    """Return the program that compares files with Pinocchio, compiled if necessary."""
    return build(SOURCE, FLAGS)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.vectors", description=__doc__)
    parser.add_argument("robots", nargs="*", metavar="ROBOT", default=["ur5", "panda", "hyq"])
    parser.add_argument(
        "--folder", type=Path, default=Path("."), help="where the files are written"
    )
    parser.add_argument("--states", type=int, default=2, help="random states of each robot")
    parser.add_argument("--floating", action="store_true", help="floating base, for every robot")
    parser.add_argument(
        "--check", action="store_true", help="compare the files with Pinocchio, in C++"
    )
    args = parser.parse_args()
    if unknown := set(args.robots) - set(example_robots()):
        parser.error(f"no robot {', '.join(unknown)}; there are {', '.join(example_robots())}")
    if args.check and missing():
        parser.error(f"--check needs {missing()}")
    args.folder.mkdir(parents=True, exist_ok=True)
    files = [write(robot, args.folder, args.states, args.floating) for robot in args.robots]
    print(*files, sep="\n")
    return subprocess.run([build_check(), *files]).returncode if args.check else 0


if __name__ == "__main__":
    sys.exit(main())
