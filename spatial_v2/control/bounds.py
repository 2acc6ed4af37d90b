"""Bounds on quantities of a motion, and the augmented Lagrangian that enforces them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from spatial_v2.control.checks import as_floats, check_quantity
from spatial_v2.control.costs import Instants, add_square
from spatial_v2.control.quantities import Quantity
from spatial_v2.exceptions import ArrayShapeError, SpatialError

if TYPE_CHECKING:
    from spatial_v2.control.shooting import Shooting, Trajectory

__all__ = ["AugmentedLagrangian", "Bounds"]

FIRST, GROWTH, ENOUGH = 10.0, 10.0, 0.05
"""Initial penalty without units, relative to the curvature of the costs; factor by which a penalty
grows; fraction of the last violation above which it grows.
"""
WEIGHED = 1e3
"""Initial penalty, relative to the curvature of the costs along a bounded quantity: with less, a
motion may leave its goal for another stationary one.
"""
STALLED, STALLS = 0.9, 4
"""Fraction of the last violation above which an update counts as no progress; number of updates in
a row without progress after which a problem is given up.
"""

T = np.matrix_transpose


class Bounds:
    """Constraints ``lower <= quantity <= upper``; equations where the bounds are equal.

    Parameters
    ----------
    quantity : Quantity
        A function of state and controls with k values.
    lower, upper : array, shape (k,) or (N, k), or float, optional
        The bounds; infinite by default.
    intervals : slice, optional
        Intervals at whose beginning the bounds hold; all by default. Bounds on the last state
        ignore it.

    Raises
    ------
    SpatialError
        Bounds that cross, that are NaN, or that are both at the same infinity.
    TypeError
        No quantity, or intervals that are no slice.

    Examples
    --------
    >>> from spatial_v2.control import JointVelocities
    >>> from spatial_v2.models import autoTree
    >>> slow = Bounds(JointVelocities(autoTree(2)), -3.0, 3.0)
    """

    def __init__(
        self, quantity: Quantity, lower: Any = -np.inf, upper: Any = np.inf,
        intervals: slice = slice(None),
    ) -> None:  # fmt: skip
        check_quantity(quantity)
        if not isinstance(intervals, slice):
            raise TypeError(
                f"intervals: want a slice, for instance slice(4, 5); got {type(intervals).__name__}"
            )
        self.quantity, self.intervals = quantity, intervals
        self.lower, self.upper = as_floats(lower, "lower"), as_floats(upper, "upper")
        fits = (self.lower <= self.upper) & (self.lower < np.inf) & (self.upper > -np.inf)
        if not fits.all():
            raise SpatialError(
                "lower, upper: want lower bounds that do not exceed the upper ones, with numbers "
                f"between them, without NaN; got {lower!r} and {upper!r}"
            )

    def shape(self, at: Instants) -> tuple[int, ...]:
        """Return the shape of the quantity's values; raise an error if the bounds do not fit."""
        shape = np.shape(self.quantity.value(at))
        for name in ("lower", "upper"):
            got = np.shape(getattr(self, name))
            try:
                fits = np.broadcast_shapes(got, shape) == shape
            except ValueError:
                fits = False
            if not fits:
                raise ArrayShapeError(f"{name}: want shape {shape[-1:]} or {shape}, got {got}")
        return shape


class Term(NamedTuple):
    """Bounds, the instants at which they hold, and their multipliers and penalties there."""

    bounds: Bounds
    at: Instants
    where: np.ndarray
    """Indices of the instants."""
    y: np.ndarray
    rho: np.ndarray
    """Penalties of the bounds in each of the B problems, shape (B, 1, k)."""

    def multipliers(self) -> np.ndarray:
        """Compute the next multipliers ``rho (z - clip(z, bounds))`` with ``z = c + y / rho``, for
        values c, present multipliers y and penalty rho.
        """
        c = self.bounds.quantity.value(self.at) + self.y / self.rho
        return np.asarray(self.rho * (c - np.clip(c, self.bounds.lower, self.bounds.upper)))

    def off(self) -> np.ndarray:
        """Compute the violations of the bounds or of the complementarity condition."""
        return np.asarray(np.abs(self.multipliers() - self.y) / self.rho)


class AugmentedLagrangian:
    """Multipliers and penalties of the bounds of B problems; `live` lists the problems that are not
    yet solved.

    Parameters
    ----------
    s : Shooting
        The stages.
    t : Trajectory
        Trajectories of all B problems.
    multipliers : list of array, optional
        Initial multipliers; zero by default.
    name : str, optional
        Name of the argument that they are from, for messages.
    """

    def __init__(
        self, s: Shooting, t: Trajectory, multipliers: Any = None, name: str = "guess"
    ) -> None:
        _, _, within = s.parts(t)[0]
        problem, numbers = s.problem, np.arange(s.stages)[s.intervals]
        end = Instants(t.q[:, -1:], t.qd[:, -1:], t.u[:, -1:, :0])
        last = np.array([s.stages])
        self.parts: list[tuple[Bounds, np.ndarray]] = []
        self.parts += [(x, numbers[x.intervals]) for x in problem.running_bounds]
        self.parts += [(x, last) for x in problem.terminal_bounds]
        n, B = len(problem.running_bounds), len(t.q)
        self.live, self.penalty, self.violation = np.arange(B), np.ones(B), np.full(B, np.inf)
        self.stalls = np.zeros(B)
        self.y, self.scales = list[np.ndarray](), list[np.ndarray]()
        for k, (bounds, _) in enumerate(self.parts):
            at = Instants(*(x[:, bounds.intervals] for x in within)) if k < n else end
            J = bounds.quantity.jacobian(at)
            scale = 1 / max(float(np.square(J).sum(-1).mean()), 1e-300)
            self.scales.append(np.full((B, 1, J.shape[-2]), scale))
            self.y.append(np.zeros(J.shape[:-1]))
        if multipliers is not None:
            check_multipliers(multipliers, self.y, name)
            for y, given in zip(self.y, multipliers, strict=True):
                y[:] = given
        _, Q = s.expand_costs(t, False)
        curvature = np.abs(np.diagonal(Q, axis1=-2, axis2=-1)).max(axis=(-2, -1))
        self.penalty = FIRST * np.maximum(curvature, 1e-12)

    def weigh(self, units: list[np.ndarray]) -> None:
        """Choose penalties by the changes (B, 1, k) of the bounded quantities that cost one half: a
        violation by as much costs `WEIGHED` times that.

        What the controls cannot change keeps its penalty.
        """
        for k, unit in enumerate(units):
            moved = unit > 0
            weight = 1 / np.square(np.where(moved, unit, 1))
            own = self.scales[k] * self.penalty[:, None, None] / WEIGHED
            self.scales[k] = np.where(moved, weight, own)
        self.penalty[:] = WEIGHED

    def terms(self, t: Trajectory) -> Iterator[Term]:
        """Iterate over all bounds, each with its part of the trajectories `t` of the unsolved
        problems.
        """
        for (bounds, where), y, scale in zip(self.parts, self.y, self.scales, strict=True):
            u = t.u[:, where] if where[-1:] < t.u.shape[1] else t.u[:, :1, :0]
            rho = scale[self.live] * self.penalty[self.live, None, None]
            yield Term(bounds, Instants(t.q[:, where], t.qd[:, where], u), where, y[self.live], rho)

    def value(self, t: Trajectory) -> np.ndarray:
        """Compute the terms that bounds add to the augmented Lagrangian for trajectories `t`, shape
        (B,).
        """
        total = np.zeros(len(t.q))
        for x in self.terms(t):
            total += ((x.multipliers() ** 2 - x.y**2) / (2 * x.rho)).sum(axis=(-2, -1))
        return total

    def add_derivatives(self, t: Trajectory, g: np.ndarray, Q: np.ndarray, exact: bool) -> None:
        """Add the derivatives of the terms that `value` sums to the gradients g (B, S + 1, n) and
        the Hessians Q (B, S + 1, n, n) of the costs.
        """
        for x in self.terms(t):
            n, w = 2 * t.qd.shape[-1] + x.at.u.shape[-1], x.multipliers()
            g_x, Q_x = np.zeros((*w.shape[:-1], n)), np.zeros((*w.shape[:-1], n, n))
            J, active = x.bounds.quantity.jacobian(x.at), (w != 0) | is_equation(x.bounds)
            add_square(w / x.rho, J, x.rho * active, g_x, Q_x)
            if exact:
                x.bounds.quantity.add_hessian(x.at, w, Q_x)
            g[:, x.where, :n] += g_x
            Q[:, x.where, :n, :n] += Q_x

    def violations(self, t: Trajectory) -> np.ndarray:
        """Compute the largest violation of the bounds or of the complementarity condition in each
        problem, shape (B,).
        """
        off = [x.off().max(axis=(-2, -1)) for x in self.terms(t)]
        return np.asarray(np.max(off, axis=0))

    def renew(self, t: Trajectory, some: np.ndarray) -> None:
        """Update the multipliers of the problems that the mask `some` selects."""
        for y, x in zip(self.y, self.terms(t), strict=True):
            y[self.live[some]] = x.multipliers()[some]

    def update(self, t: Trajectory, some: np.ndarray, violation: np.ndarray) -> np.ndarray:
        """Update the multipliers, and increase penalties where violations decay slowly.

        Return a mask of the problems whose violations have stopped decreasing.
        """
        self.renew(t, some)
        k = self.live[some]
        slow = violation[some] > ENOUGH * self.violation[k]
        self.penalty[k[slow]] *= GROWTH
        stalled = violation[some] > STALLED * self.violation[k]
        self.stalls[k] = np.where(stalled, self.stalls[k] + 1, 0)
        self.violation[k] = violation[some]
        return some & (self.stalls[self.live] >= STALLS)


def check_multipliers(multipliers: Any, wanted: list[np.ndarray], name: str) -> None:
    """Raise an error unless multipliers have the shapes (..., instants, k) of those wanted."""
    got, shapes = ([np.shape(y)[-2:] for y in x] for x in (multipliers, wanted))
    if got != shapes:
        hint = "; give its trajectory instead of the Solution" * (name == "guess")
        raise SpatialError(
            f"{name}: want multipliers of the problem's bounds, shapes {shapes}, got {got}{hint}"
        )


def is_equation(bounds: Bounds) -> np.ndarray:
    """Return a mask of the values whose lower and upper bounds are equal."""
    return np.asarray(bounds.lower == bounds.upper)
