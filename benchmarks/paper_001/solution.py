"""The linear system (1) of paper 001, and derivatives of its solution in several directions.

Matrix and right side are the inertia matrix, the Jacobian of the constraints and random vectors;
their derivatives are random, since the cost does not depend on them. LAPACK solves state by state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

from spatial_v2 import CRBA, ConstraintSet, Model, constraint_jacobian

__all__ = ["SOLUTION", "System", "differences", "one_factorisation", "solution_calls", "solve"]

SOLUTION = "solution of (1)"


class System(NamedTuple):
    """Linear systems ``K x = b``, and derivatives of K and b in p directions."""

    K: np.ndarray
    """Shape (batch, n, n)."""
    b: np.ndarray
    """Shape (batch, n)."""
    dK: np.ndarray
    """Shape (batch, p, n, n)."""
    db: np.ndarray
    """Shape (batch, p, n)."""


def solve(s: System) -> np.ndarray:
    """Compute the solutions x (batch, n)."""
    return np.stack([by_lapack(K, b) for K, b in zip(s.K, s.b, strict=True)])


def by_lapack(K: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solve one system, by a factorisation of its own."""
    lu, pivots, _ = dgetrf(K)
    x: np.ndarray = dgetrs(lu, pivots, b)[0]
    return x


def one_factorisation(s: System) -> np.ndarray:
    """Compute derivatives (batch, p, n) by Proposition 3: ``K dx = db - dK x``, of which K is
    factorised once for the solution and for all directions.
    """
    found = np.empty_like(s.db)
    for k, (K, b, dK, db) in enumerate(zip(*s, strict=True)):
        lu, pivots, _ = dgetrf(K)
        x = dgetrs(lu, pivots, b)[0]
        found[k] = dgetrs(lu, pivots, (db - dK @ x).T)[0].T
    return found


def differences(s: System, *, central: bool) -> np.ndarray:
    """Compute derivatives (batch, p, n) by differences, with a factorisation for each evaluation.

    The steps are those of `benchmarks.paper_001.functions.differences`.
    """
    h, found = 2.0 ** (-17 if central else -26), np.empty_like(s.db)
    for k, (K, b, dK, db) in enumerate(zip(*s, strict=True)):
        ahead, right = K + h * dK, b + h * db
        back, left = (K - h * dK, b - h * db) if central else (dK, db)
        x = None if central else by_lapack(K, b)
        for i in range(len(db)):
            at = by_lapack(back[i], left[i]) if x is None else x
            found[k, i] = (by_lapack(ahead[i], right[i]) - at) / (2 * h if central else h)
    return found


def solution_calls(
    model: Model,
    held: ConstraintSet,
    q: np.ndarray,
    directions: list[int],
    rng: np.random.Generator,
) -> Iterator[tuple[str, int, Callable[[], object]]]:
    """Yield method, number of directions, and timed call; 0 directions are the solution itself."""
    H, G = CRBA(model, q), constraint_jacobian(model, q, held)
    n = model.NV + held.m
    K = np.zeros((len(q), n, n))
    K[:, : model.NV, : model.NV], K[:, model.NV :, : model.NV] = H, G
    K[:, : model.NV, model.NV :] = np.matrix_transpose(G)
    b = rng.normal(size=(len(q), n))
    for p in (0, *directions):
        dK, db = rng.normal(size=(len(q), p, n, n)), rng.normal(size=(len(q), p, n))
        s = System(K, b, dK + np.matrix_transpose(dK), db)
        if p:
            yield "one-sided difference", p, partial(differences, s, central=False)
            yield "central difference", p, partial(differences, s, central=True)
            yield "exact, one factorisation", p, partial(one_factorisation, s)
        else:
            yield "value", 0, partial(solve, s)
