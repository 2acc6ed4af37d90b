"""Physically consistent parameters by a semidefinite programme, with cvxpy and Clarabel."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

import numpy as np

from spatial_v2.exceptions import ConvergenceWarning, SpatialError
from spatial_v2.identification.entropic import Problem
from spatial_v2.inertia import inertiaVecToPinertia

__all__ = ["linear_matrix_inequality"]

_MARGIN = 1e-6
"""Lower bound on the eigenvalues of each body's pseudo-inertia, in the coordinates in which the
prior's pseudo-inertia is the identity.
"""


def linear_matrix_inequality(problem: Problem) -> np.ndarray:
    """Minimise ``|R x - z|^2 / (2 sigma^2) + weight / 2 |x - prior|^2`` over physically consistent
    parameters x, for a `Problem`.

    The norm of ``x - prior`` is that of `pullbackMetric` at the prior.
    """
    cp = _cvxpy()
    G, x0 = problem.metric(), problem.start()
    T = np.linalg.inv(G).T
    A, b = problem.R @ T, problem.z - problem.R @ x0
    scale = 1.0 / problem.sigma**2
    y = cp.Variable(len(x0))
    units = np.asarray(inertiaVecToPinertia(np.eye(10)))
    constraints = []
    for i, a in enumerate(problem.prior):
        P = np.asarray(inertiaVecToPinertia(a))
        L = np.linalg.inv(np.linalg.cholesky(P))
        E = L @ units @ L.T
        parts = T[10 * i : 10 * i + 10] @ y
        S = np.eye(4) + sum(parts[k] * (E[k] + E[k].T) / 2 for k in range(10))
        constraints.append(S >> _MARGIN * np.eye(4))
    size = max(scale, problem.weight)
    cost = scale / size * cp.sum_squares(A @ y - b) + problem.weight / size * cp.sum_squares(y)
    programme = cp.Problem(cp.Minimize(cost), constraints)
    programme.solve(solver=cp.CLARABEL)
    if y.value is None:
        raise SpatialError(
            f"identify: the semidefinite solver found no solution ({programme.status})"
        )
    if programme.status != cp.OPTIMAL:
        warnings.warn(
            f"identify: the semidefinite solver reports {programme.status!r}; the parameters may "
            "be inaccurate",
            ConvergenceWarning,
            4,
        )
    return np.asarray(x0 + T @ y.value)


def _cvxpy() -> Any:
    try:
        importlib.import_module("clarabel")
        return importlib.import_module("cvxpy")
    except ImportError as error:
        raise SpatialError(
            "identify: physical='lmi' needs cvxpy and Clarabel: "
            "pip install 'spatial-v2[identify]'; or use physical=True, which needs neither"
        ) from error
