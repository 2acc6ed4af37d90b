"""Rows of constraints and their equations from kernels."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from spatial_v2.arrays import Array
from spatial_v2.constraints.compiled_kkt import CompiledKKT
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.kernels import (
    RowDerivatives,
    RowsOfBatch,
    constraint_arrays,
    plan_of,
    rows,
    solve_first,
)
from spatial_v2.constraints.rank import Rank
from spatial_v2.constraints.residual import Gains, Residual, Wanted
from spatial_v2.model import Model

__all__ = ["CompiledSet"]


class CompiledSet(ConstraintSet):
    """The same constraints, whose rows kernels compute, for real double arrays.

    Attributes
    ----------
    packs : bool
        True if states are computed in SIMD batches.
    regular : bool
        True if no state so far has had rows that are nearly dependent or vanish.
    """

    def __init__(self, base: ConstraintSet, batched: bool) -> None:
        vars(self).update(vars(base), table=base.table)
        self._base, self.batched, self.regular = base, batched, True

    @property
    def base(self) -> ConstraintSet:
        """The constraints."""
        return self._base

    def rows(self, model: Model, q: Array, qd: Array, qdd: Array, gains: Wanted = None) -> Any:
        """The rows in a state."""
        return CompiledRows(self, model, (q, qd, qdd), None if gains is None else Gains(*gains))

    def rows_at_rest(self, model: Model, q: Array) -> Any:
        """The rows of a configuration."""
        rest = np.zeros((*q.shape[:-1], model.NV))
        return self.rows(model, q, rest, rest)


class CompiledRows(Residual):
    """`Rows` computed by kernels; of the acceleration only its difference from the wanted one."""

    def __init__(
        self, held: CompiledSet, model: Model, state: Sequence[np.ndarray], gains: Gains | None
    ) -> None:
        self.held, self.model, self.gains = held, model, gains
        leads = {x.shape[:-1] for x in state}
        self.lead = leads.pop() if len(leads) == 1 else np.broadcast_shapes(*leads)
        self.state = [self._flat(x, 1) for x in state]
        self.m = [x.m for x in held.relations]
        self._derivatives: RowDerivatives | None = None

    def _flat(self, x: np.ndarray, axes: int) -> np.ndarray:
        """Flatten the leading axes of an array to one, (B, ...), all but the last few axes."""
        shape = x.shape[x.ndim - axes :]
        if x.ndim - axes == len(self.lead) < 2:
            return x if self.lead else x[None]
        return np.broadcast_to(x, (*self.lead, *shape)).reshape(math.prod(self.lead), *shape)

    def _own(self, x: np.ndarray) -> np.ndarray:
        """Restore the leading axes of the state."""
        return x.reshape(*self.lead, *x.shape[1:])

    def at_rest(self, qdd: Array) -> CompiledRows:
        """The rows in the same configuration at rest, with other accelerations and no gains."""
        q, qd, _ = map(self._own, self.state)
        return CompiledRows(self.held, self.model, (q, 0 * qd, qdd), None)

    @functools.cached_property
    def _found(self) -> RowsOfBatch:
        return rows(self.model, self.state, self.held, self.gains, self.held.batched)

    def _derived(
        self, given: Sequence[np.ndarray], gains: Gains | None, batched: bool
    ) -> RowDerivatives:
        """Derivatives for a batch of q, qd, qdd and lambda, and of lambda's joint forces."""
        m, n = self.held.m, self.model.NV
        of = constraint_arrays(self.model, self.held, gains)
        plan = plan_of("constraint_derivatives", of, batched)
        return RowDerivatives(*plan.new(given, [(m, n), (m, n), (m, n), (n, n)]))

    def _first(self, weight: np.ndarray | None = None) -> RowDerivatives:
        if weight is not None or self._derivatives is None:
            lam = np.zeros((len(self.state[0]), self.held.m)) if weight is None else weight
            given = *self.state, lam
            self._derivatives = self._derived(given, self.gains, self.held.batched)
        return self._derivatives

    def _second(
        self, state: Sequence[np.ndarray], weight: np.ndarray, gains: Gains | None
    ) -> list[np.ndarray]:
        """Second derivatives of ``weight . (alpha - a*)``: along q, along q and by qd, by qd."""
        n, batched = self.model.NV, self.held.batched or len(weight) > 1
        of = constraint_arrays(self.model, self.held, gains)
        return plan_of("constraint_SO_derivatives", of, batched).new((*state, weight), [(n, n)] * 3)

    @property
    def sizes(self) -> np.ndarray:
        """`Rows.sizes`."""
        return self._own(self._found.sizes)

    @property
    def G(self) -> np.ndarray:
        """The Jacobian."""
        known = self._derivatives is not None and "_found" not in vars(self)
        return self._own(self._first().G if known else self._found.G)

    @property
    def w(self) -> np.ndarray:
        """Velocities, one column."""
        return np.asarray(self.G @ self._own(self.state[1])[..., None])

    @property
    def w_q(self) -> np.ndarray:
        """Their derivatives along q: those of the acceleration at rest, with qd as qdd."""
        return self.at_rest(self._own(self.state[1])).residual_q

    @property
    def residual(self) -> np.ndarray:
        """``alpha + Kd w + Kp e``, one column."""
        return self._own(self._found.alpha)[..., None]

    @property
    def residual_q(self) -> np.ndarray:
        """Derivatives along q."""
        return self._own(self._first().alpha_q)

    @property
    def residual_qd(self) -> np.ndarray:
        """Derivatives with respect to qd."""
        return self._own(self._first().alpha_qd)

    def pushed(self, weight: Array) -> np.ndarray:
        """Derivatives [k, l] of ``(G^T weight)_k`` along q_l at constant weight."""
        return self._own(self._first(self._flat(weight, 1)).G_q_lambda)

    def second(self, weight: Array) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Second derivatives of ``weight . residual``: along q, mixed, with respect to qd."""
        qq, qv, vv = self._second(self.state, self._flat(weight, 1), self.gains)
        return self._own(qq), self._own(qv), self._own(vv)

    @functools.cached_property
    def tensors(self) -> list[np.ndarray]:
        """``residual_qq, residual_qv, residual_vv``: one row at a time has a weight."""
        m, states = self.held.m, len(self.state[0])
        many = [x.repeat(m, axis=0) for x in self.state]
        out = self._second(many, np.tile(np.eye(m), (states, 1)), self.gains)
        return [self._own(x.reshape(states, m, *x.shape[1:])) for x in out]

    residual_qq = property(lambda self: self.tensors[0])
    residual_qv = property(lambda self: self.tensors[1])
    residual_vv = property(lambda self: self.tensors[2])

    def _each_way(self, run: Callable[..., np.ndarray], weight: np.ndarray) -> np.ndarray:
        """Results (B, n, ...) at rest, with the acceleration of one variable at a time."""
        n, states = self.model.NV, len(self.state[0])
        q, _, _ = self.state
        qdd = np.tile(np.eye(n), (states, 1))
        out = run([q.repeat(n, axis=0), 0 * qdd, qdd], weight.repeat(n, axis=0))
        return out.reshape(states, n, *out.shape[1:])

    @functools.cached_property
    def G_q(self) -> np.ndarray:
        """Derivatives [c, k, l] of G along q_l: those of the acceleration at rest."""

        def run(state: list[np.ndarray], weight: np.ndarray) -> np.ndarray:
            return self._derived((*state, weight), None, True).alpha_q

        none = np.zeros((len(self.state[0]), self.held.m))
        return self._own(np.moveaxis(self._each_way(run, none), 1, 2))

    def G_qq(self, weight: Array) -> np.ndarray:
        """Sum over the rows of weight (..., m) times the second derivative of G: (..., v, v, v)."""

        def run(state: list[np.ndarray], weight: np.ndarray) -> np.ndarray:
            return self._second(state, weight, None)[0]

        return self._own(self._each_way(run, self._flat(weight, 1)))

    def first(self, kkt: Any, G_q_lambda: Array, ID_q: Array, ID_qd: Array) -> list[Array]:
        """Derivatives of qdd, then of lambda, along q, qd and tau, for independent rows."""
        if kkt.reference is None:
            matrices = self.G, ID_q, ID_qd, G_q_lambda, self.residual_q, self.residual_qd
            given = [self._flat(x, 2) for x in matrices]
            out, left = solve_first(self.model, kkt.damping, kkt.H, given, self.held.batched)
            if kkt.is_regular(left):
                return [self._own(x) for x in out]
        return super().first(kkt, G_q_lambda, ID_q, ID_qd)

    def kkt(self, H: Array, damping: float = 0.0, rank: Rank = "raise", quiet: bool = False) -> Any:
        """The KKT matrix of these rows."""
        return CompiledKKT(self, H, damping, rank, quiet)
