"""Constraint rows, their derivatives and the KKT equations, computed by kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.constraints.compiled_kkt import CompiledKKT, States
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import solve_first
from spatial_v2.constraints.rank import Rank, speaks
from spatial_v2.constraints.rank_texts import Named
from spatial_v2.constraints.residual import Gains, Residual, Wanted
from spatial_v2.constraints.row_kernels import (
    RowDerivatives,
    RowsOfBatch,
    derivatives,
    rows,
    second_derivatives,
)
from spatial_v2.engine.parts.outcomes import SOLVED, report_of
from spatial_v2.model import Model


class CompiledSet(ConstraintSet):
    """A `ConstraintSet` whose rows kernels compute, for arrays of float64.

    Attributes
    ----------
    batched : bool
        True if states are computed in SIMD batches.
    regular : bool
        True if all states so far have been solved with nothing to say.
    notable : bool
        True if there is an error or a warning about some state so far.
    reviewed : bool
        True if `forward.review` gives the warnings of batches afterwards: blocks of states do not
        know the size of the whole batch.
    """

    def __init__(self, base: ConstraintSet, batched: bool, reviewed: bool = False) -> None:
        vars(self).update(vars(base), table=base.table)
        self._base, self.batched, self.regular, self.notable = base, batched, True, False
        self.reviewed = reviewed

    @property
    def base(self) -> ConstraintSet:
        """The set from which this one was made."""
        return self._base

    def rows(self, model: Model, q: Array, qd: Array, qdd: Array, gains: Wanted = None) -> Any:
        """Return the rows of the constraint equation ``G qdd = k`` in a state: Jacobian G, residual
        ``G qdd - k`` and its derivatives.

        `gains` are the Baumgarte gains (Kp, Kd), or None if the rows are not stabilised.
        """
        return CompiledRows(self, model, (q, qd, qdd), None if gains is None else Gains(*gains))

    def rows_at_rest(self, model: Model, q: Array) -> Any:
        """Return the rows, as `rows` does, at zero velocity and acceleration, without gains."""
        rest = np.zeros((*q.shape[:-1], model.NV))
        return self.rows(model, q, rest, rest)


class CompiledRows(States, Residual):
    """`Rows` computed by kernels; of accelerations, only `Residual.residual` is available."""

    def __init__(
        self, constraints: CompiledSet, model: Model, state: Sequence[np.ndarray],
        gains: Gains | None,
    ) -> None:  # fmt: skip
        self.constraints, self.model, self.gains = constraints, model, gains
        leads = {x.shape[:-1] for x in state}
        self.lead = leads.pop() if len(leads) == 1 else np.broadcast_shapes(*leads)
        self.state = [self._flat(x, 1) for x in state]
        self.m = [x.m for x in constraints.relations]
        self._derivatives: RowDerivatives | None = None

    def at_rest(self, qdd: Array) -> CompiledRows:
        """Return the rows in the same configuration, at zero velocity, with other accelerations."""
        q, qd, _ = map(self._own, self.state)
        return CompiledRows(self.constraints, self.model, (q, 0 * qd, qdd), None)

    @functools.cached_property
    def _rows(self) -> RowsOfBatch:
        made = rows(self.model, self.state, self.constraints, self.gains, self.constraints.batched)
        self._tell_meeting(made.G)
        return made

    def _tell_meeting(self, G: np.ndarray) -> None:
        """Tell of states in which a row along the line between two points has no direction."""
        for x, row in self.constraints.lines:
            meet = np.isnan(G[:, row]).any(axis=-1) & np.isfinite(self.state[0]).all(axis=-1)
            if self.lead and self.constraints.reviewed:
                self.constraints.notable |= bool(meet.any())
            else:
                x.tell_meeting(self._own(meet))

    def _first(self, weight: np.ndarray | None = None) -> RowDerivatives:
        if weight is not None or self._derivatives is None:
            lam = np.zeros((len(self.state[0]), self.constraints.m)) if weight is None else weight
            arguments = *self.state, lam
            own = self.constraints, self.gains, self.constraints.batched
            self._derivatives = derivatives(self.model, arguments, *own)
            if "_rows" not in vars(self):
                self._tell_meeting(self._derivatives.G)
        return self._derivatives

    def _second(
        self, state: Sequence[np.ndarray], weight: np.ndarray, gains: Gains | None
    ) -> list[np.ndarray]:
        """Compute second derivatives of ``weight . (alpha - a*)``, the weighted sum of the
        residuals of the rows: with respect to (q, q), (q, qd) and (qd, qd).
        """
        batched = self.constraints.batched or len(weight) > 1
        arguments = *state, weight
        return second_derivatives(self.model, arguments, self.constraints, gains, batched)

    @property
    def named(self) -> Named:
        """Names of constraints and joints, for messages."""
        return Named(self.m, self.model)

    @property
    def sizes(self) -> np.ndarray:
        """Relative squared lengths of the rows of the Jacobian G; see `Rows.sizes`."""
        return self._own(self._rows.sizes)

    @property
    def G(self) -> np.ndarray:
        """The Jacobian of the constraints."""
        known = self._derivatives is not None and "_rows" not in vars(self)
        return self._own(self._first().G if known else self._rows.G)

    @property
    def w(self) -> np.ndarray:
        """Velocities ``G qd`` of the rows, one column."""
        return np.asarray(self.G @ self._own(self.state[1])[..., None])

    @property
    def w_q(self) -> np.ndarray:
        """Derivatives of the velocity w of the rows with respect to q: those of the acceleration at
        zero velocity and qdd = qd.
        """
        return self.at_rest(self._own(self.state[1])).residual_q

    @property
    def residual(self) -> np.ndarray:
        """The residual ``alpha + Kd w + Kp e`` of acceleration alpha, velocity w and position error
        e, with Baumgarte gains; one column.
        """
        return self._own(self._rows.alpha)[..., None]

    @property
    def residual_q(self) -> np.ndarray:
        """Derivatives of the residual with respect to q."""
        return self._own(self._first().alpha_q)

    @property
    def residual_qd(self) -> np.ndarray:
        """Derivatives of the residual with respect to qd."""
        return self._own(self._first().alpha_qd)

    def pushed(self, weight: Array) -> np.ndarray:
        """Return the derivatives of the joint forces ``G^T weight`` for constant weights of the
        rows: entry [k, l] is the derivative of ``(G^T weight)_k`` with respect to q_l.
        """
        return self._own(self._first(self._flat(weight, 1)).G_q_lambda)

    def second(self, weight: Array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Compute second derivatives of the weighted sum ``weight . residual``: with respect to
        (q, q), (q, qd) and (qd, qd).
        """
        qq, qv, vv = self._second(self.state, self._flat(weight, 1), self.gains)
        return self._own(qq), self._own(qv), self._own(vv)

    @functools.cached_property
    def tensors(self) -> list[np.ndarray]:
        """Second derivatives of the residual, ``residual_qq, residual_qv, residual_vv``, computed
        with unit weights, one row at a time.
        """
        m, states = self.constraints.m, len(self.state[0])
        many = [x.repeat(m, axis=0) for x in self.state]
        out = self._second(many, np.tile(np.eye(m), (states, 1)), self.gains)
        return [self._own(x.reshape(states, m, *x.shape[1:])) for x in out]

    residual_qq = property(lambda self: self.tensors[0])
    residual_qv = property(lambda self: self.tensors[1])
    residual_vv = property(lambda self: self.tensors[2])

    def _each_way(self, run: Callable[..., np.ndarray], weight: np.ndarray) -> np.ndarray:
        """Evaluate `run` at zero qd, once for each unit vector as qdd: results (B, n, ...)."""
        n, states = self.model.NV, len(self.state[0])
        q, _, _ = self.state
        qdd = np.tile(np.eye(n), (states, 1))
        out = run([q.repeat(n, axis=0), 0 * qdd, qdd], weight.repeat(n, axis=0))
        return out.reshape(states, n, *out.shape[1:])

    @functools.cached_property
    def G_q(self) -> np.ndarray:
        """Entry [c, k, l] is the derivative of the entry G[c, k] of the Jacobian with respect to
        q_l, computed from accelerations at zero qd.
        """

        def run(state: list[np.ndarray], weight: np.ndarray) -> np.ndarray:
            own = self.constraints, None, True
            return derivatives(self.model, (*state, weight), *own).alpha_q

        none = np.zeros((len(self.state[0]), self.constraints.m))
        return self._own(np.moveaxis(self._each_way(run, none), 1, 2))

    def G_qq(self, weight: Array) -> np.ndarray:
        """Return the second derivative (..., NV, NV, NV) of the Jacobian G with respect to q,
        summed over the rows with weights (..., m).
        """

        def run(state: list[np.ndarray], weight: np.ndarray) -> np.ndarray:
            return self._second(state, weight, None)[0]

        return self._own(self._each_way(run, self._flat(weight, 1)))

    def first(self, kkt: Any, G_q_lambda: Array, ID_q: Array, ID_qd: Array) -> list[Array]:
        """Compute the derivatives of qdd with respect to q, qd and tau, then those of the
        multipliers lambda, for independent rows.
        """
        if kkt.reports is None or self.constraints.regular:
            matrices = self.G, ID_q, ID_qd, G_q_lambda, self.residual_q, self.residual_qd
            flat = (self._flat(x, 2) for x in matrices)
            arguments = [*flat, self._rows.sizes, self._rows.least_pivots]
            own = self.model, kkt.damping, kkt.H, arguments, self.constraints.batched
            out, valid = solve_first(*own)
            if valid.all():
                return [self._own(x) for x in out]
        return super().first(kkt, G_q_lambda, ID_q, ID_qd)

    def kkt(self, H: Array, damping: float = 0.0, rank: Rank = "raise", quiet: bool = False) -> Any:
        """Return the KKT equations with the Jacobian of these constraint rows."""
        return CompiledKKT(self, H, damping, rank, quiet)

    @property
    def batched(self) -> bool:
        """True if states are computed in SIMD batches."""
        return self.constraints.batched

    def note(self, reports: np.ndarray, rank: Rank, damping: float) -> None:
        """Remember in the set of constraints what the first solution of the equations tells."""
        rule: Rank = "raise" if rank == "nan" else rank
        self.constraints.regular &= not (reports[:, 0] != SOLVED).any()
        self.constraints.notable |= speaks(report_of(reports), rule, damping)
