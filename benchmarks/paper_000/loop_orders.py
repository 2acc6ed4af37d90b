"""Times of IDSVA-SO with three and with two nested loops (paper 000, Sec. IV-G).

``python -m benchmarks loop_orders``. The backward pass alone is timed, see
`benchmarks.paper_000.loops`; the forward pass is the same. Bodies are numbered depth first.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks import study
from benchmarks.paper_000.loops import inputs, results, three_loops, two_loops
from benchmarks.robots import robot
from benchmarks.timing import interleaved
from derivatives import ID_SO_derivatives

FORMS = {"three loops": three_loops, "two loops": two_loops}
TREES = {"serial chain": "chain", "binary tree": "tree"}


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each tree and form: time of one state [us], and the largest error."""
    calls: dict[tuple[str, int, str], Callable[[], object]] = {}
    errors = {}
    for n in args.sizes:
        for family, kind in TREES.items():
            model = robot(f"{kind}{n}")
            state = study.states(args, model)[0]
            truth, given = np.stack(ID_SO_derivatives(model, *state)), inputs(model, *state)
            for name, form in FORMS.items():
                found = results(n)
                call = calls[family, n, name] = partial(form, *given, *found)
                call()
                scale = np.abs(truth).max(axis=(1, 2, 3), keepdims=True)
                errors[family, n, name] = float((np.abs(found - truth) / scale).max())
    for key, us in interleaved(calls, **args.effort).items():
        row = dict(zip(("family", "n", "method"), key, strict=True))
        yield row | {"us": us, "error": errors[key]}


def main() -> None:
    args = study.options(__doc__, sizes=[2, 5, 10, 20, 40, 60, 80, 100])
    rows = study.table("loop_orders", args, measure)
    fig, (axes,) = study.figure(1, height=3.5)
    study.curves(axes, rows, "us", FORMS)
    axes.set(title="IDSVA-SO, backward pass of one state", ylabel="µs")
    study.legend(fig, FORMS)
    study.save(fig, args, "loop_orders")


if __name__ == "__main__":
    main()
