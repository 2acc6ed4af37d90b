"""The dynamics of the stages of a shooting problem: intervals of time, and impacts between them.

A transition takes states (B, s, n) at the beginnings of consecutive stages to their ends. It keeps
what the derivatives at the same states need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import numpy as np

from derivatives import Impact_FO_derivatives, Impact_SO_derivatives
from spatial_v2.configuration.by_joint import runs
from spatial_v2.constraints import Impact_dyn
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.control.accelerations import Accelerations
from spatial_v2.control.displacements import add, exponential, transport
from spatial_v2.control.methods import RK4Step
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.joints.groups import LINE
from spatial_v2.joints.tangent import bracket_form
from spatial_v2.model import Model

__all__ = ["Span", "Transition", "spans"]

T = np.matrix_transpose


class Transition(Protocol):
    """Stages from given states under given controls."""

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities at the ends."""

    def jacobian(self, F: np.ndarray) -> None:
        """Derivatives of [q', qd'] by [q, qd, u] into F (B, s, 2 NV, 2 NV + m), zero before."""

    def add_hessian(self, p: np.ndarray, Q: np.ndarray) -> None:
        """Add the symmetric second derivatives of ``p . [q', qd']``, after `jacobian`."""


class EulerTransition:
    """Steps of semi-implicit Euler, ``v' = v + h a(q, v, S u), q' = q (+) h v'``."""

    def __init__(
        self, a: Accelerations, q: Any, v: Any, u: Any, S: np.ndarray, h: np.ndarray
    ) -> None:
        self.a, self.q, self.v, self.tau, self.S, self.h = a, q, v, u @ S.T, S, h[:, None]

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities at the ends."""
        v = self.v + self.h * self.a(self.q, self.v, self.tau)
        self.x = self.h * v
        return add(self.a.model, self.q, self.x), v

    def jacobian(self, F: np.ndarray) -> None:
        """Derivatives of the ends, as of `Transition`."""
        n, h = self.v.shape[-1], self.h[..., None]
        a_q, a_v, a_tau = self.a.blocks(self.q, self.v, self.tau)
        v_z, q_z, k = F[..., n:, :], F[..., :n, :], np.arange(n)
        np.multiply(h, a_q, out=v_z[..., :n])
        np.multiply(h, a_v, out=v_z[..., n : 2 * n])
        np.matmul(h * a_tau, self.S, out=v_z[..., 2 * n :])
        v_z[..., k, n + k] += 1
        np.multiply(h, v_z, out=q_z)
        self.moved = {}
        for group, _, vs in runs(self.a.model):
            if group is LINE:
                k = np.arange(vs.start, vs.stop)
                q_z[..., k, k] += 1
                continue
            x, x_z = self.x[..., vs], q_z[..., vs, :].copy()
            X, (J, _) = transport(x), exponential(x, 0 * x)
            self.moved[vs.start] = vs, x, x_z, X
            q_z[..., vs, :] = J @ x_z
            q_z[..., vs, vs] += X

    def add_hessian(self, p: np.ndarray, Q: np.ndarray) -> None:
        """Add second derivatives of ``p . [q', qd']``, as of `Transition`."""
        n = self.v.shape[-1]
        p_q, p_v = p[..., :n], p[..., n:]
        p_x = p_q.copy()
        for vs, x, x_z, X in self.moved.values():
            w = p_q[..., vs]
            J, twice = exponential(x, w)
            p_x[..., vs] = (T(J) @ w[..., None])[..., 0]
            bend = T(x_z) @ (T(twice) + twice) @ x_z / 2
            cross = T(X) @ bracket_form(w) @ J @ x_z / 2
            Q += bend
            Q[..., vs, :] += cross
            Q[..., :, vs] += T(cross)
        qq, qv, vv, tau_q = self.a.second(self.q, self.v, self.tau, self.h * (p_v + self.h * p_x))
        by_u = T(self.S) @ tau_q
        Q[..., :n, :n] += (qq + T(qq)) / 2
        Q[..., :n, n : 2 * n] += qv
        Q[..., n : 2 * n, :n] += T(qv)
        Q[..., n : 2 * n, n : 2 * n] += vv
        Q[..., 2 * n :, :n] += by_u
        Q[..., :n, 2 * n :] += T(by_u)


class RungeKuttaTransition:
    """Steps of RK4, as of `time_step`."""

    def __init__(
        self, a: Accelerations, q: Any, v: Any, u: Any, S: np.ndarray, h: np.ndarray
    ) -> None:
        n, m = S.shape
        self.step = RK4Step(a.model, a, q, v, u @ S.T, h[:, None] + 0 * v[..., :1])
        self.inputs = np.zeros((3 * n + 1, 2 * n + m))
        self.inputs[: 2 * n, : 2 * n], self.inputs[2 * n : -1, 2 * n :] = np.eye(2 * n), S

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities at the ends."""
        return self.step.values()

    def jacobian(self, F: np.ndarray) -> None:
        """Derivatives of the ends, as of `Transition`."""
        F[:] = np.concatenate(self.step.jacobian(), axis=-2) @ self.inputs

    def add_hessian(self, p: np.ndarray, Q: np.ndarray) -> None:
        """Add second derivatives of ``p . [q', qd']``, as of `Transition`."""
        n = p.shape[-1] // 2
        ordered = T(self.inputs) @ self.step.hessian(p[..., :n], p[..., n:]) @ self.inputs
        Q += (ordered + T(ordered)) / 2


class ImpactTransition:
    """Jumps of the velocities, as of `Impact_dyn`; controls have no effect."""

    def __init__(
        self, model: Model, constraints: ConstraintSet, restitution: float, q: Any, v: Any
    ) -> None:
        self.state = model, q, v, constraints, restitution

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        """Positions and velocities at the ends."""
        return self.state[1], Impact_dyn(*self.state, rank="nan").qd_plus

    def jacobian(self, F: np.ndarray) -> None:
        """Derivatives of the ends, as of `Transition`."""
        d, n = Impact_FO_derivatives(*self.state, rank="nan"), F.shape[-2] // 2
        F[..., range(n), range(n)] = 1
        F[..., n:, :n], F[..., n:, n : 2 * n] = d.dqd_dq, d.dqd_dqd

    def add_hessian(self, p: np.ndarray, Q: np.ndarray) -> None:
        """Add second derivatives of ``p . [q', qd']``, as of `Transition`."""
        d, n = Impact_SO_derivatives(*self.state, rank="nan"), p.shape[-1] // 2
        qq, qv = (np.einsum("...i,...ijk->...jk", p[..., n:], x) for x in (d.d2qd_dq, d.d2qd_cross))
        Q[..., :n, :n] += (qq + T(qq)) / 2
        Q[..., :n, n : 2 * n] += qv
        Q[..., n : 2 * n, :n] += T(qv)


class Span:
    """Consecutive stages with the same dynamics: those of a contact phase, or one impact."""

    def __init__(self, problem: ShootingProblem, phase: int, first: int, h: np.ndarray) -> None:
        self.stages = slice(first, first + max(len(h), 1))
        self.h, self.S, self.is_impact = h, problem.actuation, not len(h)
        held, more = problem.sets[phase], {"baumgarte": problem.baumgarte, "rank": "nan"}
        self.impact = problem.model, held, problem.phases[phase].restitution
        self.a = Accelerations(problem.model, constraints=held, damping=problem.damping)
        if held.m:
            self.a.options.update(more)
        self.kind = EulerTransition if problem.method != "rk4" else RungeKuttaTransition

    def transition(self, at: Iterable[np.ndarray], stage: int | None = None) -> Transition:
        """The stages from q, qd, u (B, s, n); all of them, or one."""
        q, v, u = at
        if self.is_impact:
            return ImpactTransition(*self.impact, q, v)
        h = self.h if stage is None else self.h[stage - self.stages.start :][:1]
        return self.kind(self.a, q, v, u, self.S, h)


def spans(problem: ShootingProblem) -> Iterator[Span]:
    """The stages of a problem."""
    first = interval = 0
    for k, phase in enumerate(problem.phases):
        h = problem.h[interval : interval + phase.steps]
        for part in ([h[:0]] if phase.impact else []) + [h]:
            yield Span(problem, k, first, part)
            first += max(len(part), 1)
        interval += phase.steps
