"""Times of one thread, and of two threads that share a batch.

Run by ``python -m benchmarks.threads``. Both compute the same states into preallocated results.
Functions that are limited by the memory bandwidth gain less.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import derivatives
import spatial_v2
from benchmarks import study
from benchmarks.machine import CORES, use_all_cores
from benchmarks.results_file import Row
from benchmarks.robots import robot, states
from benchmarks.timing import interleaved

FUNCTIONS: dict[Any, str] = {
    spatial_v2.ID: "qvx",
    spatial_v2.FDab: "qvx",
    spatial_v2.HandC: "qv",
    derivatives.ID_derivatives: "qvx",
    derivatives.FD_derivatives: "qvx",
    derivatives.ID_SO_derivatives: "qvx",
    derivatives.FD_SO_derivatives: "qvx",
}
"""Functions and their arguments; see `states`."""
NUMBERS = 2**27
"""Maximum count of numbers in the results of a batch of tensors: a gigabyte."""


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot and function."""
    use_all_cores()
    for name in args.robots:
        model = robot(name)
        for function, given in FUNCTIONS.items():
            size = sum(int(np.prod(shape)) for shape in function.result_shapes(model))
            count = min(args.states, max(NUMBERS // size // 256, 1) * 256)
            x = [np.ascontiguousarray(states(model, count)[key]) for key in given]
            calls = {
                workers: partial(function, model, *x, out=function(model, *x), workers=workers)
                for workers in (1, 2)
            }
            us = {workers: t / count for workers, t in interleaved(calls, **args.effort).items()}
            yield {
                "robot": name, "function": function.__name__, "states": count,
                "one": us[1], "two": us[2], "gain": us[1] / us[2], "cores": len(CORES),
            }  # fmt: skip


def main() -> None:
    args = study.options(__doc__, robots=["ur5", "hyq", "talos"])
    args.states = 8192
    study.table("threads", args, measure)


if __name__ == "__main__":
    main()
