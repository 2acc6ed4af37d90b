"""Multiple shooting as a nonlinear programme with exact sparse derivatives."""

from __future__ import annotations

import numpy as np

from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.displacements import difference, exponential, logarithm
from spatial_v2.control.guess import initial_trajectory
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.transcribed import Point
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.groups import LINE

__all__ = ["Transcription", "transcribe"]

T = np.matrix_transpose
Pair = tuple[np.ndarray, np.ndarray]


class Transcription:
    """A shooting problem as a nonlinear programme; `transcribe` makes it.

    The methods are those of the `Programme` of `spatial_v2.interop.ipopt.solve_ipopt`, and of
    ``cyipopt``.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, with one initial state.
    origin : Trajectory, optional
        The arguments of `transcribe`.

    Attributes
    ----------
    size : int
        Number of unknowns n.
    bounds, limits : tuple of two arrays
        Least and largest values of the unknowns, shape (n,), and of the constraints, shape (m,).

    Examples
    --------
    >>> from spatial_v2.control import ControlCost
    >>> from spatial_v2.models import autoTree
    >>> problem = ShootingProblem(autoTree(1), [0.0], [0.0], [0.1, 0.1], [ControlCost(2.0, 1.0)])
    >>> programme = transcribe(problem)
    >>> programme.objective(np.zeros(programme.size))
    0.2
    """

    def __init__(self, problem: ShootingProblem, origin: Trajectory | None = None) -> None:
        self.s = s = Shooting(problem)
        self.origin, single = initial_trajectory(s, origin)
        if not single:
            raise SpatialError("q, qd: want one initial state, not many; transcribe each problem")
        n, z, S = 2 * s.n, 2 * s.n + s.m, s.stages
        self.size = S * z + n
        self.groups = [vs for group, _, vs in runs(s.model) if group is not LINE]
        low, high = np.full((2, S + 1, z), np.inf)
        low *= -1
        low[:S, n:], high[:S, n:] = s.lower, s.upper
        low[s.impacts, n:] = high[s.impacts, n:] = 0.0
        low[0, :n] = high[0, :n] = np.concatenate([np.zeros(s.n), self.origin.qd[0, 0]])
        self.bounds = low.ravel()[: self.size], high.ravel()[: self.size]
        whole, limits = np.arange(S)[s.intervals], [(np.zeros(S * n), np.zeros(S * n))]
        places = [(x, whole[x.intervals]) for x in problem.running_bounds]
        places += [(x, np.array([S])) for x in problem.terminal_bounds]
        self.quantities = [(x.quantity, k) for x, k in places]
        at = self._point = Point(s, self.origin, np.zeros(self.size))
        for x, k in places:
            shape = np.shape(x.quantity.value(at.instants(k)))
            low, high = (np.broadcast_to(y, shape).ravel() for y in (x.lower, x.upper))
            limits.append((low, high))
        low, high = (np.concatenate(y) for y in zip(*limits, strict=True))
        self.limits = low, high
        self._entries(at)

    def _entries(self, point: Point) -> None:
        """Return rows and columns of the entries of the Jacobian and of the Hessian."""
        s = self.s
        n, z, S = 2 * s.n, 2 * s.n + s.m, s.stages
        k, first = np.arange(S)[:, None, None], S * n
        blocks = [np.broadcast_arrays(k * n + np.arange(n)[:, None], k * z + np.arange(z))]
        blocks.append((np.arange(S * n), ((1 + k) * z + np.arange(n)).ravel()))
        for quantity, at in self.quantities:
            J = quantity.jacobian(point.instants(at))[0]
            row = first + np.arange(len(at) * J.shape[1]).reshape(J.shape[:2])[..., None]
            blocks.append(np.broadcast_arrays(row, at[:, None, None] * z + np.arange(J.shape[2])))
            first += len(at) * J.shape[1]
        rows, columns = (np.concatenate([x.ravel() for x in y]) for y in zip(*blocks, strict=True))
        self._J = rows, columns
        row, column = np.tril_indices(z)
        keep = (np.arange(S + 1)[:, None] < S) | (row < n)
        at = np.arange(S + 1)[:, None] * z
        self._triangle, self._kept = (row, column), keep
        self._H = (at + row)[keep], (at + column)[keep]

    def unknowns(self, t: Trajectory) -> np.ndarray:
        """Convert a trajectory to the unknowns (n,): displacements, velocities, controls."""
        x = np.zeros((self.s.stages + 1, 2 * self.s.n + self.s.m))
        off = difference(self.s.model, self.origin.q[0], np.asarray(t.q))
        x[:, : 2 * self.s.n] = np.concatenate([off, t.qd], axis=-1)
        x[:-1, 2 * self.s.n :] = t.u
        return x.ravel()[: self.size]

    def trajectory(self, x: np.ndarray) -> Trajectory:
        """Convert unknowns to a trajectory: states and controls."""
        return Trajectory(*(y[0] for y in Point(self.s, self.origin, x).t))

    def _at(self, x: np.ndarray) -> Point:
        """Return the motion for the unknowns x, computed only once while x stays the same."""
        if not np.array_equal(self._point.x, x):
            self._point = Point(self.s, self.origin, x)
        return self._point

    def objective(self, x: np.ndarray) -> float:
        """Compute the cost."""
        return float(self.s.cost(self._at(x).t)[0])

    def gradient(self, x: np.ndarray) -> np.ndarray:
        """Compute the gradient of the cost, shape (n,)."""
        at = self._at(x)
        g, _ = self.s.expand_costs(at.t, False)
        for vs in self.groups:
            J, _ = exponential(at.states[..., vs], g[..., vs])
            g[..., vs] = (T(J) @ g[..., vs, None])[..., 0]
        return np.asarray(g.ravel()[: self.size])

    def constraints(self, x: np.ndarray) -> np.ndarray:
        """Compute the constraints: ends of the stages minus the states that follow, then the
        quantities with bounds.
        """
        at = self._at(x)
        values = [f.value(at.instants(k)).ravel() for f, k in self.quantities]
        return np.concatenate([(at.ends - at.states[:, 1:]).ravel(), *values])

    def jacobianstructure(self) -> Pair:
        """Return rows and columns of the entries that `jacobian` computes."""
        return self._J

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Compute the entries of the Jacobian of the constraints."""
        at = self._at(x)
        F, rows = at.F.copy(), [f.jacobian(at.instants(k)) for f, k in self.quantities]
        for vs in self.groups:
            e, xi = at.ends[..., vs], at.states[..., vs]
            F[..., vs, :] = logarithm(e, 0 * e)[0] @ F[..., vs, :]
            J, _ = exponential(xi, 0 * xi)
            F[..., vs] = F[..., vs] @ J[:, :-1]
            for y, (_, k) in zip(rows, self.quantities, strict=True):
                y[..., vs] = y[..., vs] @ J[:, k]
        links = np.full(at.ends.size, -1.0)
        return np.concatenate([F.ravel(), links, *(y.ravel() for y in rows)])

    def hessianstructure(self) -> Pair:
        """Return rows and columns of the entries that `hessian` computes, in the lower triangle."""
        return self._H

    def hessian(self, x: np.ndarray, multipliers: np.ndarray, factor: float) -> np.ndarray:
        """Compute the entries of the Hessian of
        ``factor * objective + multipliers . constraints``.
        """
        at, s = self._at(x), self.s
        g, Q = (factor * y for y in s.expand_costs(at.t, True))
        Q[:, s.impacts] = 0.0
        p, first = multipliers[: at.ends.size].reshape(at.ends.shape).copy(), at.ends.size
        for vs in self.groups:
            K, bent = logarithm(at.ends[..., vs], p[..., vs])
            p[..., vs] = (T(K) @ p[..., vs, None])[..., 0]
            F_x, bend = at.F[..., vs, :], bent @ K
            Q[:, :-1] += T(F_x) @ (bend + T(bend)) @ F_x / 2
        g[:, :-1] += (T(at.F) @ p[..., None])[..., 0]
        for span, transition in zip(s.spans, at.transitions, strict=True):
            transition.add_hessian(p[:, span.stages], Q[:, span.stages])
        for f, k in self.quantities:
            J = f.jacobian(at.instants(k))
            w = multipliers[first : first + J[..., 0].size].reshape(J.shape[:-1])
            first, z = first + w.size, J.shape[-1]
            bend = np.zeros((*w.shape[:-1], z, z))
            f.add_hessian(at.instants(k), w, bend)
            g[:, k, :z] += (T(J) @ w[..., None])[..., 0]
            Q[:, k, :z, :z] += bend
        for vs in self.groups:
            J, bend = exponential(at.states[..., vs], g[..., vs])
            Q[..., vs, :] = T(J) @ Q[..., vs, :]
            Q[..., vs] = Q[..., vs] @ J
            Q[..., vs, vs] += (bend + T(bend)) / 2
        return np.asarray(Q[0][:, *self._triangle][self._kept])


def transcribe(problem: ShootingProblem, origin: Trajectory | None = None) -> Transcription:
    """Transcribe a problem by multiple shooting, for solvers of nonlinear programmes.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, with one initial state.
    origin : Trajectory, optional
        Configurations from which displacements are unknowns, arrays that broadcast as the guess of
        `solve`. Rotations stay below pi from there. By default the robot stays where it is.

    Returns
    -------
    Transcription
        ``objective``, ``gradient``, ``constraints``, ``jacobian``, ``hessian`` and the structures
        of the last two, ``bounds`` and ``limits``; ``unknowns`` and ``trajectory`` convert.

    Raises
    ------
    ArrayShapeError
        An origin of the wrong shape.
    SpatialError
        Many initial states.

    Notes
    -----
    Unknowns are displacements x of the configurations ``q (+) x`` from the origin, velocities and
    controls at each instant. The constraint of a stage is its end, as displacement from the origin,
    minus x of the next instant. It is linear in the latter, so that the Hessian of the Lagrangian
    is block diagonal, with a block for each instant. An evaluation is one call of a kernel for all
    intervals of a phase.

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, StateCost
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> goal = StateCost(model, [1.0, 0.0], 100.0, 10.0)
    >>> problem = ShootingProblem(
    ...     model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> programme = transcribe(problem)
    >>> programme.size, len(programme.limits[0]), programme.jacobianstructure()[0].size
    (304, 200, 1400)

    IPOPT solves it by ``solve_ipopt(programme, np.zeros(programme.size), programme.bounds,
    programme.limits)`` of `spatial_v2.interop.ipopt`.
    """
    return Transcription(problem, origin)
