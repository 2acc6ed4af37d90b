"""Errors of differences and of exact derivatives on a cart with a pendulum (paper 001, Fig. 1).

Run from the root of the repository: ``python -m benchmarks.paper_001.cart_pendulum``.

As in the paper, q, qd and tau (or qdd) are uniform in [-pi, pi]. Derivatives are in a random
direction of unit length. The error of a sample is the largest error of its elements, divided by the
largest element or by one. Exact values come from complex steps.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from matplotlib.axes import Axes

from benchmarks import study
from benchmarks.paper_001.functions import complex_steps, differences, functions
from benchmarks.paper_001.models import FREE, cart_pendulum, constrained_cart_pendulum
from derivatives import (
    FD_derivatives,
    FD_SO_derivatives,
    KKT_FO_derivatives,
    KKT_SO_derivatives,
)
from spatial_v2 import KKT_FD, ConstraintSet, FDab, Model

METHODS = ("one-sided difference", "central difference", "exact")
MINIMAL, CONSTRAINED = "two degrees of freedom", "with constraints"
SHOWN = {MINIMAL: ("CRBA", "RNEA", "NEFF", "ABA"),
         CONSTRAINED: ("CRBA", "RNEA", "NEFF", "ABA", "FDCONT")}  # fmt: skip
"""Functions that are shown for each model: Figs. 1a and 1b."""
QUANTILES = {"least": 0.0, "5 %": 0.05, "median": 0.5, "95 %": 0.95, "largest": 1.0}
BLOCK = 500


def relative(found: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Return the largest error of each of the samples (samples, ...), divided by its largest
    element or by one.
    """
    axes = tuple(range(1, truth.ndim))
    size = np.maximum(np.abs(truth).max(axis=axes), 1.0)
    return np.asarray(np.abs(found - truth).max(axis=axes) / size)


def statistics(error: np.ndarray) -> study.Row:
    """Return mean and quantiles of the errors of all samples."""
    found = {name: float(np.quantile(error, x)) for name, x in QUANTILES.items()}
    return found | {"mean": float(error.mean())}


def errors(
    name: str, model: Model, held: ConstraintSet | None, samples: int, seed: int
) -> Iterator[study.Row]:
    """Yield a row for each function and method, for the model with this name."""
    rng = np.random.default_rng([seed, model.NV])
    z = rng.uniform(-np.pi, np.pi, (samples, 3 * model.NV))
    direction = rng.normal(size=z.shape)
    for function, f in functions(model, held).items():
        found: dict[str, list[np.ndarray]] = {method: [] for method in METHODS}
        for first in range(0, samples, BLOCK):
            at, D = (x[first : first + BLOCK, : f.size] for x in (z, direction))
            D = (D / np.sqrt((D * D).sum(axis=-1, keepdims=True)))[..., None]
            truth = complex_steps(f, at) @ D
            tried = (differences(f, at, central=False), differences(f, at, central=True))
            for method, J in zip(METHODS, (*tried, f.exact(at)), strict=True):
                found[method].append(relative(J @ D, truth))
        for method, parts in found.items():
            row = {"model": name, "function": function, "method": method}
            yield row | statistics(np.concatenate(parts))


def minimal_against_constrained(samples: int, seed: int) -> Iterator[study.Row]:
    """Yield rows that compare constrained accelerations with those of the model of two degrees of
    freedom.

    Derivatives along x and theta are compared, too.
    """
    small, (model, held) = cart_pendulum(), constrained_cart_pendulum()
    rng = np.random.default_rng([seed, 1])
    q, qd, tau = rng.uniform(-np.pi, np.pi, (3, samples, 2))
    wide = np.zeros((3, samples, 4))
    wide[..., FREE] = q, qd, tau
    Q, Qd, Tau = wide
    every = np.arange(samples)
    two, three = np.ix_(every, FREE, FREE), np.ix_(every, FREE, FREE, FREE)
    pairs = {"qdd": (KKT_FD(model, Q, Qd, Tau, held).qdd[:, FREE], FDab(small, q, qd, tau))}
    ours, theirs = KKT_FO_derivatives(model, Q, Qd, Tau, held), FD_derivatives(small, q, qd, tau)
    for name in ("dqdd_dq", "dqdd_dqd", "dqdd_dtau"):
        pairs[name] = getattr(ours, name)[two], getattr(theirs, name)
    ours2 = KKT_SO_derivatives(model, Q, Qd, Tau, held)
    theirs2 = FD_SO_derivatives(small, q, qd, tau)
    for name in ("d2qdd_dq", "d2qdd_dqd", "d2qdd_cross"):
        pairs[name] = getattr(ours2, name)[three], getattr(theirs2, name)
    pairs["d2qdd_dtauq"] = ours2.d2qdd_dtauq[three], theirs2.dMinv_dq
    for name, (x, y) in pairs.items():
        yield {"function": name, "method": "as two degrees of freedom"} | statistics(relative(x, y))


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield all rows."""
    yield from errors(MINIMAL, cart_pendulum(), None, args.samples, args.seed)
    yield from errors(CONSTRAINED, *constrained_cart_pendulum(), args.samples, args.seed)
    yield from minimal_against_constrained(args.samples, args.seed)


def main() -> None:
    args = study.options(__doc__)
    args.seed, args.samples = 0, 1000 if args.fast else 10_000
    rows = study.table("cart_pendulum", args, measure)

    for (model, names), letter in zip(SHOWN.items(), "ab", strict=True):
        fig, panels = study.figure(len(names), height=2.9)
        for axes, name in zip(panels, names, strict=True):
            of_it = [r for r in rows if (r.get("model"), r["function"]) == (model, name)]
            bars(axes, {r["method"]: r for r in of_it})
            axes.set(title=name)
        panels[0].set(ylabel=f"relative error, {model}")
        study.legend(fig, METHODS, families=())
        study.save(fig, args, f"cart_pendulum_{letter}")


def bars(axes: Axes, rows: dict[str, study.Row]) -> None:
    """Draw the errors of each method: nine tenths of the samples, the median, and the largest."""
    for x, (colour, method) in enumerate(zip(study.COLOURS, METHODS, strict=False)):
        low, middle, high = (max(rows[method][key], 1e-17) for key in ("5 %", "median", "95 %"))
        axes.plot([x, x], [low, high], color=colour, linewidth=5, alpha=0.4)
        axes.plot([x], [middle], color=colour, marker="o")
        axes.plot([x], [rows[method]["largest"]], color=colour, marker="_", markersize=8)
    axes.set(yscale="log", ylim=(1e-17, 1e-4), xlim=(-0.6, 2.6), xticks=[])
    axes.minorticks_off()


if __name__ == "__main__":
    main()
