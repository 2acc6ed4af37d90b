"""Cost of armature, damping and friction in the joints.

Run by ``python -m benchmarks.joint_terms``. A ratio is the time for a robot with all three terms
divided by that for the same robot without them. It is given for a single call, and for a state in a
batch with preallocated results.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

import derivatives as dv
import spatial_v2 as sv
from benchmarks import study
from benchmarks.engine.functions import Function
from benchmarks.engine.measure import batch_of
from benchmarks.results_file import Row
from benchmarks.robots import robot, states
from benchmarks.timing import interleaved

FUNCTIONS: dict[Any, str] = {
    sv.ID: "qvx",
    sv.FDab: "qvx",
    sv.CRBA: "q",
    sv.HandC: "qv",
    sv.Hinverse: "q",
    dv.CoriolisMatrix: "qv",
    dv.ID_derivatives: "qvx",
    dv.FD_derivatives: "qvx",
    dv.modFD: "qvxl",
    dv.modFD_derivatives: "qvxl",
    dv.modFD_second_derivatives: "qvxl",
    dv.ID_SO_derivatives: "qvx",
    dv.FD_SO_derivatives: "qvx",
}
"""Functions and their arguments; see `states`."""


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot and function."""
    for name in args.robots:
        bare = robot(name)
        models = {"bare": bare, "full": bare.replace(armature=0.1, damping=0.5, friction=0.2)}
        sample = states(bare, 256)
        for call, arguments in FUNCTIONS.items():
            function = Function(call.__name__, call, arguments, "")
            batch = batch_of(function, bare, sample)
            calls: dict[tuple[str, str], Any] = {}
            for form, which in (("single", 0), ("batch", slice(0, batch))):
                x = function.chosen(sample, which)
                for what, model in models.items():
                    out = call(model, *x)
                    given = {} if isinstance(out, float) else {"out": out}
                    calls[form, what] = partial(call, model, *x, **given)
            us = interleaved(calls, **args.effort)
            row: Row = {"robot": name, "function": call.__name__, "states": batch}
            for form, count in (("single", 1), ("batch", batch)):
                row[form] = us[form, "bare"] / count
                row[f"{form} ratio"] = us[form, "full"] / us[form, "bare"]
            yield row


def main() -> None:
    study.table("joint_terms", study.options(__doc__, robots=["ur5", "hyq"]), measure)


if __name__ == "__main__":
    main()
