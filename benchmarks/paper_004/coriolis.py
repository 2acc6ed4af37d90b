"""Coriolis matrix and Christoffel symbols: largest errors and times (paper 004, Sec. 5, Table 1).

Run from the root of the repository: ``OMP_NUM_THREADS=1 python -m benchmarks.paper_004.coriolis``.
As in the paper q is drawn from [0, 2 pi] rad and qd from [0, 10] rad/s.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks import study
from benchmarks.robots import robot, states
from benchmarks.timing import interleaved
from derivatives import Christoffel, CoriolisMatrix
from derivatives.reference.complex_step import STEP
from spatial_v2 import CRBA, ID, Model

LEGGED = {"biped": "-", "quadruped": (0, (1.2, 1.2))}
LAWS = {"C qd": "C q̇ = RNEA", "Hdot": "Ḣ = C + Cᵀ", "Gamma": "C = Σ Γ q̇"}
ALGORITHMS = {"CoriolisMatrix": "CoriolisMatrix", "Christoffel": "Christoffel"}


def residuals(model: Model, q: np.ndarray, qd: np.ndarray) -> dict[str, tuple[np.ndarray, float]]:
    """Return the residual of each identity and the scale of its terms; dH/dt is computed by a
    complex step.
    """
    C = CoriolisMatrix(model, q, qd).C
    force = ID(model.replace(gravity=[0, 0, 0]), q, qd, 0 * qd)
    rate = CRBA(model, q + 1j * STEP * qd).imag / STEP
    contracted = np.einsum("...ijk,...j->...ik", Christoffel(model, q), qd)
    return {
        "C qd": ((C @ qd[..., None])[..., 0] - force, np.abs(force).max()),
        "Hdot": (rate - C - np.matrix_transpose(C), np.abs(rate).max()),
        "Gamma": (C - contracted, np.abs(C).max()),
    }


def row(family: str, n: int, what: str, value: float, relative: float) -> study.Row:
    """Return a row of the table: an error [N m, N m s] or a time [us]."""
    return {"family": family, "n": n, "what": what, "value": value, "relative": relative}


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each model and identity, and one for the time of each algorithm."""
    calls = {}
    for family, model in study.models(args):
        rng = np.random.default_rng([args.seed, model.NV])
        q = rng.uniform(0, 2 * np.pi, (args.states, model.NV))
        qd = rng.uniform(0, 10, (args.states, model.NV))
        for law, (left, size) in residuals(model, q, qd).items():
            error = float(np.abs(left).max())
            yield row(family, model.NB, law, error, error / size)
        calls[family, model.NB, "CoriolisMatrix"] = partial(CoriolisMatrix, model, q[0], qd[0])
        calls[family, model.NB, "Christoffel"] = partial(Christoffel, model, q[0])
    for legged in LEGGED:
        for joints in args.legged:
            model = robot(f"{legged}{joints}")
            q, qd = (states(model, 1, args.seed)[key][0] for key in "qv")
            calls[legged, joints, "CoriolisMatrix"] = partial(CoriolisMatrix, model, q, qd)
            calls[legged, joints, "Christoffel"] = partial(Christoffel, model, q)
    for key, us in interleaved(calls, **args.effort).items():
        yield row(*key, us, float("nan"))


def main() -> None:
    args = study.options(__doc__, sizes=[5, 10, 20, 30, 50, 100], states=100)
    args.legged = [4, 8, 12, 20, 28, 40]
    rows = study.table("coriolis", args, measure)
    everything = LAWS | ALGORITHMS
    trees = [row for row in rows if row["family"] not in LEGGED]
    fig, (error, time, legs) = study.figure(3)
    laws = [row for row in trees if row["what"] in LAWS]
    study.curves(error, laws, "value", everything, key="what")
    error.set(title="Largest error, 100 states", ylabel="N m, N m s")
    timed = [row for row in trees if row["what"] in ALGORITHMS]
    study.curves(time, timed, "value", everything, key="what")
    time.set(title="Time of one call", ylabel="µs")
    for family, dashes in LEGGED.items():
        for algorithm in ALGORITHMS:
            mine = [r for r in rows if (r["family"], r["what"]) == (family, algorithm)]
            colour = study.COLOURS[list(everything).index(algorithm)]
            points = [r["n"] for r in mine], [r["value"] for r in mine]
            legs.loglog(*points, color=colour, linestyle=dashes, marker="o")
    legs.set(title="Biped (full), quadruped (dotted)", xlabel="joints of the legs", ylabel="µs")
    study.legend(fig, everything.values())
    study.save(fig, args, "coriolis")


if __name__ == "__main__":
    main()
