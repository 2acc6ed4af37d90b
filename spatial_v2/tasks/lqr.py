"""Linear-quadratic regulators in continuous time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.checks import as_real
from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.exceptions import ArrayShapeError, SpatialError

__all__ = ["Regulator", "checked", "lqr", "solved"]


@shown_in_notebooks
class Regulator(NamedTuple):
    """Gain of a linear-quadratic regulator, its cost, and the poles of the closed loop."""

    K: np.ndarray
    """Gain (m, n) of the control ``u = -K x``."""
    P: np.ndarray
    """Matrix (n, n) of the cost to go: ``x^T P x``."""
    poles: np.ndarray
    """Eigenvalues (n,) of the closed loop ``A - B K``."""


def lqr(A: Any, B: Any, Q: Any, R: Any) -> Regulator:
    """Compute the linear-quadratic regulator of ``dx/dt = A x + B u``.

    Parameters
    ----------
    A, B : array_like, shapes (n, n), (n, m)
        The linear system, such as a result of `derivatives.linearize`.
    Q, R : array_like, shapes (n, n), (m, m)
        Weights of the cost, the integral of ``x^T Q x + u^T R u``; symmetric, R positive definite.

    Returns
    -------
    Regulator
        Named tuple ``K, P, poles``; the control is ``u = -K x``.

    Raises
    ------
    ArrayShapeError
        Matrices whose shapes do not fit.
    SpatialError
        No regulator exists: some unstable motion cannot be controlled, or is not in the cost; a
        matrix R that is not positive definite.

    Notes
    -----
    The Riccati equation is solved by `scipy.linalg.solve_continuous_are`.

    Examples
    --------
    >>> lqr([[0, 1], [0, 0]], [[0], [1]], np.eye(2), [[1]]).K.round(4)
    array([[1.    , 1.7321]])
    """
    from scipy.linalg import solve_continuous_are

    A, B, Q, R = checked("lqr", A, B, Q, R)
    P = solved("lqr", solve_continuous_are, A, B, Q, R)
    K = np.linalg.solve(R, B.T @ P)
    return Regulator(K, P, np.linalg.eigvals(A - B @ K))


def checked(name: str, A: Any, B: Any, Q: Any, R: Any) -> list[np.ndarray]:
    """Check the shapes of the four matrices."""
    matrices = [as_real(x, f"{name}: {n}") for n, x in zip("ABQR", (A, B, Q, R), strict=True)]
    n = matrices[0].shape[-1] if matrices[0].ndim == 2 else -1
    m = matrices[1].shape[-1] if matrices[1].ndim == 2 else -1
    wanted = [(n, n), (n, m), (n, n), (m, m)]
    if [x.shape for x in matrices] != wanted:
        raise ArrayShapeError(
            f"{name}: want A (n, n), B (n, m), Q (n, n), R (m, m), "
            f"got {', '.join(str(x.shape) for x in matrices)}"
        )
    if np.linalg.eigvalsh(matrices[3]).min(initial=1.0) <= 0:
        raise SpatialError(f"{name}: R must be positive definite, every control has a cost")
    return matrices


def solved(
    name: str, solve: Any, A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray
) -> np.ndarray:
    """Solve the Riccati equation by a function of SciPy."""
    try:
        return np.asarray(solve(A, B, Q, R))
    except (np.linalg.LinAlgError, ValueError) as error:
        raise SpatialError(
            f"{name}: there is no regulator: an unstable motion that B does not control or Q does "
            f"not see, or weights that are not symmetric ({error})"
        ) from error
