"""Coordinates of bodies in which a prior is the unit matrix.

With the Cholesky factor L of the prior's pseudo-inertia, the pseudo-inertia of a body is
``L (1 + Y) L^T``. The ten coordinates y of the symmetric matrix Y in an orthonormal basis have no
dimension, whatever the size of the body and its units: at the prior, the Hessian of
`entropicDivergence` is the unit matrix, and a body is physically consistent if ``1 + Y`` is
positive definite.
"""

from __future__ import annotations

import numpy as np

from spatial_v2.inertia import inertiaVecToPinertia, pinertiaToVec

__all__ = ["Matrices", "divergence", "slopes", "to_parameters"]

_PAIRS = [(i, j) for i in range(4) for j in range(i, 4)]
BASIS = np.zeros((10, 4, 4))
"""Orthonormal basis of the symmetric matrices, for the inner product tr(A B)."""
for _k, (_i, _j) in enumerate(_PAIRS):
    BASIS[_k, _i, _j] = BASIS[_k, _j, _i] = 1.0 if _i == _j else np.sqrt(0.5)


def to_parameters(prior: np.ndarray) -> np.ndarray:
    """Return for each body of a prior (n, 10) the matrix (10, 10) from coordinates y to changes of
    its inertial parameters.

    Examples
    --------
    >>> T = to_parameters(np.array([[2.0, 0, 0, 0, 2, 2, 2, 0, 0, 0]]))[0]
    >>> (T @ T.T).diagonal()[:4]
    array([4., 1., 1., 1.])
    """
    L = np.linalg.cholesky(np.asarray(inertiaVecToPinertia(prior)))[:, None]
    return np.asarray(pinertiaToVec(L @ BASIS @ L.swapaxes(-1, -2))).swapaxes(-1, -2)


class Matrices:
    """The matrices ``S = 1 + Y`` of bodies, with their Cholesky factors.

    Parameters
    ----------
    y : array, shape (10 n,)
        Coordinates of n physically consistent bodies.
    """

    def __init__(self, y: np.ndarray) -> None:
        self.S = np.eye(4) + np.einsum("nk,kij->nij", y.reshape(-1, 10), BASIS)
        self.C = np.linalg.cholesky(self.S)

    def relative(self, B: np.ndarray) -> np.ndarray:
        """Return ``C^-1 B C^-T`` of symmetric matrices B (..., n, 4, 4)."""
        half = np.linalg.solve(self.C, B)
        return np.asarray(np.linalg.solve(self.C, half.swapaxes(-1, -2)))

    def increase(self, step: np.ndarray) -> tuple[float, np.ndarray]:
        """Return what the divergence is made of along a step of the coordinates, at length a:
        ``a * slope - sum(log1p(a * values))``. A body is consistent while all ``a * values > -1``.
        """
        dY = np.einsum("nk,kij->nij", step.reshape(-1, 10), BASIS)
        return float(np.trace(dY, axis1=1, axis2=2).sum()), np.linalg.eigvalsh(self.relative(dY))


def divergence(y: np.ndarray) -> float:
    """Return the sum of the `entropicDivergence` of bodies from the prior; infinite for
    inconsistent ones.

    Examples
    --------
    >>> divergence(np.zeros(10)), divergence(-2 * np.eye(10)[0])
    (0.0, inf)
    """
    values = np.linalg.eigvalsh(np.einsum("nk,kij->nij", y.reshape(-1, 10), BASIS))
    if values.min(initial=0.0) <= -1:
        return np.inf
    return float(np.sum(values - np.log1p(values)))


def slopes(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient (10 n,) and the Hessians (n, 10, 10) of `divergence`.

    Examples
    --------
    >>> g, H = slopes(np.zeros(10))
    >>> bool((g == 0).all() and np.allclose(H[0], np.eye(10)))
    True
    """
    matrices = Matrices(y)
    B = matrices.relative(BASIS[:, None])
    rows = np.moveaxis(B, 0, 1).reshape(B.shape[1], 10, 16)
    g = np.trace(BASIS, axis1=1, axis2=2) - np.trace(B, axis1=2, axis2=3).T
    return np.ravel(g), rows @ rows.swapaxes(1, 2)
