"""Times of the parts of second derivatives of forward dynamics (paper 000, Fig. 18).

``python -m benchmarks fd_so_parts``. The first panel is about `FD_SO_derivatives`: the three
functions that it calls, and the kernel that adds inner and outer terms tile by tile, so that the
two cannot be timed apart. The second panel is about the products of the paper, as dense products:
three of dM/dq with a matrix (inner terms) and four of H^-1 with a tensor (outer terms).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.crossover import products
from benchmarks.results_file import Row
from benchmarks.timing import interleaved
from derivatives import FD_derivatives, FD_SO_derivatives, ID_SO_derivatives
from derivatives.fd_so_tensors import sums_for
from spatial_v2 import FDab, Model
from spatial_v2.calls.prepare import kernel_tree
from spatial_v2.engine.algorithms.FD_SO_derivatives import FD_SO_derivatives as kernel
from spatial_v2.engine.numbers.cache_lines import MANY

WHOLE, SUM = "FD_SO_derivatives", "sum of the parts"
COMPILED = {
    "FDab": "forward dynamics",
    "FD_derivatives": "first derivatives",
    "ID_SO_derivatives": "IDSVA-SO, packed",
    "terms": "inner and outer terms, one kernel",
}
DENSE = {"ID_SO_derivatives": "IDSVA-SO", "inner": "inner terms", "outer": "outer terms"}
TIMES = {"inner terms": 3, "outer terms": 4}


def terms(
    model: Model, q: np.ndarray, qd: np.ndarray, tau: np.ndarray
) -> tuple[Callable[[], object], list[np.ndarray]]:
    """Return the call of the kernel that adds inner and outer terms, and the tensors it fills."""
    n, first = model.NV, FD_derivatives(model, q, qd, tau)
    packed = ID_SO_derivatives(model, q, qd, FDab(model, q, qd, tau), packed=True)
    values = [np.pad(tensor.values, (0, 1))[None] for tensor in packed[:3]]
    tensors = [np.zeros((1, n, n * n)) for _ in range(4)]
    given: Any = (q[None], tuple(x[None] for x in first), tuple(values), tuple(tensors))
    head = kernel_tree(model), sums_for(model)[1], n**3 >= MANY
    return partial(kernel, *head, *given), tensors


def parts(
    model: Model, q: np.ndarray, qd: np.ndarray, x: np.ndarray
) -> dict[str, Callable[[], object]]:
    """Return the calls to time, by the name of the part; all results are preallocated."""

    def into_given(function: Callable[..., object], **options: object) -> Callable[[], object]:
        made = function(model, q, qd, x, **options)
        return partial(function, model, q, qd, x, out=made, **options)

    products_of = products(model, q, qd, x)
    return {
        WHOLE: into_given(FD_SO_derivatives),
        COMPILED["FDab"]: into_given(FDab),
        COMPILED["FD_derivatives"]: into_given(FD_derivatives),
        COMPILED["ID_SO_derivatives"]: into_given(ID_SO_derivatives, packed=True),
        COMPILED["terms"]: terms(model, q, qd, x)[0],
        DENSE["ID_SO_derivatives"]: into_given(ID_SO_derivatives),
        DENSE["inner"]: products_of["inner"][0],
        DENSE["outer"]: products_of["outer"][0],
    }


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Yield a row for each model and part: time of one state [us], and the share of the whole."""
    for family, model in study.models(args):
        us = interleaved(parts(model, *study.states(args, model)[0]), **args.effort)
        us = {part: time * TIMES.get(part, 1) for part, time in us.items()}
        us[SUM] = sum(us[part] for part in COMPILED.values())
        for part, time in us.items():
            row = {"family": family, "n": model.NB, "part": part}
            yield row | {"us": time, "share": time / us[WHOLE]}


def main() -> None:
    args = study.options(__doc__, sizes=[5, 10, 20, 40, 60, 80, 100])
    rows = study.table("fd_so_parts", args, measure)
    fig, (here, dense) = study.figure(2, height=3.5)
    names = [WHOLE, *COMPILED.values()]
    study.curves(here, rows, "us", names, key="part")
    here.set(title="FD_SO_derivatives, one state", ylabel="µs")
    study.curves(dense, rows, "us", [WHOLE, *DENSE.values()], key="part")
    dense.set(title="the products of the paper, dense")
    study.panel_legend(here, names)
    study.panel_legend(dense, [WHOLE, *DENSE.values()])
    study.save(fig, args, "fd_so_parts")


if __name__ == "__main__":
    main()
