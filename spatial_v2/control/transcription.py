"""Multiple shooting as a nonlinear program with exact sparse derivatives."""

from __future__ import annotations

from typing import Literal, get_args, overload

import numpy as np

from spatial_v2.configuration.by_joint import runs
from spatial_v2.control.collocation import Collocation
from spatial_v2.control.displacements import difference, exponential, logarithm
from spatial_v2.control.guess import initial_trajectory, trajectories
from spatial_v2.control.shooting import Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.control.transcribed import (
    Point,
    Quantities,
    check_length,
    knot_bounds,
    pull_gradient,
    pull_hessian,
)
from spatial_v2.exceptions import SpatialError
from spatial_v2.joints.groups import LINE

__all__ = ["Transcription", "transcribe"]

T = np.matrix_transpose
Pair = tuple[np.ndarray, np.ndarray]


class Transcription:
    """A shooting problem as a nonlinear program; `transcribe` makes it.

    The methods are those of the `Programme` of `spatial_v2.interop.ipopt.solve_ipopt`, and of
    ``cyipopt``.

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
    >>> from spatial_v2.control import ControlCost, transcribe
    >>> from spatial_v2.models import autoTree
    >>> problem = ShootingProblem(autoTree(1), [0.0], [0.0], [0.1, 0.1], [ControlCost(2.0, 1.0)])
    >>> program = transcribe(problem)
    >>> program.objective(np.zeros(program.size))
    0.2
    """

    def __init__(
        self, problem: ShootingProblem, origin: Trajectory | Solution | None = None
    ) -> None:
        self.s = s = Shooting(problem)
        self.origin, single = initial_trajectory(s, origin, "origin")
        if not single:
            raise SpatialError("q, qd: want one initial state, not many; transcribe each problem")
        n, z, S = 2 * s.n, 2 * s.n + s.m, s.stages
        self.size = S * z + n
        self.groups = [vs for group, _, vs in runs(s.model) if group is not LINE]
        low, high = knot_bounds(s, self.origin.qd[0, 0])
        self.bounds = low[: self.size], high[: self.size]
        at = self._point = Point(s, self.origin, np.zeros(self.size))
        self.quantities = Quantities(s, at.instants)
        limits = [(np.zeros(S * n), np.zeros(S * n)), *self.quantities.limits]
        low, high = (np.concatenate(y) for y in zip(*limits, strict=True))
        self.limits = low, high
        self._entries(at)

    def _entries(self, point: Point) -> None:
        """Return rows and columns of the entries of the Jacobian and of the Hessian."""
        s = self.s
        n, z, S = 2 * s.n, 2 * s.n + s.m, s.stages
        k = np.arange(S)[:, None, None]
        blocks = [np.broadcast_arrays(k * n + np.arange(n)[:, None], k * z + np.arange(z))]
        blocks.append((np.arange(S * n), ((1 + k) * z + np.arange(n)).ravel()))
        blocks += self.quantities.structure(point.instants, S * n, z)
        rows, columns = (np.concatenate([x.ravel() for x in y]) for y in zip(*blocks, strict=True))
        self._J = rows, columns
        row, column = np.tril_indices(z)
        keep = (np.arange(S + 1)[:, None] < S) | (row < n)
        at = np.arange(S + 1)[:, None] * z
        self._triangle, self._kept = (row, column), keep
        self._H = (at + row)[keep], (at + column)[keep]

    def unknowns(self, t: Trajectory | Solution) -> np.ndarray:
        """Convert a trajectory to the unknowns (n,): displacements, velocities, controls."""
        t = Trajectory(*(y[0] for y in trajectories(self.s, t, 1, "t")))
        x = np.zeros((self.s.stages + 1, 2 * self.s.n + self.s.m))
        off = difference(self.s.model, self.origin.q[0], t.q)
        x[:, : 2 * self.s.n] = np.concatenate([off, t.qd], axis=-1)
        x[:-1, 2 * self.s.n :] = t.u
        return x.ravel()[: self.size]

    def trajectory(self, x: np.ndarray) -> Trajectory:
        """Convert unknowns to a trajectory: states and controls."""
        check_length(x, self.size, "x")
        return Trajectory(*(y[0] for y in Point(self.s, self.origin, x).t))

    def _at(self, x: np.ndarray) -> Point:
        """Return the motion for the unknowns x, computed only once while x stays the same."""
        check_length(x, self.size, "x")
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
        pull_gradient(self.groups, at.states, g)
        return np.asarray(g.ravel()[: self.size])

    def constraints(self, x: np.ndarray) -> np.ndarray:
        """Compute the constraints: ends of the stages minus the states that follow, then the
        quantities with bounds.
        """
        at = self._at(x)
        values = self.quantities.values(at.instants)
        return np.concatenate([(at.ends - at.states[:, 1:]).ravel(), *values])

    def jacobianstructure(self) -> Pair:
        """Return rows and columns of the entries that `jacobian` computes."""
        return self._J

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Compute the entries of the Jacobian of the constraints."""
        at = self._at(x)
        F, rows = at.F.copy(), self.quantities.jacobians(at.instants, self.groups, at.states)
        for vs in self.groups:
            e, xi = at.ends[..., vs], at.states[..., vs]
            F[..., vs, :] = logarithm(e, 0 * e)[0] @ F[..., vs, :]
            J, _ = exponential(xi, 0 * xi)
            F[..., vs] = F[..., vs] @ J[:, :-1]
        links = np.full(at.ends.size, -1.0)
        return np.concatenate([F.ravel(), links, *rows])

    def hessianstructure(self) -> Pair:
        """Return rows and columns of the entries that `hessian` computes, in the lower triangle."""
        return self._H

    def hessian(self, x: np.ndarray, multipliers: np.ndarray, factor: float) -> np.ndarray:
        """Compute the entries of the Hessian of
        ``factor * objective + multipliers . constraints``.
        """
        check_length(multipliers, len(self.limits[0]), "multipliers")
        at, s = self._at(x), self.s
        g, Q = (factor * y for y in s.expand_costs(at.t, True))
        Q[:, s.impacts] = 0.0
        p = multipliers[: at.ends.size].reshape(at.ends.shape).copy()
        for vs in self.groups:
            K, bent = logarithm(at.ends[..., vs], p[..., vs])
            p[..., vs] = (T(K) @ p[..., vs, None])[..., 0]
            F_x, bend = at.F[..., vs, :], bent @ K
            Q[:, :-1] += T(F_x) @ (bend + T(bend)) @ F_x / 2
        g[:, :-1] += (T(at.F) @ p[..., None])[..., 0]
        for span, transition in zip(s.spans, at.transitions, strict=True):
            transition.add_hessian(p[:, span.stages], Q[:, span.stages])
        self.quantities.add_hessians(at.instants, multipliers[at.ends.size :], g, Q)
        pull_hessian(self.groups, at.states, g, Q)
        return np.asarray(Q[0][:, *self._triangle][self._kept])


TranscriptionMethod = Literal["multiple_shooting", "hermite_simpson"]
"""Names of the transcriptions."""


@overload
def transcribe(
    problem: ShootingProblem, origin: Trajectory | Solution | None = None,
    method: Literal["multiple_shooting"] = "multiple_shooting",
) -> Transcription: ...  # fmt: skip
@overload
def transcribe(
    problem: ShootingProblem, origin: Trajectory | Solution | None = None, *,
    method: Literal["hermite_simpson"],
) -> Collocation: ...  # fmt: skip
def transcribe(
    problem: ShootingProblem, origin: Trajectory | Solution | None = None,
    method: TranscriptionMethod = "multiple_shooting",
) -> Transcription | Collocation:  # fmt: skip
    """Transcribe a problem for solvers of nonlinear programs.

    Parameters
    ----------
    problem : ShootingProblem
        The problem, with one initial state.
    origin : Trajectory or Solution, optional
        Trajectory whose configurations are the origins of the unknown displacements; its arrays
        broadcast as those of the guess of `solve`. Collocation uses the first configuration for all
        instants. Rotations from the origin must be by less than pi. By default all origins are the
        initial configuration.
    method : {"multiple_shooting", "hermite_simpson"}, optional
        Multiple shooting has the time steps and costs of `solve`. Direct collocation by the method
        of Hermite and Simpson is of order four; it does not use ``problem.method``, and integrates
        running costs by Simpson's rule.

    Returns
    -------
    Transcription or Collocation
        ``objective``, ``gradient``, ``constraints``, ``jacobian``, ``hessian`` and the structures
        of the last two, ``bounds`` and ``limits``; ``unknowns`` and ``trajectory`` convert.

    Raises
    ------
    ArrayShapeError
        An origin of the wrong shape.
    SpatialError
        Many initial states; an unknown method.

    Notes
    -----
    In multiple shooting, unknowns are displacements x of the configurations ``q (+) x`` from the
    origin, velocities and controls at each instant. The constraint of a stage is its end, as
    displacement from the origin, minus x of the next instant. It is linear in the latter, so that
    the Hessian of the Lagrangian is block diagonal, with a block for each instant. An evaluation is
    one call of a kernel for all intervals of a phase.

    Collocation has states in the middles of the intervals as further unknowns. With rates F at the
    beginning, the middle and the end of an interval of length h, where controls are constant, the
    constraints are ``y' = y + h/6 (F + 4 F_m + F')`` and ``y_m = (y + y')/2 + h/8 (F - F')`` for
    states y = [x, qd]. The rate of the displacement x is ``K(x) qd`` with K the derivative of the
    logarithm. Hargraves and Paris (1987); Betts, "Practical Methods for Optimal Control" (2010).

    Examples
    --------
    >>> from spatial_v2.control import ControlCost, ShootingProblem, StateCost
    >>> from spatial_v2.models import autoTree
    >>> model = autoTree(2)
    >>> goal = StateCost(model, [1.0, 0.0], 100.0, 10.0)
    >>> problem = ShootingProblem(
    ...     model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)], [goal])
    >>> program = transcribe(problem)
    >>> program.size, len(program.limits[0]), program.jacobianstructure()[0].size
    (304, 200, 1400)

    IPOPT solves it by ``solve_ipopt(program, np.zeros(program.size), program.bounds,
    program.limits)`` of `spatial_v2.interop.ipopt`.
    """
    if method not in get_args(TranscriptionMethod):
        raise SpatialError(f"method: want one of {get_args(TranscriptionMethod)}, got {method!r}")
    kind = Transcription if method == "multiple_shooting" else Collocation
    return kind(problem, origin)
