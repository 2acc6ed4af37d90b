"""Evaluation of motions of a shooting problem: costs, defects, and their derivatives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.arrays.result_html import shown_in_notebooks
from spatial_v2.control.cost_sums import CostSum
from spatial_v2.control.costs import Instants
from spatial_v2.control.displacements import add
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.spans import spans
from spatial_v2.control.transitions import Charts, Transition, turned
from spatial_v2.packed.memory import allocate

__all__ = ["Evaluation", "Expansion", "Shooting", "Trajectory"]


Costs = tuple[np.ndarray, np.ndarray]
"""Gradients and Hessians of costs."""
Stages = tuple[np.ndarray, Charts]
"""The fields `F` and `charts` of an expansion."""
NOTHING = np.empty(0), np.empty(0)


@shown_in_notebooks
class Trajectory(NamedTuple):
    """Motion with S stages, which are intervals or impacts: states at S + 1 instants, controls."""

    q: np.ndarray
    """Joint positions, shape (..., S + 1, NQ)."""
    qd: np.ndarray
    """Joint velocities, shape (..., S + 1, NV)."""
    u: np.ndarray
    """Controls, shape (..., S, m); zero in impacts."""


class Evaluation(NamedTuple):
    """Trajectories of B problems, with their defects and costs."""

    at: Trajectory
    transitions: list[Transition]
    defects: np.ndarray
    """State at the end of each stage minus the next state, shape (B, S, 2 NV)."""
    cost: np.ndarray
    """Sum of the costs, shape (B,)."""


class Expansion(NamedTuple):
    """First derivatives of the stages, and first and second derivatives of the costs, with respect
    to increments z = [dq, dqd, du] of state and controls.
    """

    F: np.ndarray
    """Jacobians of the ends of the stages, shape (B, S, 2 NV, 2 NV + m)."""
    g: np.ndarray
    """Gradients of the costs, shape (B, S + 1, 2 NV + m)."""
    Q: np.ndarray
    """Hessians of the costs, shape (B, S + 1, 2 NV + m, 2 NV + m)."""
    charts: Charts = ()
    """For joints with rotations; see `Charts`."""


class Shooting:
    """A shooting problem as a sequence of S stages: intervals and impacts.

    Parameters
    ----------
    problem : ShootingProblem
        The problem.
    """

    def __init__(self, problem: ShootingProblem) -> None:
        if not isinstance(problem, ShootingProblem):
            raise TypeError(f"problem: want a ShootingProblem, got {type(problem).__name__}")
        self.problem, self.model, self.spans = problem, problem.model, list(spans(problem))
        self.n, self.m = problem.model.NV, problem.controls
        self.stages = self.spans[-1].stages.stop
        timed = [np.arange(x.stages.start, x.stages.stop) for x in self.spans if not x.is_impact]
        intervals = np.concatenate(timed)
        self.impacts = np.setdiff1d(np.arange(self.stages), intervals)
        self.intervals: Any = intervals if len(self.impacts) else slice(0, self.stages)
        self.lower, self.upper = (np.full((self.stages, self.m), x) for x in (-np.inf, np.inf))
        self.lower[intervals], self.upper[intervals] = problem.lower, problem.upper
        self.running, self.terminal = (
            CostSum(problem.running, problem.h), CostSum(problem.terminal, np.ones(1)),
        )  # fmt: skip
        self.expanded: tuple[Any, Stages] = None, (np.empty(0), [])
        """The transitions of the motion that was expanded last, and the derivatives."""
        self.ahead: tuple[Any, bool, Costs] = None, True, NOTHING
        """The motion whose costs were expanded when it was evaluated, True for exact Hessians, and
        the derivatives, until they are asked for.
        """
        self.bounded = bool((np.isfinite(self.lower) | np.isfinite(self.upper)).any())

    def parts(self, t: Trajectory) -> tuple[tuple[Any, CostSum, Instants], ...]:
        """Return indices, costs and states of instants: first for the running costs, then for the
        terminal costs; the last state of a single problem has no leading axis.
        """
        k = self.intervals
        within = Instants(t.q[:, :-1][:, k], t.qd[:, :-1][:, k], t.u[:, k])
        last: Any = (0, -1) if len(t.q) == 1 else (slice(None), -1)
        end = Instants(t.q[last], t.qd[last], t.u[last][..., :0])
        return (k, self.running, within), (last, self.terminal, end)

    def evaluate(self, t: Trajectory, ahead: bool = False) -> Evaluation:
        """Compute defects and costs of trajectories; if `ahead`, derivatives will be needed."""
        transitions = [s.transition(x[:, s.stages] for x in t) for s in self.spans]
        after = (slice(s.stages.start + 1, s.stages.stop + 1) for s in self.spans)
        both = zip(transitions, after, strict=True)
        c = [x.defects(t.q[:, k], t.qd[:, k], ahead) for x, k in both]
        if ahead:
            exact, cost = self.ahead[1], np.zeros(len(t.q))
            self.ahead = t, exact, self._expand_costs(t, exact, cost)
        else:
            cost = self.cost(t)
        return Evaluation(t, transitions, c[0] if len(c) == 1 else np.concatenate(c, axis=1), cost)

    def ends(self, t: Trajectory) -> tuple[list[Transition], np.ndarray, np.ndarray]:
        """Compute positions and velocities (B, S, ...) at the ends of all stages."""
        transitions = [s.transition(x[:, s.stages] for x in t) for s in self.spans]
        each = zip(*(y.values() for y in transitions), strict=True)
        q, qd = (np.concatenate(x, axis=1) for x in each)
        return transitions, q, qd

    def check_rank(self, t: Trajectory) -> None:
        """Raise the error of dependent constraint rows in a state of the trajectories."""
        for x in self.spans:
            x.check_rank(t.q[:, x.stages], t.qd[:, x.stages])

    def cost(self, t: Trajectory) -> np.ndarray:
        """Compute the costs of trajectories."""
        total = np.zeros(len(t.q))
        for _, costs, at in self.parts(t):
            costs.add_values(at, total)
        return total

    def projected(self, u: np.ndarray, slope: np.ndarray) -> np.ndarray:
        """Project gradients with respect to controls u onto the bounds of the controls."""
        return u - np.clip(u - slope, self.lower, self.upper) if self.bounded else slope

    def expand(self, e: Evaluation, exact: bool) -> Expansion:
        """Compute the derivatives at the trajectories e; unless `exact`, the Hessians of the costs
        may be approximations.

        F has the derivatives of the defects, which are displacements from the next state to the end
        of the stage.
        """
        F, charts = self.expand_stages(e)
        return Expansion(F, *self.expand_costs(e.at, exact), charts)

    def expand_stages(self, e: Evaluation) -> Stages:
        """Compute the fields `F` and `charts` of an expansion, once for a motion."""
        if self.expanded[0] is not e.transitions:
            self.expanded = e.transitions, self._stages(e)
        return self.expanded[1]

    def _stages(self, e: Evaluation) -> Stages:
        F, stages = self._jacobians(len(e.cost)), [s.stages for s in self.spans]
        both = zip(e.transitions, stages, strict=True)
        each = [x.linearise(e.defects[:, k], F[:, k]) for x, k in both]
        if len(each) == 1:
            return F, each[0]
        charts = [list(zip(*x, strict=True)) for x in zip(*each, strict=True)]
        return F, [(vs[0], np.concatenate(K, axis=1)) for vs, K in charts]

    def linearise(self, transitions: list[Transition], B: int) -> np.ndarray:
        """Compute the derivatives of the ends of all stages with respect to z, shape (B, S, 2 NV, 2
        NV + m).
        """
        F = self._jacobians(B)
        for span, transition in zip(self.spans, transitions, strict=True):
            transition.jacobian(F[:, span.stages])
        return F

    def _jacobians(self, B: int) -> np.ndarray:
        return allocate((B, self.stages, 2 * self.n, 2 * self.n + self.m))

    def expand_costs(self, t: Trajectory, exact: bool) -> Costs:
        """Compute gradients and Hessians of the costs."""
        motion, kind, known = self.ahead
        self.ahead = None, exact, NOTHING
        # Hessians are overwritten by those who ask for them.
        return known if motion is t and kind == exact else self._expand_costs(t, exact, None)

    def _expand_costs(self, t: Trajectory, exact: bool, cost: np.ndarray | None) -> Costs:
        B, z = len(t.q), 2 * self.n + self.m
        g, Q = zeros(B, self.stages + 1, z), zeros(B, self.stages + 1, z, z)
        self.add_costs(t, g, Q, exact, cost)
        return g, Q

    def add_costs(
        self, t: Trajectory, g: np.ndarray, Q: np.ndarray, exact: bool, cost: np.ndarray | None
    ) -> None:
        """Add gradients and Hessians of the costs to g and Q, which are zero, and the costs to
        `cost`, if it is given.
        """
        n, z = 2 * self.n, 2 * self.n + self.m
        (k, running, within), (last, terminal, end) = self.parts(t)
        g_k, Q_k = g[:, k], Q[:, k]
        running.add_derivatives(within, g_k, Q_k, exact, cost)
        if len(self.impacts):
            g[:, k], Q[:, k] = g_k, Q_k
            Q[:, self.impacts[:, None], range(n, z), range(n, z)] = 1
        terminal.add_derivatives(end, g[last][..., :n], Q[last][..., :n, :n], exact, cost)

    def add_hessians(self, e: Evaluation, x: Expansion, p: np.ndarray) -> None:
        """Add the Hessians of all stages, weighted by the costates p at their ends, to those of the
        costs in x.
        """
        for span, transition in zip(self.spans, e.transitions, strict=True):
            k = span.stages
            transition.add_hessian(p[:, k.start + 1 : k.stop + 1], x.Q[:, k], of_defects=True)

    def weights(self, x: Expansion, stages: slice, p: np.ndarray) -> np.ndarray:
        """Convert weights p of the defects to weights of displacements of the ends of stages."""
        return turned([(vs, K[:, stages]) for vs, K in x.charts], p)

    def stage(self, k: int, t: Trajectory) -> Transition:
        """Return the transition of stage k alone, from states and controls (B, n) in `t`."""
        (span,) = (x for x in self.spans if x.stages.start <= k < x.stages.stop)
        return span.transition((x[:, None] for x in t), k)

    def move(self, t: Trajectory, dx: np.ndarray, du: np.ndarray) -> Trajectory:
        """Return the trajectories changed by increments dx, du of states and controls."""
        q = add(self.model, t.q, dx[..., : self.n])
        return Trajectory(q, t.qd + dx[..., self.n :], t.u + du)


def zeros(*shape: int) -> np.ndarray:
    """Return zeros, in memory of earlier arrays if there is some."""
    x = allocate(shape)
    x.fill(0.0)
    return x
