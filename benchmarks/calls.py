"""Times of calls with each kind of arguments and options.

Run by ``python -m benchmarks calls calls_plain``. Times are microseconds of a call, for one state
and for a batch of 32. The study `calls_plain` measures the same calls without the extension in C.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

import derivatives as dv
import spatial_v2 as sv
from benchmarks import study
from benchmarks.results_file import Row
from benchmarks.robots import robot, states
from benchmarks.timing import interleaved

FUNCTIONS: dict[Any, str] = {
    sv.ID: "qvx",
    sv.FDab: "qvx",
    sv.HandC: "qv",
    dv.CoriolisMatrix: "qv",
    dv.ID_derivatives: "qvx",
    dv.FD_derivatives: "qvx",
    dv.ID_SO_derivatives: "qvx",
}
"""Functions, each with the letters of its arguments; see `states`."""
BATCH = 32


def strided(x: np.ndarray) -> np.ndarray:
    """Return a copy of x that consists of every second number of a longer array."""
    return np.repeat(x, 2, axis=-1)[..., ::2]


def forms(function: Any, model: Any, x: dict[str, np.ndarray], names: str) -> dict[str, Any]:
    """Return the calls to time, by the kind of their arguments or their option."""
    one, many = [x[k][0] for k in names], [x[k] for k in names]
    call: Callable[..., Any] = partial(function, model)
    mixed = [one[0], *many[1:]]
    found: dict[str, Any] = {
        "arrays": partial(call, *one),
        "bound": partial(function.bind(model), *one),
        "given results": partial(call, *one, out=call(*one)),
        "lists": partial(call, *(a.tolist() for a in one)),
        "strided arrays": partial(call, *map(strided, one)),
        "batch": partial(call, *many),
        "batch, bound": partial(function.bind(model), *many),
        "batch, given results": partial(call, *many, out=call(*many)),
        "batch, strided": partial(call, *map(strided, many)),
        "batch, one q": partial(call, *mixed),
        "batch of two axes": partial(call, *(a.reshape(4, -1, a.shape[-1]) for a in many)),
    }
    if function.work.takes_force:
        force = np.zeros((model.NB, 6))
        found["forces"] = partial(call, *one, force)
        found["forces, by body"] = partial(call, *one, {0: force[0]})
    if function.work.runs:
        found["packed"] = partial(call, *one, packed=True)
        found["batch, packed"] = partial(call, *many, packed=True)
    return found


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each robot, function and kind of call."""
    for name in args.robots:
        model = robot(name)
        sample = states(model, BATCH)
        for function, names in FUNCTIONS.items():
            us = interleaved(forms(function, model, sample, names), **args.effort)
            for form, time in us.items():
                yield {"robot": name, "function": function.__name__, "form": form, "us": time}


def main() -> None:
    study.table("calls", study.options(__doc__, robots=["ur5", "hyq"]), measure)


if __name__ == "__main__":
    main()
