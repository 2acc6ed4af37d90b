"""Physically consistent inertial parameters by minimising a convex function."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.exceptions import ConvergenceWarning
from spatial_v2.identification.matrices import block_diagonal
from spatial_v2.identification.whitened import Matrices, slopes, to_parameters
from spatial_v2.inertia import inertiaVecToPinertia

__all__ = ["Problem", "entropic", "is_physical", "nearest", "shortened"]

_STAGE = 3.0
"""Least factor by which the weight of the samples increases from one stage to the next."""
_EASY = 10
_STEPS = 300
_NEAR, _DONE = 1e-3, 1e-10
"""Newton decrements, relative to the weight, at which a stage and the last stage end."""
_GAP = 1e-6
"""Largest distance from the minimum, relative to the weight, that is not worth a warning."""
_THIN = 1e-12
"""Relative thickness below which bodies count as physically inconsistent."""


class Problem(NamedTuple):
    """A regularised least-squares problem for parameters x: residuals ``(R x - z) / sigma``, and a
    prior. The rows of R are linearly independent.
    """

    R: np.ndarray
    z: np.ndarray
    sigma: float
    prior: np.ndarray
    """Physically consistent inertial parameters of the bodies, (n, 10)."""
    weight: float
    """Weight of the divergence from the prior, relative to half the sum of squares."""
    terms: np.ndarray
    """Prior values of the parameters that follow those of the bodies."""
    units: np.ndarray
    """Sizes by which these may differ from their prior."""
    positive: np.ndarray
    """Mask of those that cannot be negative."""

    def start(self) -> np.ndarray:
        """Return the prior: inertial parameters of the bodies, then the other terms."""
        return np.append(self.prior.ravel(), self.terms)

    def coordinates(self) -> np.ndarray:
        """Return the matrix T such that ``x = start + T y`` with coordinates y without dimension:
        those of `whitened` for each body, and multiples of the unit for other terms.
        """
        return block_diagonal(*to_parameters(self.prior), np.diag(self.units))


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


def nearest(problem: Problem) -> np.ndarray:
    """Minimise ``|R x - z|^2 / (2 sigma^2) + weight / 2 |y|^2`` over all parameters x, consistent
    or not, where y are the coordinates of x.
    """
    x0, T = problem.start(), problem.coordinates()
    A = np.vstack([problem.R @ T / problem.sigma, np.sqrt(problem.weight) * np.eye(len(T))])
    b = np.append((problem.z - problem.R @ x0) / problem.sigma, np.zeros(len(T)))
    return np.asarray(x0 + T @ np.linalg.lstsq(A, b, rcond=None)[0])


def entropic(problem: Problem) -> np.ndarray:
    """Minimise ``|R x - z|^2 / (2 sigma^2) + weight * divergence`` over physically consistent
    parameters x, for a `Problem`.

    The divergence is the sum of `entropicDivergence` of each body from the prior, of the same
    function of positive numbers for terms that cannot be negative, whose unit is their prior, and
    of half the square of the others. In the coordinates of the problem, rotated by a
    singular value decomposition of the samples, Newton's method goes from the prior to the minimum,
    while the weight of the samples increases. All steps remain physically consistent, since the
    divergence is infinite at the boundary.
    """
    x0, T = problem.start(), problem.coordinates()
    U, s, Vt = np.linalg.svd(problem.R @ T / problem.sigma, full_matrices=True)
    b = U.T @ (problem.z - problem.R @ x0) / problem.sigma
    k = len(s)
    s, b = (np.append(v[:k], np.zeros(len(Vt) - k)) for v in (s, b))
    newton = _Newton(Vt.T, s, b, problem)
    # Samples begin so light that the prior outweighs them: from it, Newton's method converges.
    t = min(1.0, problem.weight * len(s) / max(float(b @ b), 1e-300))
    factor = _STAGE
    while t < 1:
        steps, _ = newton.minimise(t, _NEAR)
        factor = min(1e3, 2 * factor) if steps <= _EASY else _STAGE
        t = min(factor * t, 1.0)
    _, gap = newton.minimise(1.0, _DONE)
    if gap > _GAP * problem.weight:
        warnings.warn(
            "identify: Newton's method has not converged; the minimised function is about "
            f"{gap:.1g} above its minimum",
            ConvergenceWarning,
            4,
        )
    return np.asarray(x0 + T @ newton.y)


class _Newton:
    """Newton's method for ``t |s c - b|^2 / 2 + weight D(V c)``, where D is the divergence.

    Parameters
    ----------
    V : array, shape (n, n)
        Orthogonal matrix.
    s, b : array, shape (n,)
        Singular values of the samples, and their right-hand side.
    problem : Problem
        The problem, for its prior and weight.
    """

    def __init__(self, V: np.ndarray, s: np.ndarray, b: np.ndarray, problem: Problem) -> None:
        self.V, self.s, self.weight = V, s, problem.weight
        self.n = problem.prior.size
        self.positive = self.n + np.flatnonzero(problem.positive)
        self.free = self.n + np.flatnonzero(~problem.positive)
        # What the samples determine well is counted from their solution, so that the residual has
        # no rounding errors of the size of b.
        well = s >= 1
        self.origin = np.where(well, b / np.where(well, s, 1.0), 0.0)
        self.rest = np.where(well, 0.0, b)
        self.c = -self.origin

    @property
    def y(self) -> np.ndarray:
        """The coordinates V c."""
        return np.asarray(self.V @ (self.origin + self.c))

    def minimise(self, t: float, tol: float) -> tuple[int, float]:
        """Go to the minimum for weight t of the samples. Return the number of steps, and how far
        the function is above its minimum.
        """
        s, w = self.s, self.weight
        decrement = np.inf
        for k in range(_STEPS):
            y, r = self.y, s * self.c - self.rest
            g, H = self._slopes(y)
            grad = t * s * r + w * (self.V.T @ g)
            hess = np.diag(t * s * s) + w * (self.V.T @ H @ self.V)
            size = 1.0 / np.sqrt(hess.diagonal())
            values, Q = np.linalg.eigh(hess * np.outer(size, size))
            values = np.maximum(values, 1e-15 * values[-1])
            step = -size * (Q @ ((Q.T @ (size * grad)) / values))
            decrement = -float(grad @ step)
            change = self._change(t, r, y, step)
            if decrement <= tol * w:
                self.c = self.c + step if change(1.0) < np.inf else self.c
                return k, decrement
            length, gain = shortened(change, 0.0, decrement)
            if gain >= 0:
                return k, decrement
            self.c = self.c + length * step
        return _STEPS, decrement

    def _slopes(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return gradient and Hessian of the divergence."""
        g, blocks = slopes(y[: self.n])
        g, H = np.append(g, y[self.n :]), block_diagonal(*blocks, np.eye(len(y) - self.n))
        size = 1.0 + y[self.positive]
        g[self.positive] = 1.0 - 1.0 / size
        H[self.positive, self.positive] = size**-2.0
        return g, H

    def _change(
        self, t: float, r: np.ndarray, y: np.ndarray, step: np.ndarray
    ) -> Callable[[float], float]:
        """Return a function of the length of a step: by how much the minimised function changes,
        without differences of large numbers; infinite where parameters are inconsistent.
        """
        new, move = self.s * step, self.V @ step
        slope, values = Matrices(y[: self.n]).increase(move[: self.n])
        slope += float(move[self.positive].sum())
        values = np.append(values, move[self.positive] / (1.0 + y[self.positive]))
        own, other = y[self.free], move[self.free]
        first = t * (new @ r) + self.weight * (own @ other + slope)
        second = t * (new @ new) + self.weight * (other @ other)

        def change(length: float) -> float:
            if (length * values).min(initial=0.0) <= -1:
                return np.inf
            logs = np.log1p(length * values).sum()
            return float(length * first + length**2 / 2 * second - self.weight * logs)

        return change


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
