"""Natural units of a shooting problem, in which errors are numbers without dimension.

The costs say how far a unit of cost moves each state, each control and each bounded quantity: by
the square root of its entry of the inverse Hessian, under the linearised dynamics. How much the
first step of the Gauss-Newton method changes the costs, and how much they change over the range of
the motion, say how large costs are. Neither depends on the units of the model or of the costs, or
on constants in the costs.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from spatial_v2.configuration import neutral
from spatial_v2.control.culprits import check_derivatives
from spatial_v2.control.directions import FIRST, GROWTH, LARGEST, curvatures
from spatial_v2.control.displacements import difference
from spatial_v2.control.riccati import (
    Feedback,
    compliances,
    cost_scales,
    costates,
    linear_rollout,
    riccati,
)
from spatial_v2.control.rows import FLOOR, Rows
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting
from spatial_v2.control.stage_system import StageSystem

__all__ = ["NEGLIGIBLE", "NaturalUnits", "gauss_newton", "have_fallen"]

ROUNDING = 1e-12
"""Least unit of cost, relative to the costs of states and controls of the size of the motion's: so
that rounding errors of states are no errors of a motion without costs.
"""
NEGLIGIBLE = 1e-13
"""Promised decrease, in units of cost, below which an error that a full step does not halve is a
rounding error.
"""
RENEW = 0.01
"""Factor by which errors have decreased when the unit of cost is renewed."""


def have_fallen(error: Any, before: Any) -> Any:
    """Return True where errors have fallen so far that the unit of cost is renewed."""
    return error < RENEW * before


class NaturalUnits(NamedTuple):
    """Units of B problems: the changes of states, controls and bounded quantities that cost one,
    and the unit of cost.
    """

    state: np.ndarray
    """Changes of the states, shape (B, 2 NV)."""
    control: np.ndarray
    """Changes of the controls, shape (B, m)."""
    row: np.ndarray
    """Changes of the rows of bounds at each instant, shape (B, S + 1, r); 1 if nothing moves it."""
    largest_row: np.ndarray
    """Their changes at the instant where they are largest, shape (B, S + 1, r)."""
    movable: np.ndarray
    """False for rows that nothing moves, shape (B, S + 1, r)."""
    bases: np.ndarray
    """Combinations of equations that move independently, see `Rows.bases`."""
    cost: np.ndarray
    """Unit of cost, shape (B,)."""

    @classmethod
    @np.errstate(all="ignore")  # a cost that is not finite is named
    def at(cls, s: Shooting, e: Evaluation, rows: Rows | None = None) -> NaturalUnits:
        """Return the natural units at the trajectories e, with bounds as rows; by default without
        bounds. Raise an error if a cost has derivatives that are not finite.
        """
        x, f = gauss_newton(s, e)
        (by_range, least), Z = scales(s, e, x), compliances(x, f)
        cost = np.maximum(step_cost(s, e, x, f), by_range)
        row = np.ones((len(cost), s.stages + 1, 0))
        units = cls(*of_variables(s, Z), row, row, row > 0, np.zeros((len(cost), 0, 0, 0)), cost)
        if rows is not None:
            units = units.with_rows(s, e, rows, x, Z)
        if not np.isfinite(units.cost).all():
            check_derivatives(s, e)
        return units._replace(cost=np.maximum(units.cost, least))

    def with_rows(
        self, s: Shooting, e: Evaluation, rows: Rows, x: Expansion, Z: np.ndarray
    ) -> NaturalUnits:
        """Return the units with bounds as rows, given derivatives x and compliances Z without them.

        Under equations, states and controls move less than without; what the first step costs that
        meets the equations is also a unit of cost.
        """
        C, off = rows.jacobian(e.at), rows.limits.off(rows.values(e.at))
        unit, most = rows.units(C, Z)
        row, largest_row = (np.where(y > 0, y, 1.0) for y in (unit, most))
        cost = np.maximum(self.cost, np.square(off / row).max(axis=(-2, -1), initial=0.0))
        bases = rows.bases(C, Z, unit)
        units = self._replace(
            row=row, largest_row=largest_row, movable=unit > 0, bases=bases, cost=cost
        )
        hard = rows.limits.equations & units.movable
        if not hard.any():
            return units
        system = StageSystem(
            x.F, x.Q, C, np.where(hard, 0.0, np.inf), (units.z, row), (rows.joint, bases)
        )
        start, g, c, rho = (y[..., None] for y in (0 * x.g[:, 0, : 2 * s.n], x.g, e.defects, off))
        by_step = change_of_cost(x, system.solve(start, g, c, rho).dz[..., 0])
        f = Feedback(system.K, system.K, system.K, system.P, system.failed)
        Z = compliances(x._replace(Q=system.M), f)
        under = rows.units(C, Z)
        inside = ~rows.limits.equations & (under[0] > 0)
        row, largest_row = (
            np.where(inside, np.maximum(y, FLOOR * y_free), y_free)
            for y, y_free in zip(under, (row, largest_row), strict=True)
        )
        state, control = of_variables(s, Z)
        return units._replace(
            state=state, control=control, row=row, largest_row=largest_row,
            cost=np.maximum(cost, by_step),
        )  # fmt: skip

    @property
    def z(self) -> np.ndarray:
        """Changes of states and controls, shape (B, 2 NV + m); 1 where nothing moves them."""
        both = np.concatenate([self.state, self.control], axis=-1)
        return np.where(both > 0, both, 1.0)

    def only(self, some: np.ndarray) -> NaturalUnits:
        """Return the units of some of the problems."""
        return NaturalUnits(*(y[some] for y in self))

    def replaced(self, some: np.ndarray, new: NaturalUnits) -> NaturalUnits:
        """Return the units, with new ones for some of the problems."""

        def either(x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return np.where(some.reshape(-1, *(1,) * (x.ndim - 1)), y, x)

        return NaturalUnits(*(either(x, y) for x, y in zip(self, new, strict=True)))

    def renewed(self, s: Shooting, e: Evaluation, x: Expansion, some: np.ndarray) -> NaturalUnits:
        """Return units in which, for some of the problems, the unit of cost is what the costs
        change by, to first order, over the range of the motion; x has derivatives of the costs.

        The first step says little about costs if the guess is far worse than the solution, or
        nearly stationary.
        """
        by_range, least = scales(s, e, x)
        cost = np.maximum(np.where(by_range > 0, by_range, self.cost), least)
        return self._replace(cost=np.where(some, cost, self.cost))

    def relative(self, each: np.ndarray) -> np.ndarray:
        """Return errors of given sizes, for a unit of cost of one, as numbers."""
        root = np.sqrt(self.cost)
        numbers = np.divide(each, root, out=np.full(each.shape, np.inf), where=root > 0)
        return np.where(each == 0, 0.0, numbers)


def of_variables(s: Shooting, Z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return how far a unit of cost moves states (B, 2 NV) and controls (B, m), given compliances:
    at the instant where that is most.
    """
    root, n = np.sqrt(np.diagonal(Z, axis1=-2, axis2=-1)), 2 * s.n
    return root[..., :n].max(axis=1), root[:, :-1, n:][:, s.intervals].max(axis=1)


def gauss_newton(s: Shooting, e: Evaluation) -> tuple[Expansion, Feedback]:
    """Compute the derivatives of stages and costs, and the optimal feedback, without bounds."""
    x = s.expand(e, False)
    low, high = np.full(e.at.u.shape, -np.inf), np.full(e.at.u.shape, np.inf)
    shift = np.zeros((len(e.cost), 1))
    f = riccati(x, e.defects, low, high, shift * np.ones(s.m))
    if s.bounded and f.failed.any():
        i, failed = np.arange(2 * s.n, x.Q.shape[-1]), f.failed[:, None, None]
        x.Q[:, :-1, i, i] += np.where(failed, by_range(s, x), 0.0)
        f = riccati(x, e.defects, low, high, shift * np.ones(s.m))
    curved = curvatures(s, x.F, x.Q) if f.failed.any() else np.zeros(s.m)
    while (some := f.failed[:, None] & (shift < LARGEST)).any():
        shift = np.where(some, np.maximum(GROWTH * shift, FIRST), shift)
        f = riccati(x, e.defects, low, high, shift * curved)
    i = np.arange(2 * s.n, x.Q.shape[-1])
    x.Q[:, :-1, i, i] += (shift * curved)[:, None]
    return x, f


def by_range(s: Shooting, x: Expansion) -> np.ndarray:
    """Return curvatures (B, S, m) for controls between bounds whose costs have none: those of a
    cost that changes, over the distance of the bounds, by as much as the cost does to first order.
    """
    distance, curved = s.upper - s.lower, np.diagonal(x.Q, axis1=-2, axis2=-1)[:, :-1, 2 * s.n :]
    slope = np.abs(costates(x)[1]).max(axis=1, keepdims=True)
    wanted = (curved == 0) & (distance > 0)
    return np.asarray(np.divide(slope, distance, out=np.zeros(curved.shape), where=wanted))


def step_cost(s: Shooting, e: Evaluation, x: Expansion, f: Feedback) -> np.ndarray:
    """Compute how much the costs change in a step of the Gauss-Newton method, shape (B,)."""
    low, high = np.full(e.at.u.shape, -np.inf), np.full(e.at.u.shape, np.inf)
    dx, du, _ = linear_rollout(x, e.defects, low, high, f)
    du = np.concatenate([du, 0 * du[:, :1]], axis=1)
    return change_of_cost(x, np.concatenate([dx, du], axis=-1))


def change_of_cost(x: Expansion, dz: np.ndarray) -> np.ndarray:
    """Return the larger part of the change of the costs by a step, of first or second order."""
    curved = np.vecdot(dz, (x.Q @ dz[..., None])[..., 0]).sum(-1) / 2
    return np.asarray(np.maximum(np.abs(np.vecdot(x.g, dz).sum(-1)), curved))


def scales(s: Shooting, e: Evaluation, x: Expansion) -> np.ndarray:
    """Compute how much the costs change, to first order, over the range of the motion in one of the
    variables, and the least unit of cost, see `ROUNDING`; shape (2, B).
    """
    (q, qd, u), model = e.at, s.model
    moved, size = (difference(model, start, q) for start in (q[:, :1], neutral(model)))
    by_range, least = cost_scales(moved, size, qd, u, x.g, x.Q)
    return np.array([by_range, ROUNDING * least])
