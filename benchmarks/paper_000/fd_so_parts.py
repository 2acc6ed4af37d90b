"""Times of the parts of second derivatives of forward dynamics (paper 000, Fig. 18).

``python -m benchmarks fd_so_parts``. The parts are timed one by one, as dense products: three of
dM/dq with a matrix (inner terms) and four of H^-1 with a tensor (outer terms).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks import study
from benchmarks.crossover import products
from benchmarks.results_file import Row
from benchmarks.timing import interleaved
from derivatives import FD_derivatives, FD_SO_derivatives, ID_SO_derivatives

PARTS = ["FD_SO_derivatives", "IDSVA-SO", "first derivatives", "inner terms", "outer terms"]
TIMES = {"inner terms": 3, "outer terms": 4}


def measure(args: argparse.Namespace) -> Iterator[Row]:
    """Return a row for each model and part: time of one state [us]."""
    for family, model in study.models(args):
        q, qd, x = study.states(args, model)[0]
        terms = products(model, q, qd, x)
        calls: dict[str, Callable[[], object]] = {
            "FD_SO_derivatives": partial(FD_SO_derivatives, model, q, qd, x),
            "IDSVA-SO": partial(ID_SO_derivatives, model, q, qd, x),
            "first derivatives": partial(FD_derivatives, model, q, qd, x),
            "inner terms": terms["inner"][0],
            "outer terms": terms["outer"][0],
        }
        for part, us in interleaved(calls, **args.effort).items():
            head = {"family": family, "n": model.NB, "part": part}
            yield head | {"us": us * TIMES.get(part, 1)}


def main() -> None:
    args = study.options(__doc__, sizes=[5, 10, 20, 40, 60, 80, 100])
    rows = study.table("fd_so_parts", args, measure)
    fig, (axes,) = study.figure(1, height=3.5)
    study.curves(axes, rows, "us", PARTS, key="part")
    axes.set(title="Parts of FDSVA-SO, one state", ylabel="µs")
    study.legend(fig, PARTS)
    study.save(fig, args, "fd_so_parts")


if __name__ == "__main__":
    main()
