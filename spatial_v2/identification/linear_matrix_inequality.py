"""Physically consistent parameters by a semidefinite program, with cvxpy and Clarabel."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

from spatial_v2.exceptions import ConvergenceWarning, SpatialError
from spatial_v2.identification.entropic import Problem
from spatial_v2.identification.whitened import BASIS

__all__ = ["linear_matrix_inequality"]

_MARGIN = 1e-6
"""Lower bound on the eigenvalues of each body's pseudo-inertia, in the coordinates in which the
prior's pseudo-inertia is the identity.
"""
_GAP = 1e-4
"""Largest distance from the minimum, relative to the cost of consistency, without a warning."""


def linear_matrix_inequality(problem: Problem) -> np.ndarray:
    """Minimise ``|R x - z|^2 / (2 sigma^2) + weight / 2 |y|^2`` over physically consistent
    parameters x, for a `Problem` and its coordinates y, in which the norm of ``x - prior`` is that
    of `pullbackMetric` at the prior.

    Without the condition the minimum is known, a least-squares solution u. If it is consistent it
    is the result; otherwise the distance from u is minimised.
    """
    cp = _cvxpy()
    x0, T, bodies = problem.start(), problem.coordinates(), len(problem.prior)
    A = np.vstack([problem.R @ T / problem.sigma, np.sqrt(problem.weight) * np.eye(len(x0))])
    b = np.append((problem.z - problem.R @ x0) / problem.sigma, np.zeros(len(x0)))
    u = np.linalg.lstsq(A, b, rcond=None)[0]
    positive = len(T) - len(problem.terms) + np.flatnonzero(problem.positive)
    rest = T[positive, positive], x0[positive]
    # Least squares may be consistent by themselves.
    if _least(u, bodies) >= _MARGIN and (rest[0] * u[positive] + rest[1] >= 0).all():
        return np.asarray(x0 + T @ u)
    C = np.asarray(np.linalg.qr(A, mode="r"))
    # The solver's tolerances are absolute.
    size = float(np.linalg.norm(C, 2))
    y = cp.Variable(len(x0))
    conditions = [
        np.eye(4) + sum(y[10 * i + k] * BASIS[k] for k in range(10)) >> _MARGIN * np.eye(4)
        for i in range(bodies)
    ]
    signs = [y[k] >= -prior / unit for k, unit, prior in zip(positive, *rest, strict=True)]
    program = cp.Problem(cp.Minimize(cp.sum_squares(C / size @ (y - u))), conditions + signs)
    program.solve(solver=cp.CLARABEL)
    if y.value is None:
        raise SpatialError(
            f"identify: the semidefinite solver found no solution ({program.status})"
        )
    cost = float(np.sum((C @ (y.value - u)) ** 2)) / 2
    g, fixed = np.zeros(len(u)), 0.0
    for i, condition in enumerate(conditions):
        Z = np.asarray(condition.dual_value) * size**2 / 2
        g[10 * i : 10 * i + 10] = np.einsum("ij,kij->k", Z, BASIS)
        fixed += (1.0 - _MARGIN) * float(np.trace(Z))
    for condition, k, unit, prior in zip(signs, positive, *rest, strict=True):
        g[k] = float(condition.dual_value) * size**2 / 2
        fixed += g[k] * prior / unit
    gap = cost - _bound(C, u, g, fixed)
    if program.status != cp.OPTIMAL or gap > _GAP * cost:
        warnings.warn(
            f"identify: the semidefinite solver reports {program.status!r}; consistency costs "
            f"{cost:.3g}, and at least {cost - gap:.3g} at the minimum; the parameters may be "
            "inaccurate",
            ConvergenceWarning,
            4,
        )
    return np.asarray(x0 + T @ y.value)


def _least(y: np.ndarray, bodies: int) -> float:
    """Return the least eigenvalue of the matrices ``1 + Y`` of all bodies."""
    Y = np.einsum("nk,kij->nij", y[: 10 * bodies].reshape(-1, 10), BASIS)
    return 1.0 + float(np.linalg.eigvalsh(Y).min(initial=0.0))


def _bound(C: np.ndarray, u: np.ndarray, g: np.ndarray, fixed: float) -> float:
    """Return the minimum of the Lagrangian ``|C (y - u)|^2 / 2 - g y - fixed``, which for any
    multipliers of the conditions is below the minimum under these conditions.
    """
    h = np.linalg.lstsq(C.T, g, rcond=None)[0]
    return float(-(h @ h) / 2 - g @ u - fixed)


def _cvxpy() -> Any:
    try:
        importlib.import_module("clarabel")
        return importlib.import_module("cvxpy")
    except ImportError as error:
        raise SpatialError(
            "identify: physical='lmi' needs cvxpy and Clarabel: "
            "pip install '.[identify]'; or use physical=True, which needs neither"
        ) from error
