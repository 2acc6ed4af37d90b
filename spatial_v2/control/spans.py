"""Stages of a shooting problem: the intervals of contact phases, and impacts before them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from derivatives import Impact_FO_derivatives, Impact_SO_derivatives
from spatial_v2.constraints import Impact_dyn
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.control.accelerations import Accelerations
from spatial_v2.control.euler_assembly import Actuation, actuation
from spatial_v2.control.methods import RK4Step
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.transitions import EulerTransition, Transition, turned
from spatial_v2.exceptions import SpatialError
from spatial_v2.model import Model

__all__ = ["Span", "spans"]

T = np.matrix_transpose


class RungeKuttaTransition(Transition):
    """Time steps by the Runge-Kutta method; see `time_step`."""

    def __init__(
        self, a: Accelerations, q: Any, v: Any, u: Any, S: Actuation, h: np.ndarray
    ) -> None:
        (n, m), self.model = S.S.shape, a.model
        self.step = RK4Step(a.model, a, q, v, u @ S.S.T, h[:, None] + 0 * v[..., :1])
        self.inputs = np.zeros((3 * n + 1, 2 * n + m))
        self.inputs[: 2 * n, : 2 * n], self.inputs[2 * n : -1, 2 * n :] = np.eye(2 * n), S.S

    def values(self, ahead: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Compute positions and velocities at the ends of the stages; see `Transition`."""
        return self.step.values()

    def jacobian(self, F: np.ndarray) -> None:
        """Compute the derivatives of the ends; see `Transition`."""
        F[:] = np.concatenate(self.step.jacobian(), axis=-2) @ self.inputs

    def add_hessian(self, p: np.ndarray, Q: np.ndarray, of_defects: bool = False) -> None:
        """Add the second derivatives of ``p . [q', qd']``, the state at the end weighted by p; see
        `Transition`.
        """
        p, n = turned(self.charts, p) if of_defects else p, p.shape[-1] // 2
        ordered = T(self.inputs) @ self.step.hessian(p[..., :n], p[..., n:]) @ self.inputs
        Q += (ordered + T(ordered)) / 2


class ImpactTransition(Transition):
    """Impacts, at which velocities jump as in `Impact_dyn`; controls have no effect."""

    def __init__(
        self, model: Model, constraints: ConstraintSet, restitution: float, q: Any, v: Any
    ) -> None:
        self.model, self.state = model, (model, q, v, constraints, restitution)

    def values(self, ahead: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Compute positions and velocities at the ends of the stages; see `Transition`."""
        return self.state[1], Impact_dyn(*self.state, rank="nan").qd_plus

    def jacobian(self, F: np.ndarray) -> None:
        """Compute the derivatives of the ends; see `Transition`."""
        d, n = Impact_FO_derivatives(*self.state, rank="nan"), F.shape[-2] // 2
        F[:] = 0.0
        F[..., range(n), range(n)] = 1
        F[..., n:, :n], F[..., n:, n : 2 * n] = d.dqd_dq, d.dqd_dqd

    def add_hessian(self, p: np.ndarray, Q: np.ndarray, of_defects: bool = False) -> None:
        """Add the second derivatives of ``p . [q', qd']``, the state at the end weighted by p; see
        `Transition`.
        """
        d, n = Impact_SO_derivatives(*self.state, rank="nan"), p.shape[-1] // 2
        p = turned(self.charts, p) if of_defects else p
        qq, qv = (np.einsum("...i,...ijk->...jk", p[..., n:], x) for x in (d.d2qd_dq, d.d2qd_cross))
        Q[..., :n, :n] += (qq + T(qq)) / 2
        Q[..., :n, n : 2 * n] += qv
        Q[..., n : 2 * n, :n] += T(qv)


class Span:
    """Consecutive stages with equal dynamics: the intervals of a contact phase, or one impact."""

    def __init__(self, problem: ShootingProblem, phase: int, first: int, h: np.ndarray) -> None:
        self.stages = slice(first, first + max(len(h), 1))
        self.h, self.S, self.is_impact = h, actuation(problem.actuation), not len(h)
        constraints, more = problem.sets[phase], {"baumgarte": problem.baumgarte, "rank": "nan"}
        self.impact, self.phase = (
            (problem.model, constraints, problem.phases[phase].restitution),
            phase,
        )
        self.a = Accelerations(problem.model, constraints=constraints, damping=problem.damping)
        if constraints.m:
            self.a.options.update(more)
        self.kind = EulerTransition if problem.method != "rk4" else RungeKuttaTransition

    def transition(self, at: Iterable[np.ndarray], stage: int | None = None) -> Transition:
        """Return the transition of all stages, or of one, from q, qd, u (B, s, n)."""
        q, v, u = at
        if self.is_impact:
            return ImpactTransition(*self.impact, q, v)
        h = self.h if stage is None else self.h[stage - self.stages.start :][:1]
        return self.kind(self.a, q, v, u, self.S, h)

    def check_rank(self, q: np.ndarray, v: np.ndarray) -> None:
        """Raise the error of the constraint rows if they are dependent in one of the states q, qd
        (B, s, n).
        """
        model, constraints, _ = self.impact
        if constraints.m and not self.a.options.get("damping"):
            unsolved = np.isnan(Impact_dyn(model, q, v, constraints, rank="nan").qd_plus).any(
                axis=-1
            )
            unsolved &= np.isfinite(q).all(axis=-1) & np.isfinite(v).all(axis=-1)
            for state in np.argwhere(unsolved)[:1]:
                try:
                    Impact_dyn(model, q[tuple(state)], v[tuple(state)], constraints)
                except SpatialError as error:
                    raise SpatialError(f"phases[{self.phase}]: {error}") from None


def spans(problem: ShootingProblem) -> Iterator[Span]:
    """Iterate over the spans of a problem, in order."""
    first = interval = 0
    for k, phase in enumerate(problem.phases):
        h = problem.h[interval : interval + phase.steps]
        for part in ([h[:0]] if phase.impact else []) + [h]:
            yield Span(problem, k, first, part)
            first += max(len(part), 1)
        interval += phase.steps
