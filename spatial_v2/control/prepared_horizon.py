"""Directions of Newton's method for one motion, by kernels on arrays that stay where they are."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from spatial_v2.calls.loading import compiled_for, has_kernels, load_kernel, load_procedure
from spatial_v2.calls.options import get_workers
from spatial_v2.constraints.kernels import constraint_record
from spatial_v2.constraints.prepared import constrained_record
from spatial_v2.control.constrained_states import ConstrainedStates
from spatial_v2.control.directions import Direction
from spatial_v2.control.displacements import compiled_spaces
from spatial_v2.control.riccati import Feedback
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory
from spatial_v2.control.transitions import EulerTransition
from spatial_v2.engine.kernel import Record
from spatial_v2.engine.tree import NO_FORCE

__all__ = ["PreparedHorizon", "prepared_horizon"]

Call = Callable[[], Any]


def prepared_horizon(s: Shooting, t: Trajectory, exact: bool) -> PreparedHorizon | None:
    """Return the prepared steps of a problem; None if it is not a single motion of time steps under
    the constraints of one phase, without bounds on controls, whose steps are kernels.
    """
    if len(s.spans) != 1 or s.bounded or len(t.q) != 1 or not has_kernels("riccati"):
        return None
    step = s.spans[0].transition(x[:, : s.stages] for x in t)
    if not isinstance(step, EulerTransition) or not step.kernels:
        return None
    step.values(ahead=True)
    shared = step.a.shared
    return PreparedHorizon(s, shared, exact) if type(shared) is ConstrainedStates else None


class PreparedHorizon:
    """The steps of an iteration of Newton's method, as `Shooting` and `direction` do them, whose
    arguments and results are arrays that each call uses again.

    Parameters
    ----------
    s : Shooting
        The stages: one span.
    of : ConstrainedStates
        The constraints.
    exact : bool
        If False, the Hessian is that of Gauss and Newton.
    """

    def __init__(self, s: Shooting, of: ConstrainedStates, exact: bool) -> None:
        self.s, self.exact, self.state = s, exact, s.model.checked()
        n, m, S, rows, z = s.n, s.m, s.stages, of.held.m, 2 * s.n + s.m
        self.t = Trajectory(
            np.zeros((1, S + 1, s.model.NQ)), np.zeros((1, S + 1, n)), np.zeros((1, S, m))
        )
        q, v, q1, v1 = self.t.q[0, :-1], self.t.qd[0, :-1], self.t.q[0, 1:], self.t.qd[0, 1:]
        self.tau, self.z, self.doubt = np.zeros((S, n)), np.zeros((S, n + rows)), np.zeros((S, 1))
        self.a, self.lambda_ = np.zeros((S, n)), np.zeros((S, rows))
        self.dq, self.dv = np.zeros((2, S + 1, n))
        dqdd, dlambda = np.zeros((S, 3, n, n)), np.zeros((S, 3, rows, n))
        x, ends, self.c = np.zeros((S, n)), (np.zeros_like(q), np.zeros((S, n))), zeros(S, 2 * n)
        F, g, Q, K = zeros(S, 2 * n, z), zeros(S + 1, z), zeros(S + 1, z, z), zeros(S, n, 6)
        self.p, self.slope = zeros(S + 1, 2 * n), zeros(S, m)
        w, mu, blocks = np.zeros((S, 2 * n)), np.zeros((S, n)), tuple(np.zeros((4, S, n, n)))
        self.x = Expansion(F, g, Q)
        feed, gains, P = zeros(S, m), zeros(S, m, 2 * n), zeros(S + 1, 2 * n, 2 * n)
        self.feedback = Feedback(feed, gains, zeros(S + 1, 2 * n), P, np.zeros(1))
        self.dx, self.du, self.multipliers = zeros(S + 1, 2 * n), zeros(S, m), zeros(S + 1, 2 * n)
        self.cost, free = np.zeros(1), (np.full((1, S, m), -np.inf), np.full((1, S, m), np.inf))
        h, u = np.ascontiguousarray(s.spans[0].h), s.spans[0].S
        table = compiled_spaces(s.model)
        actuation = u.entries, u.values, table

        model, held, options = s.model, of.held, of.options
        self._first = repeated(
            "KKT_FO_derivatives", constrained_record(model, held, options),
            [q, v, self.tau, NO_FORCE, NO_FORCE], [self.z, dqdd, dlambda, self.doubt],
        )  # fmt: skip
        self._second = repeated(
            "KKT_hessian", constraint_record(model, held, options.baumgarte),
            [q, v, self.a, self.lambda_, mu, dqdd, dlambda], list(blocks),
        )  # fmt: skip
        start, c = (q, v, self.a), self.c[0]
        self._ends = prepared("euler_ends", h, table, start, x, ends, (q1, v1), c)
        to = x, F[0], c, K[0]
        self._jacobian = prepared("euler_jacobian_joined", h, dqdd, *actuation, *to)
        self._costates = prepared("costates", F, g, self.p, self.slope)
        self._weights = prepared("euler_weights", h, table, x, K[0], self.p[0, 1:], w, mu)
        self._hessian = prepared("add_euler_hessian", h, blocks, *actuation, x, w, F[0], Q[0, :-1])
        f, quadratic = tuple(self.feedback[:4]), (F, self.c, g, Q)
        shift, failed = np.zeros((1, m)), self.feedback.failed
        self._riccati = prepared("riccati", quadratic, *free, shift, f, failed)
        changes = self.dx, self.du, self.multipliers
        self._rollout = prepared("linear_rollout", F, self.c, f, *free, *changes)
        at = self.t.q[0]
        self._move = prepared("configurationAddition", table, at, self.dq, at)

    @property
    def is_stale(self) -> bool:
        """True if the model has changed."""
        return self.s.model.checked() is not self.state

    @property
    def runs(self) -> bool:
        """True if kernels run, on one thread."""
        return get_workers() == 1 and has_kernels("riccati")

    def evaluate(self, t: Trajectory) -> Evaluation | None:
        """Evaluate a motion with its derivatives; None if constraint rows are nearly dependent."""
        if t is not self.t:
            for own, given in zip(self.t, t, strict=True):
                np.copyto(own, given)
        n, s, (_, g, Q, _) = self.s.n, self.s, self.x
        np.matmul(self.t.u[0], s.spans[0].S.S.T, out=self.tau)
        self._first()
        if self.doubt.any():
            return None
        self.a[:], self.lambda_[:] = self.z[:, :n], self.z[:, n:]
        self._ends()
        self._jacobian()
        for x in (g, Q, self.cost):
            x.fill(0.0)
        s.add_costs(self.t, g, Q, self.exact, self.cost)
        self._costates()
        return Evaluation(self.t, [], self.c, self.cost)

    def direction(self) -> Direction:
        """Compute the direction at the motion that was evaluated last, which may have failed."""
        if self.exact:
            self._weights()
            self._second()
            self._hessian()
        self._riccati()
        self._rollout()
        f, no = self.feedback, self.feedback.failed > 0
        exact = ~no & self.exact
        changes = self.dx, self.du, self.multipliers
        return Direction(f._replace(failed=no), *changes, exact, np.zeros(1))

    def follows(self, d: Direction) -> bool:
        """Test if `follow` goes along the direction."""
        return d.dx is self.dx

    def follow(self) -> Trajectory:
        """Change the motion by a full step along the direction."""
        n = self.s.n
        self.dq[:], self.dv[:] = self.dx[0, :, :n], self.dx[0, :, n:]
        self._move()
        for y, dy in ((self.t.qd[0], self.dv), (self.t.u, self.du)):
            y += dy
        return self.t


def zeros(*shape: int) -> np.ndarray:
    """Return zeros for one problem."""
    return np.zeros((1, *shape))


def prepared(name: str, *args: Any) -> Call:
    """Return the call of a kernel with its arguments."""
    return functools.partial(compiled_for(load_procedure(name), *args), *args)


def repeated(
    name: str, record: Record, arrays: list[np.ndarray], results: list[np.ndarray]
) -> Call:
    """Return the call of a kernel for the states of a horizon, in SIMD batches."""
    return load_kernel(name).repeated(record, arrays, results)
