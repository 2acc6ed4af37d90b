"""Direct collocation by the method of Hermite and Simpson, with exact sparse derivatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.costs import Instants
from spatial_v2.control.displacements import add, difference, exponential
from spatial_v2.control.guess import initial_trajectory, trajectories
from spatial_v2.control.rates import Rates
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.control.transcribed import (
    Quantities,
    check_length,
    knot_bounds,
    pull_gradient,
    pull_hessian,
)
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.groups import LINE

__all__ = ["Collocation"]

T = np.matrix_transpose
Pair = tuple[np.ndarray, np.ndarray]
SIMPSON = np.array([1, 4, 1])[:, None] / 6


class _Motion:
    """Motion for given unknowns: states y = [x, v] at the knots and in the middles of the
    intervals, and their rates; x is the displacement from the origin, v the velocity.
    """

    def __init__(self, c: Collocation, unknowns: np.ndarray) -> None:
        s, n, self.unknowns = c.s, c.s.n, unknowns.copy()
        knots = np.append(unknowns[: c.knots], np.zeros(s.m)).reshape(s.stages + 1, -1)
        self.y, self.u = knots[:, : 2 * n], knots[:-1, 2 * n :]
        self.middles = unknowns[c.knots :].reshape(-1, 2 * n)
        k = c.timed
        points = np.array([self.y[k], self.middles, self.y[k + 1]])
        self.x, self.v = points[..., :n], points[..., n:]
        self.rates = Rates(s, c.origin, self.x, self.v, self.u[k])
        q = add(s.model, c.origin, self.y[None, :, :n])
        self.t = Trajectory(q, self.y[None, :, n:], self.u[None])
        self.at = Instants(self.rates.q, self.v, self.u[k] + 0 * self.v[..., :1])
        self.last = Instants(q[:, -1], self.t.qd[:, -1], self.u[:1, :0])
        self.impacts = [
            span.transition(y[:, span.stages] for y in self.t) for span in s.spans if span.is_impact
        ]

    def instants(self, k: np.ndarray) -> Instants:
        """Return some of the knots, with empty controls at the end of the motion."""
        u = self.t.u[:, k] if k[-1] < len(self.u) else self.t.u[:, :1, :0]
        return Instants(self.t.q[:, k], self.t.qd[:, k], u)


class Collocation:
    """A shooting problem as a nonlinear program; `transcribe` makes it.

    The methods are those of `Transcription`. Unknowns are displacements, velocities and controls at
    the knots, then displacements and velocities in the middles of the intervals.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, with one initial state.
    origin : Trajectory or Solution, optional
        As in `transcribe`.

    Attributes
    ----------
    size : int
        Number of unknowns n.
    bounds, limits : tuple of two arrays
        Least and largest values of the unknowns, shape (n,), and of the constraints, shape (m,).

    Examples
    --------
    >>> from spatial_v2 import ShootingProblem
    >>> from spatial_v2.control import ControlCost
    >>> from spatial_v2.models import autoTree
    >>> problem = ShootingProblem(autoTree(1), [0.0], [0.0], [0.1, 0.1], [ControlCost(2.0, 1.0)])
    >>> Collocation(problem).objective(np.zeros(12))
    0.2
    """

    def __init__(
        self, problem: ShootingProblem, origin: Trajectory | Solution | None = None
    ) -> None:
        self.s = s = Shooting(problem)
        t, single = initial_trajectory(s, origin, "origin")
        if not single:
            raise SpatialError("q, qd: want one initial state, not many; transcribe each problem")
        self.origin, n, z, S = t.q[0, 0], 2 * s.n, 2 * s.n + s.m, s.stages
        self.timed, self.knots = np.setdiff1d(np.arange(S), s.impacts), S * z + n
        self.size = self.knots + len(self.timed) * n
        self.groups = [vs for group, _, vs in runs(s.model) if group is not LINE]
        low, high = knot_bounds(s, problem.qd)
        free = np.full(self.size - self.knots, np.inf)
        self.bounds = (
            np.append(low[: self.knots], -free),
            np.append(high[: self.knots], free),
        )
        self._now = _Motion(self, np.zeros(self.size))
        self.quantities = Quantities(s, self._now.instants)
        rows = np.zeros((S + len(self.timed)) * n)
        limits = [(rows, rows), *self.quantities.limits]
        low, high = (np.concatenate(y) for y in zip(*limits, strict=True))
        self.limits = low, high
        self._entries()

    def _entries(self) -> None:
        """Find rows and columns of the entries of the Jacobian and of the Hessian."""
        s, k, N = self.s, self.timed[:, None, None], len(self.timed)
        n, z, S, eye = 2 * s.n, 2 * s.n + s.m, s.stages, np.eye(2 * s.n, 2 * s.n + s.m, dtype=bool)
        pattern = self._now.rates.pattern
        self._both, self._own = pattern | eye, pattern[:, :n]
        row, middle = np.arange(n)[:, None], self.knots + np.arange(N)[:, None, None] * n
        column, second = np.arange(z), (S + np.arange(N)[:, None, None]) * n
        places = [
            (k * n + row, k * z + column, self._both),
            (k * n + row, middle + column[:n], self._own),
            (k * n + row, (k + 1) * z + column[:n], self._both[:, :n]),
            (second + row, k * z + column, self._both),
            (second + row, middle + column[:n], eye[:, :n]),
            (second + row, (k + 1) * z + column[:n], self._both[:, :n]),
        ]
        j = s.impacts[:, None, None]
        self._struck = np.concatenate([eye[: s.n], np.ones((s.n, z), dtype=bool)])
        self._struck[:, n:] = False
        places += [
            (j * n + row, j * z + column, self._struck),
            (j * n + row, (j + 1) * z + column[:n], eye[:, :n]),
        ]
        blocks: list[Any] = [
            [y[:, kept].ravel() for y in np.broadcast_arrays(r, c)] for r, c, kept in places
        ]
        blocks += self.quantities.structure(self._now.instants, (S + N) * n, z)
        rows, columns = (np.concatenate([x.ravel() for x in y]) for y in zip(*blocks, strict=True))
        self._J = rows, columns
        low, left = np.tril_indices(z)
        self._triangle, self._kept = (low, left), (np.arange(S + 1)[:, None] < S) | (low < n)
        first, (a, b) = np.arange(S + 1)[:, None] * z, np.tril_indices(n)
        u, y, m = k * z + np.arange(n, z), np.arange(n)[:, None], middle[:, 0]
        pairs = [
            ((first + low)[self._kept], (first + left)[self._kept]),
            (m + a, m + b),
            np.broadcast_arrays(middle + y, u),
            np.broadcast_arrays((k + 1) * z + y, u),
        ]
        rows, columns = (np.concatenate([x.ravel() for x in y]) for y in zip(*pairs, strict=True))
        self._H = rows, columns

    def unknowns(self, t: Trajectory | Solution) -> np.ndarray:
        """Convert a trajectory to unknowns (n,); the state in the middle of an interval is the mean
        of the states at its ends.
        """
        s = self.s
        t = Trajectory(*(y[0] for y in trajectories(s, t, 1, "t")))
        knots = np.zeros((s.stages + 1, 2 * s.n + s.m))
        off = difference(s.model, self.origin, t.q)
        knots[:, : 2 * s.n] = y = np.concatenate([off, t.qd], axis=-1)
        knots[:-1, 2 * s.n :] = t.u
        middles = (y[self.timed] + y[self.timed + 1]) / 2
        return np.append(knots.ravel()[: self.knots], middles)

    def trajectory(self, x: np.ndarray) -> Trajectory:
        """Convert unknowns to a trajectory: states at the knots, and controls."""
        return Trajectory(*(y[0].copy() for y in self._at(x).t))

    def _at(self, x: np.ndarray) -> _Motion:
        """Return the motion for the unknowns x, computed only once while x stays the same."""
        check_length(x, self.size, "x")
        if not np.array_equal(self._now.unknowns, x):
            self._now = _Motion(self, x)
        return self._now

    def _weights(self) -> np.ndarray:
        """Return the weights (3, N) of Simpson's rule."""
        return np.asarray(SIMPSON * self.s.problem.h)

    def objective(self, x: np.ndarray) -> float:
        """Compute the cost; running costs are integrated by Simpson's rule."""
        at, problem = self._at(x), self.s.problem
        running = sum((self._weights() * y.value(at.at)).sum() for y in problem.running)
        return float(running + sum(y.value(at.last)[0] for y in problem.terminal))

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Compute the gradient of the cost, shape (n,)."""
        at, n, k = self._at(x), 2 * self.s.n, self.timed
        g, _, end, _ = self._costs(at, False)
        gradient = np.zeros((self.s.stages + 1, n + self.s.m))
        gradient[k] += g[0]
        gradient[k, n:] += g[1, :, n:] + g[2, :, n:]
        gradient[k + 1, :n] += g[2, :, :n]
        gradient[-1, :n] += end
        return np.append(gradient.ravel()[: self.knots], g[1, :, :n])

    def _costs(self, at: _Motion, exact: bool) -> tuple[np.ndarray, ...]:
        """Compute the gradients and Hessians of the running costs at the beginning, middle and end
        of each interval, times Simpson's weights, and those of the terminal costs.
        """
        problem, n, z = self.s.problem, 2 * self.s.n, 2 * self.s.n + self.s.m
        g, Q = np.zeros((*at.x.shape[:2], z)), np.zeros((*at.x.shape[:2], z, z))
        for cost in problem.running:
            cost.add_derivatives(at.at, g, Q, exact)
        end, bent = np.zeros((1, n)), np.zeros((1, n, n))
        for cost in problem.terminal:
            cost.add_derivatives(at.last, end, bent, exact)
        w = self._weights()[..., None]
        g, Q, last = w * g, w[..., None] * Q, at.y[-1:]
        if exact:
            pull_hessian(self.groups, at.x, g, Q)
            pull_hessian(self.groups, last, end, bent)
        pull_gradient(self.groups, at.x, g)
        pull_gradient(self.groups, last, end)
        return g, Q, end[0], bent[0]

    def constraints(self, x: np.ndarray) -> np.ndarray:
        """Compute the constraints: the next state minus the integral of the rates, or minus the
        state after an impact; states in the middles minus those of Hermite's polynomial; the
        quantities with bounds.
        """
        at, k, h = self._at(x), self.timed, np.asarray(self.s.problem.h)[:, None]
        F, y, n = at.rates.values(), at.y, self.s.n
        defects = y[1:] - y[:-1]
        defects[k] -= h / 6 * (F[0] + 4 * F[1] + F[2])
        for j, impact in zip(self.s.impacts, at.impacts, strict=True):
            defects[j, n:] = y[j + 1, n:] - impact.values()[1][0, 0]
        middles = at.middles - (y[k] + y[k + 1]) / 2 - h / 8 * (F[0] - F[2])
        return np.concatenate(
            [defects.ravel(), middles.ravel(), *self.quantities.values(at.instants)]
        )

    def jacobianstructure(self) -> Pair:
        """Return rows and columns of the entries that `jacobian` computes."""
        return self._J

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Compute the entries of the Jacobian of the constraints."""
        at, n, N = self._at(x), 2 * self.s.n, len(self.timed)
        D, h = at.rates.jacobian, np.asarray(self.s.problem.h)[:, None, None]
        one = np.eye(n, n + self.s.m)
        first, second = -one - h / 6 * D[0], -one / 2 - h / 8 * D[0]
        first[..., n:] -= h / 6 * (4 * D[1] + D[2])[..., n:]
        second[..., n:] += h / 8 * D[2, ..., n:]
        after = one[:, :n] - h / 6 * D[2, ..., :n], -one[:, :n] / 2 + h / 8 * D[2, ..., :n]
        ones, own = np.ones(N * n), (-4 * h / 6 * D[1, ..., :n])[:, self._own]
        both = [y[:, self._both] for y in (first, second)]
        next_ = [y[:, self._both[:, :n]] for y in after]
        F = -self._struck_rows(at)
        pull = np.zeros(0) if not len(F) else F[:, self._struck]
        parts = [both[0], own, next_[0], both[1], ones, next_[1], pull, np.ones(len(F) * n)]
        parts += self.quantities.jacobians(at.instants, self.groups, at.y[None])
        return np.concatenate([y.ravel() for y in parts])

    def _struck_rows(self, at: _Motion, pulled: bool = True) -> np.ndarray:
        """Compute the derivatives of the states after impacts with respect to the z variables
        before them, shape (number of impacts, 2 NV, z). If `pulled`, the variables are
        displacements from the origin, otherwise increments of the configurations.
        """
        n = self.s.n
        F = np.zeros((len(at.impacts), 2 * n, 2 * n + self.s.m))
        for j, impact in enumerate(at.impacts):
            impact.jacobian(F[None, j : j + 1])
        for vs in self.groups if pulled else ():
            x = at.y[self.s.impacts, vs]
            F[:, n:, vs] = F[:, n:, vs] @ exponential(x, 0 * x)[0]
        return F

    def hessianstructure(self) -> Pair:
        """Return rows and columns of the entries that `hessian` computes, in the lower triangle."""
        return self._H

    def hessian(self, x: np.ndarray, multipliers: np.ndarray, factor: float) -> np.ndarray:
        """Compute the entries of the Hessian of
        ``factor * objective + multipliers . constraints``.
        """
        check_length(multipliers, len(self.limits[0]), "multipliers")
        at, s, k, n = self._at(x), self.s, self.timed, 2 * self.s.n
        S, N, h = s.stages, len(k), np.asarray(s.problem.h)[:, None]
        first = multipliers[: S * n].reshape(S, n)
        second = multipliers[S * n : (S + N) * n].reshape(N, n)
        a, b = -h / 6 * first[k], -h / 8 * second
        _, Q, _, end = self._costs(at, True)
        H = factor * Q + at.rates.hessian(np.array([a + b, 4 * a, a - b]))
        g, own = np.zeros((1, S + 1, n + s.m)), np.zeros((1, S + 1, n + s.m, n + s.m))
        self.quantities.add_hessians(at.instants, multipliers[(S + N) * n :], g, own)
        F = self._struck_rows(at, False)
        for row, j, impact in zip(F, s.impacts, at.impacts, strict=True):
            p = np.append(np.zeros(s.n), -first[j, s.n :])
            impact.add_hessian(p[None, None], own[:, j : j + 1])
            g[0, j] += row.T @ p
        pull_hessian(self.groups, at.y[None], g, own)
        own = own[0]
        own[k] += H[0]
        own[k, n:, n:] += H[1, :, n:, n:] + H[2, :, n:, n:]
        own[k + 1, :n, :n] += H[2, :, :n, :n]
        own[-1, :n, :n] += factor * end
        parts = [own[:, *self._triangle][self._kept], H[1][:, *np.tril_indices(n)]]
        parts += [H[1, :, :n, n:], H[2, :, :n, n:]]
        return np.concatenate([y.ravel() for y in parts])
