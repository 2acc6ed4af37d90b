"""Natural units of a shooting problem, in which errors are numbers without dimension.

The costs say how far a unit of cost moves each state, each control and each bounded quantity: by
the square root of its entry of the inverse Hessian, under the linearised dynamics. How much the
first step of the Gauss-Newton method changes the costs, and how much they change over the range of
the motion, say how large costs are. Neither depends on the units of the model or of the costs, or
on constants in the costs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.configuration import neutral
from spatial_v2.control.bounds import AugmentedLagrangian
from spatial_v2.control.directions import GROWTH, LARGEST, smallest
from spatial_v2.control.displacements import difference
from spatial_v2.control.riccati import Feedback, linear_rollout, riccati
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting

__all__ = ["NaturalUnits", "compliances", "gauss_newton", "spread"]

ROUNDING = 1e-12
"""Least unit of cost, relative to the costs of states and controls of the size of the motion's: so
that rounding errors of states are no errors of a motion without costs.
"""
FLOOR = 1e-3
"""Least unit of a bounded quantity at an instant, relative to the one where it is largest."""
T = np.matrix_transpose


class NaturalUnits(NamedTuple):
    """Units of B problems: the changes of states, controls and bounded quantities that cost one,
    and the unit of cost.
    """

    state: np.ndarray
    """Changes of the states, shape (B, 2 NV)."""
    control: np.ndarray
    """Changes of the controls, shape (B, m)."""
    rows: list[np.ndarray]
    """Changes of the bounded quantities, at the instant where they are largest, (B, 1, k) each."""
    cost: np.ndarray
    """Unit of cost, shape (B,)."""

    @classmethod
    def at(
        cls, s: Shooting, e: Evaluation, bounds: AugmentedLagrangian | None = None
    ) -> NaturalUnits:
        """Return the natural units at the trajectories e, with bounds on quantities; by default
        those of s.
        """
        bounds = bounds or s.augmented
        x, f = gauss_newton(s, e)
        Z = compliances(x, f)
        root = np.sqrt(np.diagonal(Z, axis1=-2, axis2=-1))
        control = root[:, :-1, 2 * s.n :][:, s.intervals].max(axis=1)
        rows = list[np.ndarray]()
        cost = np.maximum(step_cost(s, e, x, f), range_cost(s, e, x))
        for term in () if bounds is None else bounds.terms(e.at):
            J = term.bounds.quantity.jacobian(term.at)
            W = Z[:, term.where, : J.shape[-1], : J.shape[-1]]
            unit = np.sqrt(np.maximum(((J @ W) * J).sum(-1), 0)).max(axis=1, keepdims=True)
            rows.append(unit)
            off = np.divide(term.off(), unit, out=0 * term.y, where=unit > 0)
            cost = np.maximum(cost, np.square(off).max(axis=(-2, -1), initial=0.0))
        state = root[..., : 2 * s.n].max(axis=1)
        return cls(state, control, rows, np.maximum(cost, least(s, e, x)))

    def only(self, some: np.ndarray) -> NaturalUnits:
        """Return the units of some of the problems."""
        rows = [y[some] for y in self.rows]
        return NaturalUnits(self.state[some], self.control[some], rows, self.cost[some])

    def replaced(self, some: np.ndarray, new: NaturalUnits) -> NaturalUnits:
        """Return the units, with new ones for some of the problems."""

        def either(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return np.where(some.reshape(-1, *(1,) * (x.ndim - 1)), y, x)

        rows = [either(x, y) for x, y in zip(self.rows, new.rows, strict=True)]
        state, control = either(self.state, new.state), either(self.control, new.control)
        return NaturalUnits(state, control, rows, either(self.cost, new.cost))

    def renewed(self, s: Shooting, e: Evaluation, some: np.ndarray) -> NaturalUnits:
        """Return units in which, for some of the problems, the unit of cost is what the costs
        change by, to first order, over the range of the motion.

        The first step says little about costs if the guess is far worse than the solution, or
        nearly stationary.
        """
        x = costs_alone(s, e)
        cost = range_cost(s, e, x)
        cost = np.where(some & (cost > 0), cost, self.cost)
        return self._replace(cost=np.maximum(cost, least(s, e, x)))

    def errors(self, s: Shooting, e: Evaluation, slope: np.ndarray) -> np.ndarray:
        """Compute the largest projected gradient, defect, and violation of bounds of each problem,
        shape (3, B), as numbers.
        """
        u, unit = e.at.u, self.control[:, None]
        step = unit**2 * slope
        if s.bounded:
            step = u - np.clip(u - step, s.lower, s.upper)
        found = [largest(step, unit), largest(e.defects, self.state[:, None]), 0 * e.cost]
        if s.augmented is not None:
            every = zip(s.augmented.terms(e.at), self.rows, strict=True)
            found[2] = np.max([largest(x.off(), unit) for x, unit in every], axis=0)
        root = np.sqrt(self.cost)
        numbers = np.divide(found, root, out=np.full((3, len(u)), np.inf), where=root > 0)
        return np.where(np.array(found) == 0, 0.0, numbers)


def largest(x: np.ndarray, unit: np.ndarray) -> np.ndarray:
    """Return the largest entry in units of its own, shape (B,); what nothing moves is in its own
    unit.
    """
    return np.asarray(np.abs(x / np.where(unit > 0, unit, 1)).max(axis=(-2, -1), initial=0.0))


def costs_alone(s: Shooting, e: Evaluation) -> Expansion:
    """Return gradients and Gauss-Newton Hessians of the costs, without bounds on quantities, and
    without the derivatives of the stages.
    """
    augmented, s.augmented = s.augmented, None
    try:
        g, Q = s.expand_costs(e.at, False)
    finally:
        s.augmented = augmented
    return Expansion(np.empty(0), g, Q)


def gauss_newton(
    s: Shooting, e: Evaluation, F: np.ndarray | None = None
) -> tuple[Expansion, Feedback]:
    """Compute the derivatives of stages and costs, and the optimal feedback, without bounds; those
    of the stages may be given.
    """
    x = costs_alone(s, e)._replace(F=s.expand_stages(e)[0] if F is None else F)
    low, high = np.full(e.at.u.shape, -np.inf), np.full(e.at.u.shape, np.inf)
    shift, first = np.zeros(len(e.cost)), smallest(s, x.F, x.Q)
    f = riccati(x, e.defects, low, high, shift)
    while (some := f.failed & (shift < LARGEST * first)).any():
        shift = np.where(some, np.maximum(GROWTH * shift, first), shift)
        f = riccati(x, e.defects, low, high, shift)
    i = np.arange(2 * s.n, x.Q.shape[-1])
    x.Q[:, :-1, i, i] += shift[:, None, None]
    return x, f


def compliances(x: Expansion, f: Feedback) -> np.ndarray:
    """Compute the blocks (B, S + 1, z, z) of the inverse Hessian of each instant, under the
    dynamics: how far, and in which combinations, a unit of cost moves states and controls.

    A sum of squares under the feedback: ``F Z F'`` is the same number, but rounding errors grow in
    it as motions without feedback diverge.
    """
    B, S, n, z = x.F.shape
    Z, F_u = np.zeros((B, S + 1, z, z)), x.F[..., n:]
    A = x.Q[:, :-1, n:, n:] + T(F_u) @ f.P[:, 1:] @ F_u
    own = np.linalg.pinv(A, hermitian=True) if f.failed.any() else np.linalg.inv(A)
    X = np.zeros((B, n, n))
    for k in range(S):
        K, F = f.K[:, k], x.F[:, k]
        KX = K @ X
        Z[:, k, :n, :n], Z[:, k, n:, :n], Z[:, k, :n, n:] = X, KX, T(KX)
        Z[:, k, n:, n:] = KX @ T(K) + own[:, k]
        closed = F[..., :n] + F[..., n:] @ K
        X = closed @ X @ T(closed) + F[..., n:] @ own[:, k] @ T(F[..., n:])
        X = (X + T(X)) / 2
    Z[:, S, :n, :n] = X
    return Z


def spread(C: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Compute how far a unit of cost moves rows with derivatives C (B, S + 1, r, z) at each
    instant, shape (B, S + 1, r), given the blocks of `compliances`; at least `FLOOR` times what it
    is at best, and zero where nothing moves the row.
    """
    unit = np.sqrt(np.maximum(((C @ Z) * C).sum(-1), 0.0))
    floor = FLOOR * unit.max(axis=1, keepdims=True, initial=0.0)
    return np.asarray(np.where(unit > 0, np.maximum(unit, floor), 0.0))


def step_cost(s: Shooting, e: Evaluation, x: Expansion, f: Feedback) -> np.ndarray:
    """Compute how much the costs change in a step of the Gauss-Newton method, shape (B,)."""
    low, high = np.full(e.at.u.shape, -np.inf), np.full(e.at.u.shape, np.inf)
    dx, du, _ = linear_rollout(x, e.defects, low, high, f)
    du = np.concatenate([du, 0 * du[:, :1]], axis=1)
    dz = np.concatenate([dx, du], axis=-1)
    curved = np.vecdot(dz, (x.Q @ dz[..., None])[..., 0]).sum(-1) / 2
    return np.asarray(np.maximum(np.abs(np.vecdot(x.g, dz).sum(-1)), curved))


def range_cost(s: Shooting, e: Evaluation, x: Expansion) -> np.ndarray:
    """Compute how much the costs change, to first order, over the range of the motion in one of the
    variables, shape (B,).
    """
    off = difference(s.model, np.broadcast_to(e.at.q[:, :1], e.at.q.shape), e.at.q)
    of_q = off.max(axis=1) - off.min(axis=1)
    rest = (np.abs(y).max(axis=1) for y in (e.at.qd, e.at.u))
    ranges = np.concatenate([of_q, *rest], axis=-1)
    return np.asarray((np.abs(x.g).sum(axis=1) * ranges).max(axis=-1))


def least(s: Shooting, e: Evaluation, x: Expansion) -> np.ndarray:
    """Compute the least unit of cost, shape (B,); see `ROUNDING`."""
    of_q = difference(s.model, np.broadcast_to(neutral(s.model), e.at.q.shape), e.at.q)
    u = np.concatenate([e.at.u, 0 * e.at.u[:, :1]], axis=1)
    z = np.concatenate([of_q, e.at.qd, u], axis=-1)
    size = np.abs(np.diagonal(x.Q, axis1=-2, axis2=-1)) * z**2
    return np.asarray(ROUNDING * size.sum(axis=(-2, -1)))
