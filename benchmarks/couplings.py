"""Cost of coupled joints: a coupled model, and its tree with all joints free.

Run by ``python -m benchmarks couplings``. A ratio is the time for the coupled model divided by that
for its tree, of a single call, and of a batch with preallocated results.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

import derivatives as dv
import spatial_v2 as sv
from benchmarks import study
from benchmarks.engine.functions import Function
from benchmarks.engine.measure import batch_of
from benchmarks.results_file import Row
from benchmarks.robots import robot
from benchmarks.timing import interleaved

FUNCTIONS: dict[Any, str] = {
    sv.ID: "qvx",
    sv.FDab: "qvx",
    sv.CRBA: "q",
    sv.HandC: "qv",
    sv.Hinverse: "q",
    dv.ID_derivatives: "qvx",
    dv.FD_derivatives: "qvx",
    dv.ID_SO_derivatives: "qvx",
}
"""Functions and their arguments: positions, velocities, and accelerations or forces."""


def sample(model: sv.Model) -> dict[str, np.ndarray]:
    """Return random states of a model."""
    rng = np.random.default_rng(0)
    states = {name: rng.normal(size=(256, model.NV)) for name in "vx"}
    return {"q": sv.random_configuration(model, rng, 256)} | states


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot and function."""
    for name in args.robots:
        tree = robot(name)
        models = {"tree": tree, "coupled": sv.couple(tree, mimic=tree.mimic)}
        states = {what: sample(model) for what, model in models.items()}
        for call, arguments in FUNCTIONS.items():
            function = Function(call.__name__, call, arguments, "")
            batch = batch_of(function, tree, states["tree"])
            calls: dict[tuple[str, str], Any] = {}
            for what, model in models.items():
                for form, which in (("single", 0), ("batch", slice(0, batch))):
                    x = function.chosen(states[what], which)
                    out = call(model, *x)
                    given = {} if form == "single" else {"out": out}
                    calls[form, what] = partial(call, model, *x, **given)
            us = interleaved(calls, **args.effort)
            row: Row = {"robot": name, "function": call.__name__, "states": batch}
            row |= {"variables": models["coupled"].NV, "joints": tree.NV}
            for form, count in (("single", 1), ("batch", batch)):
                row[form] = us[form, "coupled"] / count
                row[f"{form} ratio"] = us[form, "coupled"] / us[form, "tree"]
            yield row


def main() -> None:
    study.table("couplings", study.options(__doc__, robots=["panda", "talos"]), measure)


if __name__ == "__main__":
    main()
