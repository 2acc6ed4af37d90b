"""Physically consistent parameters by Newton's method on a convex function."""

from __future__ import annotations

import warnings
from typing import NamedTuple

import numpy as np

from spatial_v2.exceptions import ConvergenceWarning
from spatial_v2.identification.matrices import block_diagonal
from spatial_v2.inertia import entropicDivergence, inertiaVecToPinertia, pullbackMetric

__all__ = ["Problem", "entropic", "is_physical"]

_STAGE = 3.0
"""How much more the samples count from one stage to the next, at least; more where it is easy."""
_EASY = 10
_STEPS = 300
_NEAR, _DONE = 1e-3, 1e-10
"""Newton decrements, as shares of the weight, at which a stage and the last one end."""
_THIN = 1e-12
"""Bodies thinner than this, or this near to a point, count as impossible."""


class Problem(NamedTuple):
    """Residuals ``(R x - z) / sigma`` against how far x is from the prior."""

    R: np.ndarray
    z: np.ndarray
    sigma: float
    prior: np.ndarray
    """Inertial parameters (NB, 10), of possible bodies."""
    weight: float
    """Of the divergence from the prior, against half the sum of squares."""
    tol: float

    def metric(self) -> np.ndarray:
        """A matrix G with ``G G^T`` the metric of the prior; one for terms beside inertia."""
        factors = np.linalg.cholesky(np.asarray(pullbackMetric(self.prior)))
        return block_diagonal(*factors, np.eye(self.R.shape[1] - 10 * len(self.prior)))

    def start(self) -> np.ndarray:
        """The prior, with nothing beside inertia."""
        x = np.zeros(self.R.shape[1])
        x[: self.prior.size] = self.prior.ravel()
        return x


def is_physical(a: np.ndarray) -> bool:
    """Whether positive masses can make all of the bodies.

    Examples
    --------
    >>> is_physical(np.array([[1, 0, 0, 0, 1, 1, 3, 0, 0, 0]]))
    False
    """
    P = np.asarray(inertiaVecToPinertia(a))
    size = np.sqrt(np.maximum(np.diagonal(P, axis1=-2, axis2=-1), 0.0))
    if not size.all():
        return False
    scaled = P / size[..., None] / size[..., None, :]
    return bool(np.linalg.eigvalsh(scaled).min() > _THIN)


def entropic(problem: Problem) -> np.ndarray:
    """The minimum of ``|R x - z|^2 / (2 sigma^2) + weight * divergence`` over possible bodies.

    The divergence is `entropicDivergence` of each body from the prior, and half the square of the
    other terms. In coordinates in which its second derivative at the prior is the unit matrix,
    turned so that directions that the samples do not show are apart, Newton's method goes from the
    prior to the minimum while the samples count more and more. Every step stays among possible
    bodies, since the divergence is infinite at their border.
    """
    G, x0 = problem.metric(), problem.start()
    scaled = np.linalg.solve(G, problem.R.T).T
    U, s, Vt = np.linalg.svd(scaled, full_matrices=True)
    s = np.append(s, np.zeros(len(Vt) - len(s)))
    s[s <= problem.tol * s[0]] = 0.0
    b = np.zeros(len(s))
    k = min(U.shape[1], len(s))
    b[:k] = (U.T @ (problem.z - problem.R @ x0))[:k]
    T = np.linalg.solve(G.T, Vt.T)
    c = np.zeros(len(s))
    target = 1.0 / problem.sigma**2
    t = min(target, problem.weight * len(s) / max(float(b @ b), 1e-300))
    factor, steps = _STAGE, 0
    while t < target:
        c, steps = _newton(problem, T, s, b, c, t, _NEAR)
        factor = min(1e3, 2 * factor) if steps <= _EASY else _STAGE
        t = min(factor * t, target)
    c, steps = _newton(problem, T, s, b, c, target, _DONE)
    if steps > _STEPS:
        warnings.warn("identify: Newton's method has not converged", ConvergenceWarning, 4)
    return x0 + T @ c


def _newton(
    problem: Problem,
    T: np.ndarray,
    s: np.ndarray,
    b: np.ndarray,
    c: np.ndarray,
    t: float,
    tol: float,
) -> tuple[np.ndarray, int]:
    """The minimum where samples count t, and the number of steps, beyond the limit if not there."""
    x0, n, w = problem.start(), problem.prior.size, problem.weight

    def value(c: np.ndarray) -> float:
        x = x0 + T @ c
        if not is_physical(x[:n].reshape(-1, 10)):
            return np.inf
        D = np.sum(np.asarray(entropicDivergence(x[:n].reshape(-1, 10), problem.prior).f))
        r = s * c - b
        return float(t * (r @ r) / 2 + w * (D + x[n:] @ x[n:] / 2))

    now = value(c)
    for k in range(_STEPS):
        x = x0 + T @ c
        _, g, H = entropicDivergence(x[:n].reshape(-1, 10), problem.prior)
        other = np.eye(len(x) - n)
        grad = t * s * (s * c - b) + w * T.T @ np.append(np.ravel(g), x[n:])
        hess = np.diag(t * s * s) + w * T.T @ block_diagonal(*np.asarray(H), other) @ T
        size = 1.0 / np.sqrt(hess.diagonal())
        values, Q = np.linalg.eigh(hess * np.outer(size, size))
        values = np.maximum(values, 1e-15 * values[-1])
        step = -size * (Q @ ((Q.T @ (size * grad)) / values))
        decrement = -float(grad @ step)
        if decrement <= tol * w:
            return c + step if value(c + step) < np.inf else c, k
        length, new = 1.0, value(c + step)
        while new > now - 0.2 * length * decrement and length > 1e-12:
            length /= 2
            new = value(c + length * step)
        if new >= now:
            return c, k if decrement <= 1e-6 * max(w, abs(now)) else _STEPS + 1
        c, now = c + length * step, new
    return c, _STEPS + 1
