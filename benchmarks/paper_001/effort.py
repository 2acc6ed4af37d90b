"""Cost of derivatives divided by that of the function, versus the number of directions (paper 001).

Fig. 2 and Table 1 of the paper, for a pendulum of ten links whose tip is held. Run from the root of
the repository, with ``OMP_NUM_THREADS=1``: ``python -m benchmarks.paper_001.effort``. All calls are
of batches of 256 states, so that arithmetic counts and not Python; difference methods put all
states that they need into one batch. Of `KKT_FD_directional_derivative`, the paper's Algorithm 4,
the cost of the reference implementation is divided by that of the reference implementation of
`KKT_FD`. The solution of (1) is that of its linear system alone, by LAPACK.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from benchmarks import study
from benchmarks.paper_001.functions import Differentiable, functions
from benchmarks.paper_001.models import multipendulum
from benchmarks.paper_001.solution import SOLUTION, solution_calls
from benchmarks.timing import interleaved
from derivatives import KKT_FD_directional_derivative
from spatial_v2 import KKT_FD, ConstraintSet, Model

BATCH = 256
METHODS = {
    "one-sided difference": "one-sided",
    "central difference": "central",
    "exact, all directions": "exact, kernel",
    "exact, Algorithm 4": "exact, Algorithm 4 (reference)",
    "exact, one factorisation": "exact, one factorisation",
}
FUNCTIONS = ("FDCONT", "NEFF", "CRBA")
SHOWN = (*FUNCTIONS, SOLUTION)


def one_sided(f: Differentiable, z: np.ndarray, D: np.ndarray) -> np.ndarray:
    """Compute derivatives (batch, p, k) in p directions D (batch, p, n) by forward differences,
    with 1 + p evaluations.
    """
    h = 2.0**-26
    found = f.value(z[:, None] + h * np.concatenate([0 * D[:, :1], D], axis=1))
    return (found[:, 1:] - found[:, :1]) / h


def central(f: Differentiable, z: np.ndarray, D: np.ndarray) -> np.ndarray:
    """Compute derivatives by central differences, with 2 p evaluations for p directions."""
    h, p = 2.0**-17, D.shape[1]
    found = f.value(z[:, None] + h * np.concatenate([D, -D], axis=1))
    return (found[:, :p] - found[:, p:]) / (2 * h)


def exact(f: Differentiable, z: np.ndarray, D: np.ndarray) -> np.ndarray:
    """Compute derivatives in the directions from analytic derivatives along all variables."""
    return np.asarray(D @ np.swapaxes(f.exact(z), -1, -2))


def algorithm_4(model: Model, held: ConstraintSet, z: np.ndarray, D: np.ndarray) -> np.ndarray:
    """Compute derivatives of accelerations and multipliers along the directions D by
    Algorithm 4.
    """
    page: Any = KKT_FD_directional_derivative.reference
    found = page(model, *np.split(z[:, None], 3, -1), *np.split(D, 3, -1), held)
    return np.concatenate(found[2:], axis=-1)


def calls(model: Model, held: ConstraintSet, directions: list[int], seed: int) -> dict[Any, Any]:
    """Return timed calls by function, method and number of directions; number 0 is the function
    itself.
    """
    rng = np.random.default_rng([seed, model.NV])
    z = rng.uniform(-np.pi, np.pi, (BATCH, 3 * model.NV))
    found: dict[Any, Callable[[], object]] = {}
    every = functions(model, held)
    for name in FUNCTIONS:
        f, at = every[name], z[:, : every[name].size]
        found[name, "value", 0] = partial(f.value, at)
        for p in directions:
            D = rng.normal(size=(BATCH, p, f.size))
            for method, call in zip(METHODS, (one_sided, central, exact), strict=False):
                found[name, method, p] = partial(call, f, at, D)
            if name == "FDCONT":
                found[name, "exact, Algorithm 4", p] = partial(algorithm_4, model, held, z, D)
    for method, p, solved in solution_calls(model, held, z[:, : model.NV], directions, rng):
        found[SOLUTION, method, p] = solved
    page: Any = KKT_FD.reference
    found["FDCONT", "reference implementation", 0] = partial(page, model, *np.split(z, 3, -1), held)
    return found


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each function, method and number of directions: time of a state, and
    relative cost.
    """
    model, held = multipendulum(args.links)
    us = interleaved(calls(model, held, args.directions, args.seed), **args.effort)
    for (name, method, p), time in us.items():
        own = (
            (name, "reference implementation", 0)
            if method == "exact, Algorithm 4"
            else (name, "value", 0)
        )
        row = {"function": name, "method": method, "directions": p}
        yield row | {"us": time / BATCH, "ratio": time / us[own] if p else 1.0}


def draw(
    rows: list[study.Row], args: argparse.Namespace, file: str, names: Sequence[str],
    methods: Mapping[str, str],
) -> None:  # fmt: skip
    """Draw a panel for each of four functions: the cost of each method over the directions."""
    fig, panels = study.figure(4)
    for axes, name in zip(panels, names, strict=True):
        for colour, method in zip(study.COLOURS, methods, strict=False):
            mine = [r for r in rows if (r["function"], r["method"]) == (name, method)]
            points = [r["directions"] for r in mine], [r["ratio"] for r in mine]
            axes.plot(*points, color=colour, marker="o")
        axes.set(title=name, xlabel="directions p", ylim=(0, None))
    panels[0].set(ylabel="time over that of the function")
    study.legend(fig, methods.values(), families=())
    study.save(fig, args, file)


def main() -> None:
    args = study.options(__doc__)
    args.seed, args.links, args.directions = 0, 10, [1, 2, 5, 10, 20, 30]
    rows = study.table("effort", args, measure)
    draw(rows, args, "effort", SHOWN, METHODS)


if __name__ == "__main__":
    main()
