"""The Levenberg-Marquardt method on the configuration space, for a batch of states."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from spatial_v2.configuration import configurationAddition
from spatial_v2.dynamics.robot_frame import shift
from spatial_v2.frames.limits import Limits
from spatial_v2.frames.view import view
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame

__all__ = ["Problem", "least_squares"]

_LEAST, _MOST, _STILL = 1e-13, 1e16, 1e-13


class Problem(NamedTuple):
    """A problem of inverse kinematics: frame, weights (6,), limits, and error function."""

    model: Model
    frame: Frame
    weights: np.ndarray
    limits: Limits
    error: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]

    def linearise(self, q: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return residuals e (n, 6) for configurations q (n, NQ) and target transforms X, and the
        derivatives of e with respect to q.
        """
        zero = np.zeros((len(q), self.model.NV))
        seen = view(self.model, q, zero, self.frame, "body")
        e, M = self.error(seen.X @ shift(seen.o), X)
        return self.weights * e, self.weights[:, None] * M @ seen.J


def least_squares(
    problem: Problem,
    X: np.ndarray,
    q: np.ndarray,
    damping: float,
    tolerance: float,
    max_iterations: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return configurations (n, NQ), residuals (n, 6) and numbers of steps for n target transforms
    X.
    """
    model, limits = problem.model, problem.limits
    q = limits.clip(q)
    e, J = problem.linearise(q, X)
    mu = damping * np.max(np.sum(J * J, axis=-2), axis=-1, initial=0.0)
    raised, steps = np.full(len(q), 2.0), np.zeros(len(q), dtype=np.int64)
    going = np.max(np.abs(e), axis=-1, initial=0.0) > tolerance
    for _ in range(max_iterations):
        k = np.flatnonzero(going)
        if not k.size:
            break
        dq, slope, largest = _step(limits, q[k], e[k], J[k], mu[k])
        moved = limits.clip(configurationAddition(model, q[k], dq))
        e_new, J_new = problem.linearise(moved, X[k])
        drop = np.sum(e[k] ** 2, axis=-1) - np.sum(e_new**2, axis=-1)
        hoped = np.sum(dq * (mu[k, None] * dq - slope), axis=-1)
        gain = drop / np.where(hoped > 0, hoped, np.inf)
        better, worse = k[drop > 0], k[drop <= 0]
        q[better], e[better], J[better] = moved[drop > 0], e_new[drop > 0], J_new[drop > 0]
        mu[better] *= np.maximum(1 / 10, 1 - (2 * np.minimum(gain[drop > 0], 2) - 1) ** 3)
        raised[better] = 2.0
        mu[worse] *= raised[worse]
        raised[worse] *= 2
        mu[k] = np.maximum(mu[k], _LEAST * largest)
        steps[k] += 1
        still = np.max(np.abs(dq), axis=-1, initial=0.0) <= _STILL
        still |= ~(mu[k] <= _MOST * (largest + 1))
        going[k] = (np.max(np.abs(e[k]), axis=-1, initial=0.0) > tolerance) & ~still
    return q, e, steps


def _step(
    limits: Limits, q: np.ndarray, e: np.ndarray, J: np.ndarray, mu: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Compute the damped Gauss-Newton step; return it with the gradient of ``e . e / 2`` and the
    largest diagonal entry of ``J^T J``, for residuals e with Jacobian J.

    Variables at their limits do not move.
    """
    JT = np.swapaxes(J, -1, -2)
    slope = (JT @ e[..., None])[..., 0]
    free = limits.free(q, slope).astype(float)
    JJ = (JT @ J) * free[..., :, None] * free[..., None, :]
    largest = np.max(np.diagonal(JJ, axis1=-2, axis2=-1), axis=-1, initial=0.0)
    A = JJ + (mu + np.finfo(float).tiny)[:, None, None] * np.eye(J.shape[-1])
    dq = -np.linalg.solve(A, (free * slope)[..., None])[..., 0]
    return dq, slope, largest
