"""The linear system (1) of paper 001, and derivatives of its solution in several directions.

Matrix and right side are the inertia matrix, the Jacobian of the constraints and random vectors;
their derivatives are random, since the cost does not depend on them. The systems that differences
solve are given, so that solving alone is timed. LAPACK solves state by state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.linalg.lapack import dgetrf, dgetrs

from spatial_v2 import CRBA, ConstraintSet, Model, constraint_jacobian

__all__ = [
    "SOLUTION",
    "System",
    "differences",
    "evaluations",
    "one_factorisation",
    "solution_calls",
    "solve",
]

SOLUTION = "solution of (1)"


class System(NamedTuple):
    """Linear systems ``K x = b``, and derivatives of K and b in p directions."""

    K: np.ndarray
    """Matrices of the systems, shape (batch, n, n)."""
    b: np.ndarray
    """Right sides, shape (batch, n)."""
    dK: np.ndarray
    """Derivatives of K, shape (batch, p, n, n)."""
    db: np.ndarray
    """Derivatives of b, shape (batch, p, n)."""


def solve(K: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Compute the solutions x (..., n) of systems (..., n, n), with a factorisation for each."""
    flat = zip(K.reshape(-1, *K.shape[-2:]), b.reshape(-1, b.shape[-1]), strict=True)
    return np.array([dgetrs(*dgetrf(M)[:2], y)[0] for M, y in flat]).reshape(b.shape)


def one_factorisation(s: System) -> np.ndarray:
    """Compute derivatives of the solution (batch, p, n) by Proposition 3: ``K dx = db - dK x``.

    K is factorised once for the solution and for all directions.
    """
    factors = [dgetrf(K)[:2] for K in s.K]
    x = np.array([dgetrs(*f, b)[0] for f, b in zip(factors, s.b, strict=True)])
    right = s.db - (s.dK @ x[:, None, :, None])[..., 0]
    return np.array([dgetrs(*f, y.T)[0].T for f, y in zip(factors, right, strict=True)])


def evaluations(s: System, *, central: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the systems (batch, evaluations, ...) that differences solve: the given one and those
    ahead, or those ahead and those back, with the steps of `functions.differences`.
    """
    h = 2.0 ** (-17 if central else -26)
    first, second = (s.dK, -s.dK) if central else (0 * s.dK[:, :1], s.dK)
    left, right = (s.db, -s.db) if central else (0 * s.db[:, :1], s.db)
    K = s.K[:, None] + h * np.concatenate([first, second], axis=1)
    return K, s.b[:, None] + h * np.concatenate([left, right], axis=1)


def differences(K: np.ndarray, b: np.ndarray, *, central: bool) -> np.ndarray:
    """Compute derivatives (batch, p, n) by differences, from the systems of `evaluations`."""
    x = solve(K, b)
    if central:
        p = x.shape[1] // 2
        return (x[:, :p] - x[:, p:]) * 2.0**16
    return (x[:, 1:] - x[:, :1]) * 2.0**26


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
            for method, central in (("one-sided difference", False), ("central difference", True)):
                systems = evaluations(s, central=central)
                yield method, p, partial(differences, *systems, central=central)
            yield "exact, one factorisation", p, partial(one_factorisation, s)
        else:
            yield "value", 0, partial(solve, K, b)
