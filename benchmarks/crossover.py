"""Size from which recursive products are faster than dense ones (paper 000, Fig. 14).

Run by ``python -m benchmarks crossover crossover_generic``; the second study does not use AVX (000,
Fig. 15; 002, Fig. 7 and Table III). Times are for one state and one product: H^-1 times a matrix
(dense matrix product DMM, or recursive product AZA), dM/dq times a matrix (dense tensor product
DTM, or IDFOZA), H^-1 times a tensor (DTM or AZA), as in `FD_derivatives` and `FD_SO_derivatives`.
Beyond `TENSORS` bodies, in the study ``crossover_large``, only the first of the three is timed.
Times are those of the processor.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

import numpy as np

from benchmarks import study
from benchmarks.timing import interleaved
from derivatives import AZA, IDFOZA, ID_derivatives, ID_SO_derivatives
from spatial_v2 import Hinverse, Model
from spatial_v2.models import autoTree

METHODS = ["dense (DMM, DTM)", "AZA or IDFOZA"]
TERMS = {"first": "First order: H⁻¹ times a matrix", "inner": "Inner term", "outer": "Outer term"}
TENSORS = 200
"""Largest number of bodies for which tensors are timed; of 1000 bodies each fills 8 GB."""


def products(
    model: Model, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray
) -> dict[str, tuple[Callable[[], np.ndarray], Callable[[], np.ndarray]]]:
    """Return, for each entry of `TERMS`, two functions: its dense product and its recursive one
    (AZA or IDFOZA).
    """
    n, T = model.NV, np.matrix_transpose
    Minv, B = Hinverse(model, q), ID_derivatives(model, q, qd, qdd).dtau_dq
    first = (lambda: Minv @ B, lambda: T(AZA(model, q[None], T(B))))
    if n > TENSORS:
        return {"first": first}
    P = T(Minv @ B)
    dM = ID_SO_derivatives(model, q, qd, qdd).dM_dq
    flat = dM.reshape(n, n * n)
    return {
        "first": first,
        "inner": (
            lambda: P[None] @ dM,
            lambda: np.moveaxis(IDFOZA(model, q[None], P), -3, -2),
        ),
        "outer": (lambda: Minv @ flat, lambda: T(AZA(model, q[None], T(flat)))),
    }


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each model, term and method; calls are measured in interleaved rounds."""
    calls = {}
    for family, model in study.models(args):
        for term, pair in products(model, *study.states(args, model)[0]).items():
            dense, recursive = (call() for call in pair)
            scale = np.abs(dense).max()
            np.testing.assert_allclose(recursive, dense, atol=1e-8 * scale, rtol=0)
            for method, call in zip(METHODS, pair, strict=True):
                calls[family, model.NB, term, method] = call
    for n in args.sizes:
        model = autoTree(n, 5, args.skew)
        pair = products(model, *study.states(args, model)[0])["first"]
        for method, call in zip(METHODS, pair, strict=True):
            calls["tree of five", n, "first", method] = call
    for key, us in interleaved(calls, time.thread_time, **args.effort).items():
        yield dict(zip(("family", "n", "term", "method"), key, strict=True)) | {"us": us}


def main() -> None:
    args = study.options(__doc__, sizes=[5, 10, 20, 30, 50, 70, 100, 140, 200], states=1)
    rows = study.table("crossover", args, measure)
    shown = [term for term in TERMS if max(args.sizes) <= TENSORS or term == "first"]
    fig, panels = study.figure(len(shown))
    for axes, term in zip(panels, shown, strict=True):
        chosen = [row for row in rows if row["term"] == term]
        study.curves(axes, chosen, "us", METHODS)
        axes.set(title=TERMS[term])
    panels[0].set_ylabel("time [µs]")
    study.legend(fig, METHODS, study.DASHES)
    study.save(fig, args, args.name or "crossover")


if __name__ == "__main__":
    main()
