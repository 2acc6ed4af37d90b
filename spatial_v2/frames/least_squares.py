"""The Levenberg-Marquardt method on the configuration space, for a batch of states.

Angles and displacements are compared by a length of the robot, so that steps do not depend on
units.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from spatial_v2.calls.frame import frame_view
from spatial_v2.calls.loading import has_kernels, load_procedure
from spatial_v2.configuration import configurationAddition
from spatial_v2.configuration.by_joint import spaces
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.dynamics.robot_frame import shift
from spatial_v2.engine.parts.damped_steps import LEAST, MOST, STILL, Search
from spatial_v2.exceptions import SingularWarning
from spatial_v2.frames.limits import Limits, kept_for
from spatial_v2.frames.residuals import log6_residual
from spatial_v2.frames.view import view
from spatial_v2.model import Model
from spatial_v2.model.frame import Frame
from spatial_v2.model.model_state import keep_in
from spatial_v2.spatial import transform_parts

__all__ = ["Problem", "least_squares", "lengths_of_variables", "reference"]


class Problem(NamedTuple):
    """A problem of inverse kinematics: frame, weights (6,), limits, and error function."""

    model: Model
    frame: Frame
    weights: np.ndarray
    limits: Limits
    error: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]

    def lengths(self, q: np.ndarray, X: np.ndarray) -> np.ndarray:
        """Return the lengths (n,) that count as much as a radian: the sum of the distances between
        the joints that carry the frame; if that is zero, the distance to the target X from q.
        """
        kept: dict[Any, float] = free_tree(self.model).checked().keep("reaches", dict)
        key = self.frame.body, self.frame.X.tobytes()
        reach = keep_in(kept, key, self._reach)
        if reach > 0:
            return np.full(len(q), reach)
        far = np.linalg.norm(self.linearise(q, X)[0][:, self._turns :], axis=-1)
        return np.where(far > 0, far, 1.0)

    def _reach(self) -> float:
        """Return the sum of the distances between the joints that carry the frame."""
        tree, body, places = free_tree(self.model), self.frame.body, [self.frame.X]
        while body >= 0 and tree.parent[body] >= 0:
            places.append(tree.Xtree[body])
            body = tree.parent[body]
        parts = transform_parts(np.stack([np.asarray(x) for x in places]))
        return float(np.sum(np.linalg.norm(parts.r, axis=-1)))

    def units(self, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the units of the residuals (n, 6) and of the velocity variables (n, NV): one for
        angles, the lengths (n,) for displacements.
        """
        of_rows = np.arange(len(self.weights)) >= self._turns
        e = lengths[:, None] ** of_rows.astype(float)
        return e, lengths_of_variables(self.model, lengths)

    def search(self) -> Search | None:
        """Return the problem as its kernel takes it; None if there is none for the model."""
        whole = self.model.is_planar or isinstance(self.model, CoupledModel)
        table = None if whole or not has_kernels("inverse_kinematics") else spaces(self.model)
        if table is None:
            return None
        limits, turns = self.limits, np.zeros(self.model.NQ, dtype=np.int64)
        turns[limits.turns] = 1
        is_length = self.units(np.full(1, 2.0))[1][0] - 1.0
        return Search(
            table, limits.place, turns, limits.lower, limits.upper, is_length, self.weights
        )

    @property
    def _turns(self) -> int:
        """Number of rotations among the residuals."""
        return 1 if self.model.is_planar else 3

    def linearise(self, q: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return residuals e (n, 6) for configurations q (n, NQ) and target transforms X, and the
        derivatives of e with respect to q.
        """
        zero = np.zeros((len(q), self.model.NV))
        seen = view(self.model, q, zero, self.frame, "body")
        e, M = self.error(seen.X @ shift(seen.o), X)
        return self.weights * e, self.weights[:, None] * M @ seen.J


def lengths_of_variables(model: Model, lengths: np.ndarray) -> np.ndarray:
    """Return the units of the velocity variables (n, NV): the lengths (n,) for displacements, one
    for angles.
    """
    joints = model.layout.joints
    of = kept_for(
        model, "displacements", None, lambda: np.concatenate([x.displacements for x in joints])
    )
    return np.asarray(lengths[:, None] ** of)


class Linearised(Protocol):
    """A problem of least squares whose residuals have derivatives along q."""

    @property
    def model(self) -> Model: ...
    @property
    def limits(self) -> Limits: ...
    def units(self, lengths: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...
    def linearise(self, q: np.ndarray, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]: ...


def least_squares(
    problem: Problem,
    X: np.ndarray,
    q: np.ndarray,
    lengths: np.ndarray,
    damping: float,
    tolerance: float,
    max_iterations: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return configurations (n, NQ), residuals (n, 6), of displacements as a part of the lengths
    (n,), and numbers of steps, for n target transforms X.
    """
    search = problem.search()
    if search is None:
        return reference(problem, X, q, lengths, damping, tolerance, max_iterations)
    q, e = np.array(q, order="C"), np.empty((len(q), len(problem.weights)))
    steps = np.full(len(q), max_iterations)
    load_procedure("inverse_kinematics")(
        frame_view(problem.model, problem.frame), search, np.array(X, order="C"), lengths,
        problem.error is log6_residual, float(damping), float(tolerance), q, e, steps,
    )  # fmt: skip
    return q, e, steps


def reference(
    problem: Linearised,
    X: np.ndarray,
    q: np.ndarray,
    lengths: np.ndarray,
    damping: float,
    tolerance: float,
    max_iterations: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the results of `least_squares`, by NumPy for all states at once."""
    model, limits = problem.model, problem.limits
    unit_e, unit_v = problem.units(lengths)

    def linearise(q: np.ndarray, k: Any = slice(None)) -> tuple[np.ndarray, np.ndarray]:
        with warnings.catch_warnings():  # steps after which loops cannot be closed are not taken
            warnings.simplefilter("ignore", SingularWarning)
            e, J = problem.linearise(q, X[k])
        return e / unit_e[k], J * (unit_v[k][:, None] / unit_e[k][..., None])

    q = limits.clip(q)
    e, J = linearise(q)
    mu = damping * np.max(np.sum(J * J, axis=-2), axis=-1, initial=0.0)
    raised, steps = np.full(len(q), 2.0), np.zeros(len(q), dtype=np.int64)
    going = np.max(np.abs(e), axis=-1, initial=0.0) > tolerance
    for _ in range(max_iterations):
        k = np.flatnonzero(going)
        if not k.size:
            break
        dq, slope, largest = _step(limits, q[k], e[k], J[k], mu[k])
        moved = limits.clip(configurationAddition(model, q[k], unit_v[k] * dq))
        e_new, J_new = linearise(moved, k)
        drop = np.sum(e[k] ** 2, axis=-1) - np.sum(e_new**2, axis=-1)
        hoped = np.sum(dq * (mu[k, None] * dq - slope), axis=-1)
        gain = drop / np.where(hoped > 0, hoped, np.inf)
        better, worse = k[drop > 0], k[~(drop > 0)]  # worse: loops that cannot be closed, too
        q[better], e[better], J[better] = moved[drop > 0], e_new[drop > 0], J_new[drop > 0]
        mu[better] *= np.maximum(1 / 10, 1 - (2 * np.minimum(gain[drop > 0], 2) - 1) ** 3)
        raised[better] = 2.0
        mu[worse] *= raised[worse]
        raised[worse] *= 2
        mu[k] = np.maximum(mu[k], LEAST * largest)
        steps[k] += 1
        still = np.max(np.abs(dq), axis=-1, initial=0.0) <= STILL
        still |= ~(mu[k] <= MOST * largest)
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
