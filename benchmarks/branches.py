"""Factors that preserve the zeros between branches, compared with LAPACK's Cholesky factor.

Run by ``python -m benchmarks sparsity``. The matrices are joint-space inertias of trees, for one
state and for batches. Times are per state: of the factor alone, and of solving H x = tau with it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from benchmarks import study
from benchmarks.timing import interleaved
from spatial_v2 import CRBA, LTL, expandLambda, mpyLi, mpyLit
from spatial_v2.models import autoTree

METHODS = ["LAPACK", "branch-induced sparsity"]
FAMILIES = {"serial chain": 1.0, "binary tree": 2.0, "tree of five": 5.0}
BATCH = 1000


def measure(args: argparse.Namespace) -> Iterator[study.Row]:
    """Yield a row for each family, size, number of states, task and method.

    All calls are measured in interleaved rounds.
    """
    calls, states = {}, {}
    for n in args.sizes:
        for family, bf in FAMILIES.items():
            model = autoTree(n, bf, args.skew)
            lambda_ = expandLambda(model.parent, model.nv)
            q = np.random.default_rng([args.seed, n]).uniform(-np.pi, np.pi, (BATCH, n))
            H = CRBA(model, q)
            tau = np.ones(n)

            def dense(H=H[0], tau=tau):  # type: ignore[no-untyped-def]
                return cho_solve(cho_factor(H, check_finite=False), tau, check_finite=False)

            def sparse(H=H[0], lambda_=lambda_, tau=tau):  # type: ignore[no-untyped-def]
                L = LTL(H, lambda_)
                return mpyLi(L, lambda_, mpyLit(L, lambda_, tau))

            np.testing.assert_allclose(
                sparse(), dense(), rtol=1e-6, atol=1e-6 * np.abs(dense()).max()
            )
            pairs = {
                ("factor", 1): (
                    lambda H=H[0]: np.linalg.cholesky(H),
                    lambda H=H[0], lambda_=lambda_: LTL(H, lambda_),
                ),
                ("solve", 1): (dense, sparse),
                ("factor", BATCH): (
                    lambda H=H: np.linalg.cholesky(H),
                    lambda H=H, lambda_=lambda_: LTL(H, lambda_),
                ),
            }
            for (task, count), pair in pairs.items():
                for method, call in zip(METHODS, pair, strict=True):
                    key = family, n, task, count, method
                    calls[key], states[key] = call, count
    for key, us in interleaved(calls, **args.effort).items():
        row = dict(zip(("family", "n", "task", "states", "method"), key, strict=True))
        yield row | {"us": us / states[key]}


def main() -> None:
    args = study.options(__doc__, sizes=[7, 15, 30, 60, 100], states=1)
    study.table("sparsity", args, measure)


if __name__ == "__main__":
    main()
