"""Newton's method with bounds on quantities as rows, for one problem."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from spatial_v2.control.bounded_point import (
    Errors,
    Point,
    errors_of,
    gradient,
    with_active_controls,
)
from spatial_v2.control.bounded_search import longest_step
from spatial_v2.control.hessian_correction import GENTLE, Correction
from spatial_v2.control.interior_point import minimum
from spatial_v2.control.line_search import simulated
from spatial_v2.control.merit import FIRM, FIRST_PENALTY, Merit
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.quadratic import NoMinimum, Quadratic, Step
from spatial_v2.control.riccati import Feedback, costates
from spatial_v2.control.rows import Rows
from spatial_v2.control.saddles import descended, downhill
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory
from spatial_v2.control.stage_system import StageSystem

__all__ = ["STIFFEST", "BoundedNewton"]

STIFFNESS, STIFFER, STIFFEST = 1e2, 10.0, 1e8
"""Penalties of violations where no step meets all rows: first one, growth, and last one."""
NO_COST = 1e-300
"""Unit of cost of a motion without costs and violations."""
T = np.matrix_transpose


class BoundedNewton:
    """Steps of Newton's method for one problem, with what is kept between them.

    Each step minimises a quadratic problem, in which bounds on quantities and on controls are rows
    that are met exactly. Multipliers are variables: they go as far towards those of the quadratic
    problem as the motion does.

    Parameters
    ----------
    s : Shooting
        The stages.
    t : Trajectory
        The guess, with a leading axis of length one.
    on_time : callable
        Returns False if no time is left.
    y : array, shape (S + 1, r), optional
        Multipliers of the rows to begin with; zero by default.
    method : {"newton", "ddp", "ilqr"}
        The last one uses Gauss-Newton Hessians; the last two simulate motions under the feedback.
    """

    def __init__(
        self, s: Shooting, t: Trajectory, on_time: Callable[[], bool],
        y: np.ndarray | None = None, method: str = "newton",
    ) -> None:  # fmt: skip
        self.s, self.rows, self.on_time = s, Rows(s, t), on_time
        self.simulates, self.gauss_newton = method != "newton", method == "ilqr"
        self.is_firm = False
        self.begin(s.evaluate(t), y)

    def begin(self, e: Evaluation, y: np.ndarray | None = None) -> None:
        """Begin at a motion, with multipliers of the rows, or zero."""
        v = self.rows.values(e.at)[0]
        y = np.zeros(v.shape) if y is None else y
        units = NaturalUnits.at(self.s, e, self.rows)
        self.units = units._replace(cost=np.maximum(units.cost, NO_COST))
        self.bases = (self.rows.joint, units.bases) if self.rows.joint.size else None
        self.now, self.active_signs = Point(e, v, self.adjoint(e, y), y), y
        self.penalty, self.correction = FIRST_PENALTY, Correction()
        if self.is_firm:
            self.penalty, self.correction = FIRM, Correction(decay=GENTLE)
        self.stiffness, self.is_elastic = 0.0, False

    def adjoint(self, e: Evaluation, y: np.ndarray) -> np.ndarray:
        """Compute the costates of the adjoint method for multipliers y of the rows."""
        return np.asarray(costates(self.first_derivatives(e, y))[0][0])

    def first_derivatives(self, e: Evaluation, y: np.ndarray) -> Expansion:
        """Return derivatives of the stages, and gradients of the costs and of rows times y."""
        x = self.s.expand(e, False)
        x.g[:] += (T(self.rows.jacobian(e.at)) @ y[None, ..., None])[..., 0]
        return x

    def quadratic(self, exact: bool) -> Quadratic:
        """Expand costs, stages and rows at the present motion, with the exact Hessian of the
        Lagrangian or that of the Gauss-Newton method.
        """
        s, (e, v, p, y) = self.s, self.now
        x = s.expand(e, exact)
        if exact:
            s.add_hessians(e, x, p[None])
            self.rows.add_hessian(e.at, y[None], x.Q)
        return Quadratic(
            x.F[0], x.Q[0], x.g[0], e.defects[0], self.rows.jacobian(e.at)[0], v,
            self.rows.limits, self.units.z[0], self.units.row[0],
            float(self.units.cost[0]), exact, self.on_time, 0.0, self.bases,
        )  # fmt: skip

    def errors(self, q: Quadratic) -> Errors:
        """Compute the errors of the optimality conditions."""
        return errors_of(self.s, self.rows, self.units, self.now, q)

    def promised(self, q: Quadratic, step: Step) -> float:
        """Compute how much a step changes the Lagrangian, to first order."""
        first = abs(float((gradient(self.s, self.now, q) * step.dz).sum()))
        return max(first, q.curvature(step.dz))

    def renew_cost(self) -> None:
        """Let the unit of cost be what costs change by over the range of the motion."""
        x = self.s.expand(self.now.e, False)
        units = self.units.renewed(self.s, self.now.e, x, np.ones(1, dtype=bool))
        self.units = units._replace(cost=np.maximum(units.cost, NO_COST))

    def step(self, q: Quadratic) -> tuple[Quadratic, Step]:
        """Minimise the quadratic problem. If its Hessian is indefinite, that of the Gauss-Newton
        method replaces it, or growing multiples of the natural curvature are added to it.

        Return the problem as it was solved, and the step.
        """
        correction = self.correction
        correction.used = correction.shift
        while not correction.is_too_large:
            part = correction.added(q, self.s.impacts)
            try:
                return self.elastic(part, minimum(part, self.active_signs))
            except NoMinimum:
                if not self.on_time():
                    raise
            if q.exact:
                q = self.quadratic(False)
            else:
                correction.grow()
        raise NoMinimum

    def elastic(self, q: Quadratic, step: Step) -> tuple[Quadratic, Step]:
        """Return a problem and its minimum if that meets the rows; else one in which violations of
        bounds on quantities cost instead, in natural units, more with each such step.
        """
        if q.has_consistent_rows(step.dz):
            self.is_elastic = False
            return q, step
        self.is_elastic = True
        self.stiffness = max(STIFFNESS, min(STIFFER * self.stiffness, STIFFEST))
        soft = np.where(self.rows.of_controls, 0.0, q.of_rows**2 / self.stiffness)
        q = q._replace(soft=soft, bases=None)
        return q, minimum(q, self.active_signs)

    def stiffer(self, solved: Quadratic) -> tuple[Quadratic, Step]:
        """Do as `step` with a stiffer Hessian than that of the problem as it was solved: that of
        the Gauss-Newton method in place of the exact one, else with more of the natural curvature.
        """
        if not solved.exact:
            self.correction.stiffen()
        return self.step(self.quadratic(False))

    def search(self, q: Quadratic, step: Step) -> float:
        """Take the longest of the steps 1, 1/2, 1/4 ... that decreases the merit function, and
        return its length; 0 if there is none.
        """
        y, stiffness = (0 * step.y, self.stiffness) if self.is_elastic else (step.y, 0.0)
        merit = Merit(self.rows, self.units, step.costates, y, self.penalty, stiffness)
        length, new = longest_step(
            merit, self.now, q, step, self.moved, self.second_order, self.on_time
        )
        if length:
            self.now, self.active_signs, self.penalty = new, step.y, merit.penalty
        return length

    def moved(self, step: Step, length: float = 1.0) -> tuple[Evaluation, np.ndarray]:
        """Evaluate the motion after a part of the step, and the values of its rows."""
        n, e, dz = 2 * self.s.n, self.now.e, length * step.dz[None]
        if self.simulates:
            new = simulated(self.s, e, step.dz, step.system.K[0], length)
        else:
            new = self.s.evaluate(self.s.move(e.at, dz[..., :n], dz[:, :-1, n:]))
        return new, self.rows.values(new.at)[0]

    def follow(self, step: Step) -> float:
        """Take the full step without evaluating its motion; return its length, 0 if it is not
        finite.
        """
        n, (e, v, _, _) = 2 * self.s.n, self.now
        if not (np.isfinite(step.dz).all() and np.isfinite(step.y).all()):
            return 0.0
        e = e._replace(at=self.s.move(e.at, step.dz[None, :, :n], step.dz[None, :-1, n:]))
        np.clip(e.at.u, self.s.lower, self.s.upper, out=e.at.u)
        self.now, self.active_signs = Point(e, v, step.costates, step.y), step.y
        return 1.0

    def measure(self, e: Evaluation) -> np.ndarray:
        """Go on at another motion with the same multipliers; return the values of its rows."""
        self.now = self.now._replace(e=e, v=self.rows.values(e.at)[0])
        return self.now.v

    def keep(self, y: np.ndarray, p: np.ndarray) -> None:
        """Go on with multipliers of the rows and costates, and the active set of the former."""
        self.now, self.active_signs = self.now._replace(y=y, p=p), y

    def second_order(self, q: Quadratic, step: Step) -> Step:
        """Return the step of second order: the same linear equations, to which defects and active
        rows after the full step are added.
        """
        e, v = self.moved(step)
        if not (np.isfinite(e.defects).all() and np.isfinite(v).all()):
            return step
        active, bound = (step.y != 0) | q.limits.equations, q.limits.nearest(step.y)
        rho = v - np.where(active, bound, 0.0) - (q.C @ step.dz[..., None])[..., 0]
        again = q._replace(c=q.c + e.defects[0])
        try:
            system = again.system(np.where(active, 0.0, np.inf))
        except NoMinimum:
            return step
        return again.solved(system, np.where(active, rho, 0.0))

    def leaves_saddle(self) -> bool:
        """Move along a direction of negative curvature under the active rows, if there is one, and
        return True if the motion has moved.
        """
        s, (e, _, p, y) = self.s, self.now
        q = self.quadratic(True)
        soft = np.where((y != 0) | q.limits.equations, 0.0, np.inf)
        F, H, C, rows = (x[None] for x in (q.F, q.H, q.C, soft))
        system = StageSystem(F, H, C, rows, (q.of_z[None], q.of_rows[None]), q.bases)
        if not system.failed[0]:
            return False
        x = Expansion(q.F[None], q.g[None], system.M)
        f = Feedback(*(np.zeros_like(z) for z in (e.at.u, system.K, p, system.P, e.cost)))
        if not downhill(x, f, self.units, np.zeros(e.at.u.shape, dtype=bool), 0):
            return False
        merit = Merit(self.rows, self.units, p, y, 1.0)

        def value(new: Evaluation) -> np.ndarray:
            return np.array([merit.value(new, self.rows.values(new.at)[0])])

        moved, left = descended(s, e, f, system.failed, self.units.cost, value)
        if left[0]:
            self.begin(moved)
        return bool(left[0])

    def snapped(self) -> Point:
        """Return the motion with controls exactly at their active bounds, and its multipliers."""
        e, y = with_active_controls(self.s, self.rows, self.units, self.now)
        return Point(e, self.now.v, self.now.p, y)
