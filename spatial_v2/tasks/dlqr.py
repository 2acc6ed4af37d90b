"""Linear-quadratic regulators in discrete time."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.tasks.lqr import Regulator, checked, solved

__all__ = ["dlqr"]


def dlqr(A: Any, B: Any, Q: Any, R: Any) -> Regulator:
    """Compute the linear-quadratic regulator of ``x[k + 1] = A x[k] + B u[k]``.

    Parameters
    ----------
    A, B : array_like, shapes (n, n), (n, m)
        The linear system of a time step, as `time_step_derivatives` gives it.
    Q, R : array_like, shapes (n, n), (m, m)
        Weights of the cost, the sum of ``x^T Q x + u^T R u``; symmetric, R positive definite.

    Returns
    -------
    Regulator
        Named tuple ``K, P, poles``; the control is ``u[k] = -K x[k]``.

    Raises
    ------
    ArrayShapeError
        Matrices whose shapes do not fit.
    SpatialError
        No regulator exists: some unstable motion cannot be controlled, or is not in the cost; a
        matrix R that is not positive definite.

    Notes
    -----
    The Riccati equation is solved by `scipy.linalg.solve_discrete_are`.

    Examples
    --------
    >>> dlqr([[1, 0.1], [0, 1]], [[0], [0.1]], np.eye(2), [[1]]).K.round(4)
    array([[0.917 , 1.6821]])
    """
    from scipy.linalg import solve_discrete_are

    A, B, Q, R = checked("dlqr", A, B, Q, R)
    P = solved("dlqr", solve_discrete_are, A, B, Q, R)
    K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
    return Regulator(K, P, np.linalg.eigvals(A - B @ K))
