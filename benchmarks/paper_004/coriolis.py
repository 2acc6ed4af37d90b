"""Coriolis matrix and Christoffel symbols: largest errors and times (paper 004, Sec. 5, Table 1).

Run from the root of the repository: ``OMP_NUM_THREADS=1 python -m benchmarks.paper_004.coriolis``.
As in the paper q is drawn from [0, 2 pi] rad and qd from [0, 10] rad/s.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

from benchmarks import study
from benchmarks.timing import interleaved
from derivatives import Christoffel, CoriolisMatrix
from derivatives.reference.complex_step import STEP
from spatial_v2 import ID, HandC, Model

LAWS = {"C qd": "C q̇ = RNEA", "Hdot": "Ḣ = C + Cᵀ", "Gamma": "C = Σ Γ q̇"}
ALGORITHMS = {"CoriolisMatrix": "CoriolisMatrix", "Christoffel": "Christoffel"}


def residuals(model: Model, q: np.ndarray, qd: np.ndarray) -> dict[str, tuple[np.ndarray, float]]:
    """What each law leaves over, and the size of what it compares; dH/dt is by complex step."""
    C = CoriolisMatrix(model, q, qd).C
    force = ID(model.replace(gravity=[0, 0, 0]), q, qd, 0 * qd)
    rate = HandC(model, q + 1j * STEP * qd, qd).H.imag / STEP
    contracted = np.einsum("...ijk,...j->...ik", Christoffel(model, q), qd)
    return {
        "C qd": ((C @ qd[..., None])[..., 0] - force, np.abs(force).max()),
        "Hdot": (rate - C - np.matrix_transpose(C), np.abs(rate).max()),
        "Gamma": (C - contracted, np.abs(C).max()),
    }


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """A row for each model and law, and one for the time of each algorithm."""
    for family, model in study.models(args):
        rng = np.random.default_rng([args.seed, model.NV])
        q = rng.uniform(0, 2 * np.pi, (args.states, model.NV))
        qd = rng.uniform(0, 10, (args.states, model.NV))
        common = {"family": family, "n": model.NB}
        for law, (left, size) in residuals(model, q, qd).items():
            error = float(np.abs(left).max())
            yield common | {"what": law, "value": error, "relative": error / size}
        calls = {
            "CoriolisMatrix": lambda: CoriolisMatrix(model, q[0], qd[0]),  # noqa: B023
            "Christoffel": lambda: Christoffel(model, q[0]),  # noqa: B023
        }
        for name, us in interleaved(calls).items():
            yield common | {"what": name, "value": us, "relative": float("nan")}


def main() -> None:
    args = study.options(__doc__, sizes=[5, 10, 20, 30, 50, 100], states=100)
    rows = study.table("coriolis", args, measure)
    everything = LAWS | ALGORITHMS
    fig, (error, time) = study.figure(2)
    laws = [row for row in rows if row["what"] in LAWS]
    study.curves(error, laws, "value", everything, key="what")
    error.set(title="Largest error of 100 random states", ylabel="N m, N m s")
    timed = [row for row in rows if row["what"] in ALGORITHMS]
    study.curves(time, timed, "value", everything, key="what")
    time.set(title="Time of one call", ylabel="µs")
    study.legend(fig, everything.values())
    study.save(fig, args, "coriolis")


if __name__ == "__main__":
    main()
