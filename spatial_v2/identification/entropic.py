"""Physically consistent inertial parameters by minimising a convex function."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.exceptions import ConvergenceWarning
from spatial_v2.identification.matrices import block_diagonal
from spatial_v2.inertia import entropicDivergence, inertiaVecToPinertia, pullbackMetric

__all__ = ["Problem", "divergence", "entropic", "is_physical", "shortened", "slopes"]

_STAGE = 3.0
"""Least factor by which the weight of the samples increases from one stage to the next."""
_EASY = 10
_STEPS = 300
_NEAR, _DONE = 1e-3, 1e-10
"""Newton decrements, relative to the weight, at which a stage and the last stage end."""
_THIN = 1e-12
"""Relative thickness below which bodies count as physically inconsistent."""


class Problem(NamedTuple):
    """A regularised least-squares problem for parameters x: residuals ``(R x - z) / sigma``, and a
    prior.
    """

    R: np.ndarray
    z: np.ndarray
    sigma: float
    prior: np.ndarray
    """Physically consistent inertial parameters of the bodies, (NB, 10)."""
    weight: float
    """Weight of the divergence from the prior, relative to half the sum of squares."""
    tol: float

    def metric(self) -> np.ndarray:
        """Return a matrix G such that ``G G^T`` is the metric at the prior, with the identity for
        friction and armature.
        """
        factors = np.linalg.cholesky(np.asarray(pullbackMetric(self.prior)))
        return block_diagonal(*factors, np.eye(self.R.shape[1] - 10 * len(self.prior)))

    def start(self) -> np.ndarray:
        """Return the inertial parameters of the prior, followed by zeros for friction
        and armature.
        """
        x = np.zeros(self.R.shape[1])
        x[: self.prior.size] = self.prior.ravel()
        return x


def is_physical(a: np.ndarray) -> bool:
    """Return whether the parameters of all bodies are physically consistent.

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
    """Minimise ``|R x - z|^2 / (2 sigma^2) + weight * divergence`` over physically consistent
    parameters x, for a `Problem`.

    The divergence is the sum of `entropicDivergence` of each body from the prior and half the
    square of the other terms. In coordinates in which the Hessian of the divergence at the prior
    is the unit matrix, rotated by a singular value decomposition of the samples, Newton's method
    goes from the prior to the minimum, while the weight of the samples increases. All steps remain
    physically consistent, since the divergence is infinite at the boundary.
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
    """Return the minimum for weight t of the samples, and the number of Newton steps.

    If the steps do not converge, the number exceeds the limit.
    """
    x0, w = problem.start(), problem.weight

    def value(c: np.ndarray) -> float:
        r = s * c - b
        return float(t * (r @ r) / 2 + divergence(problem, x0 + T @ c))

    def along(c: np.ndarray, step: np.ndarray, length: float) -> float:
        return value(c + length * step)

    now = value(c)
    for k in range(_STEPS):
        g, H = slopes(problem, x0 + T @ c)
        grad = t * s * (s * c - b) + T.T @ g
        hess = np.diag(t * s * s) + T.T @ H @ T
        size = 1.0 / np.sqrt(hess.diagonal())
        values, Q = np.linalg.eigh(hess * np.outer(size, size))
        values = np.maximum(values, 1e-15 * values[-1])
        step = -size * (Q @ ((Q.T @ (size * grad)) / values))
        decrement = -float(grad @ step)
        if decrement <= tol * w:
            return c + step if value(c + step) < np.inf else c, k
        length, new = shortened(functools.partial(along, c, step), now, decrement)
        if new >= now:
            return c, k if decrement <= 1e-6 * max(w, abs(now)) else _STEPS + 1
        c, now = c + length * step, new
    return c, _STEPS + 1


def divergence(problem: Problem, x: np.ndarray) -> float:
    """Return the weighted divergence of x from the prior; infinite for inconsistent parameters."""
    n = problem.prior.size
    bodies = x[:n].reshape(-1, 10)
    if not is_physical(bodies):
        return np.inf
    D = np.sum(np.asarray(entropicDivergence(bodies, problem.prior).f))
    return float(problem.weight * (D + x[n:] @ x[n:] / 2))


def slopes(problem: Problem, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the gradient and the Hessian of `divergence`."""
    n = problem.prior.size
    _, g, H = entropicDivergence(x[:n].reshape(-1, 10), problem.prior)
    blocks = block_diagonal(*np.asarray(H), np.eye(len(x) - n))
    return problem.weight * np.append(np.ravel(g), x[n:]), problem.weight * blocks


def shortened(value: Callable[[float], float], now: float, decrement: float) -> tuple[float, float]:
    """Return the length of a Newton step after halving, and the value there.

    The length is halved until the value decreases by at least a fifth of the linear prediction
    (Armijo).

    Examples
    --------
    >>> shortened(lambda length: 1 - length + 1.5 * length**2, 1.0, 1.0)
    (0.5, 0.875)
    """
    length, new = 1.0, value(1.0)
    while new > now - 0.2 * length * decrement and length > 1e-12:
        length /= 2
        new = value(length)
    return length, new
