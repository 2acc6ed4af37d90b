"""Kernels in forward mode beside analytic derivatives, versus directions (paper 001, Fig. 2).

Run from the root of the repository: ``python -m benchmarks.paper_001.forward_mode``. For the
pendulum of ten links of `benchmarks.paper_001.effort`, in batches of 256 states: one-sided
differences, the kernels of `benchmarks.paper_001.forward_kernels`, whose cost grows with the number
of directions, and the derivatives of this library in all directions, multiplied by the given ones.
Times are those of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.paper_001 import forward_constrained, forward_kernels
from benchmarks.paper_001.effort import BATCH, draw, exact, one_sided
from benchmarks.paper_001.functions import functions
from benchmarks.paper_001.models import multipendulum
from benchmarks.timing import interleaved
from spatial_v2 import ConstraintSet, Model
from spatial_v2.calls.prepare import kernel_tree
from spatial_v2.constraints.prepared import Options, constrained_record
from spatial_v2.engine.compiled import CompiledKernel
from spatial_v2.engine.kernel import Record

__all__ = ["FORWARD", "FUNCTIONS", "forward", "forward_call", "measure"]

FUNCTIONS = ("FDCONT", "NEFF", "CRBA", "ABA")
FORWARD = "forward mode"
METHODS = {"one-sided difference": "one-sided", FORWARD: FORWARD, "all directions": "analytic"}


def forward_call(
    name: str, model: Model, held: ConstraintSet, z: np.ndarray, D: np.ndarray
) -> tuple[Callable[[], object], list[np.ndarray]]:
    """Return the call of a kernel in forward mode, and the results that it fills: values, then
    derivatives.
    """
    n, (states, p, size) = model.NV, D.shape
    state = np.split(z, size // n, axis=-1)
    along = [np.ascontiguousarray(x) for x in np.split(D, size // n, axis=-1)]
    state = [np.ascontiguousarray(x) for x in state]
    of = Record(kernel_tree(model))
    kernel: Any = getattr(forward_kernels, KERNELS[name], None)
    shapes: list[tuple[int, ...]] = [(n,), (p, n)]
    if name == "NEFF":
        state.append(np.zeros_like(z[:, :n]))
    elif name == "CRBA":
        shapes = [(n, n), (p, n, n)]
    elif name == "FDCONT":
        of, kernel = constrained_record(model, held, Options()), forward_constrained.KKT_FD
        shapes = [(n, 1), (held.m, 1), (n, p), (held.m, p)]
    results = [np.zeros((states, *shape)) for shape in shapes]
    run = CompiledKernel(kernel).run
    return partial(run, of, [*state, *along], results, True), results


KERNELS = {"FDCONT": "", "NEFF": "ID", "CRBA": "CRBA", "ABA": "FDab"}


def forward(
    name: str, model: Model, held: ConstraintSet, z: np.ndarray, D: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Compute values (batch, k) and derivatives (batch, p, k) along directions D (batch, p, n), as
    those of `benchmarks.paper_001.effort`.
    """
    call, found = forward_call(name, model, held, z, D)
    call()
    if name == "FDCONT":
        value, change = np.concatenate(found[:2], axis=1), np.concatenate(found[2:], axis=1)
        return value[..., 0], np.swapaxes(change, -1, -2)
    value, change = found
    return value.reshape(len(z), -1), change.reshape(*D.shape[:2], -1)


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each function, method and number of directions: time of a state, and its
    ratio to that of the function.
    """
    model, held = multipendulum(args.links)
    rng, every = np.random.default_rng([args.seed, model.NV]), functions(model, held)
    z = rng.uniform(-np.pi, np.pi, (BATCH, 3 * model.NV))
    calls: dict[Any, Callable[[], object]] = {}
    for name in FUNCTIONS:
        f, at = every[name], z[:, : every[name].size]
        calls[name, "value", 0] = partial(f.value, at)
        for p in args.directions:
            D = rng.normal(size=(BATCH, p, f.size))
            calls[name, "one-sided difference", p] = partial(one_sided, f, at, D)
            calls[name, FORWARD, p] = forward_call(name, model, held, at, D)[0]
            calls[name, "all directions", p] = partial(exact, f, at, D)
    us = interleaved(calls, time.thread_time, **args.effort)
    for (name, method, p), one in us.items():
        ratio = one / us[name, "value", 0]
        row = {"function": name, "method": method, "directions": p}
        yield row | {"us": one / BATCH, "ratio": ratio}


def main() -> None:
    args = study.options(__doc__)
    args.seed, args.links, args.directions = 0, 10, [1, 2, 3, 5, 10, 20, 30]
    rows = study.table("forward_mode", args, measure)
    draw(rows, args, "forward_mode", FUNCTIONS, METHODS)


if __name__ == "__main__":
    main()
