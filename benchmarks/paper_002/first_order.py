"""First derivatives of ID and FD: accuracy and time versus size (paper 002, Sec. V and Fig. 2).

Run from the root of the repository, with ``OMP_NUM_THREADS=1``:
``python -m benchmarks.paper_002.first_order``. IDSVA and FDSVA run compiled; the chain rules are
NumPy code, so IDSVA is timed in its reference implementation too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from benchmarks import study
from benchmarks.timing import interleaved
from derivatives import FD_derivatives, ID_derivatives
from derivatives.reference import chain_rule, errors, first_order_complex
from derivatives.reference.functions import FunctionName
from spatial_v2 import FDab, Hinverse, Model

Method = Callable[[Model, np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, ...]]


def complex_step(function: FunctionName) -> Method:
    """Return a method that computes exact derivatives by complex steps of the reference
    implementations.
    """
    return lambda model, q, qd, u: tuple(first_order_complex(model, q, qd, u, function)[:2])


def fdcr(model: Model, q: np.ndarray, qd: np.ndarray, tau: np.ndarray) -> tuple[np.ndarray, ...]:
    """Compute derivatives by the method FDCR: the chain rule through RNEA, then the product with
    H^-1.
    """
    Minv = Hinverse(model, q)
    return tuple(-Minv @ d for d in chain_rule(model, q, qd, FDab(model, q, qd, tau))[:2])


METHODS: dict[str, dict[str, Method]] = {
    "ID": {
        "IDSVA": ID_derivatives,
        "RNEACR": lambda model, q, qd, u: chain_rule(model, q, qd, u)[:2],
        "IDSVA, reference implementation": ID_derivatives.reference,
        "complex step": complex_step("ID"),
    },
    "FD": {
        "FDSVA": lambda *state: FD_derivatives(*state)[:2],
        "ABACR": lambda model, q, qd, u: chain_rule(model, q, qd, u, "FD")[:2],
        "FDCR": fdcr,
        "complex step": complex_step("FD"),
    },
}


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each model, function and method: errors over all states, time of
    one state.
    """
    calls, found = {}, {}
    for family, model in study.models(args):
        sample = study.states(args, model)
        for function, methods in METHODS.items():
            truth = np.stack([methods["complex step"](model, *state) for state in sample])
            for name, method in methods.items():
                key = family, model.NB, function, name
                found[key] = errors(np.stack([method(model, *s) for s in sample]), truth)
                calls[key] = partial(method, model, *sample[0])
    for key, us in interleaved(calls, **args.effort).items():
        row = dict(zip(("family", "n", "function", "method"), key, strict=True))
        yield row | found[key]._asdict() | {"us": us}


def main() -> None:
    args = study.options(__doc__, sizes=[2, 5, 10, 20, 50, 100], states=5)
    rows = study.table("first_order", args, measure)
    for function, methods in METHODS.items():
        chosen = [row for row in rows if row["function"] == function]
        fig, (error, time) = study.figure(2)
        study.curves(error, chosen, "rmsre", [m for m in methods if m != "complex step"])
        error.set(title=f"First derivatives of {function}: error", ylabel="RMSRE")
        study.curves(time, chosen, "us", methods)
        time.set(title="Time per state, as implemented here", ylabel="µs")
        study.legend(fig, methods)
        study.save(fig, args, f"first_order_{function.lower()}")


if __name__ == "__main__":
    main()
