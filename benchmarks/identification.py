"""Identification of a Panda from any number of samples, in the memory of one batch.

Run by ``python -m benchmarks identification``. Batches of random motions and of torques, with
errors of standard deviation 0.1 N m, are generated during the identification. Memory is the peak of
the process so far; numbers of samples increase from row to row.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections.abc import Iterator

import numpy as np

from benchmarks import study
from spatial_v2 import (
    ID,
    RPNA,
    ComputeBases,
    Model,
    Panda_model,
    getModelInertialParams,
    identify,
    pinertiaToVec,
    random_configuration,
)

BATCH = 10_000
SIGMA = 0.1


def panda() -> Model:
    """Return the arm, with links that consist of six point masses each."""
    rng = np.random.default_rng(7)
    points = np.concatenate([rng.normal(0, 0.1, (7, 6, 3)), np.ones((7, 6, 1))], axis=-1)
    masses = rng.uniform(0.2, 1.0, (7, 6))
    return Panda_model(pinertiaToVec(np.einsum("nk,nki,nkj->nij", masses, points, points)))


def measurements(model: Model, samples: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield batches of random motions, and of their torques with noise."""
    for k in range(0, samples, BATCH):
        rng = np.random.default_rng(k)
        n = min(BATCH, samples - k)
        q = random_configuration(model, rng, (n,))
        qd, qdd, errors = rng.normal(size=(3, n, model.NV))
        yield q, qd, qdd, ID(model, q, qd, qdd) + SIGMA * errors


def peak() -> float:
    """Return the peak memory of this process so far [MB]."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each number of samples."""
    model = panda()
    null = RPNA(model)
    truth = ComputeBases(model, null.N, null.M).Perp_Basis.T @ getModelInertialParams(model).a
    identify(model, measurements(model, BATCH))
    for samples in args.sizes:
        begin = time.perf_counter()
        found = identify(model, measurements(model, samples))
        seconds = time.perf_counter() - begin
        error = float(np.abs(found.base - truth).max())
        row = {"samples": samples, "s": seconds, "MB": peak(), "error": error}
        yield row | {"arrays_MB": samples * 4 * model.NV * 8 / 1e6}


def main() -> None:
    args = study.options(__doc__, sizes=[100_000, 1_000_000, 10_000_000])
    if args.fast:
        args.sizes = args.sizes[:1]
    study.table("identification", args, measure)


if __name__ == "__main__":
    main()
