"""Newton's method with bounds as rows of the quadratic problem of each step, for one problem."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.control.natural_units import (
    compliances,
    costs_alone,
    gauss_newton,
    least,
    range_cost,
    spread,
    step_cost,
)
from spatial_v2.control.quadratic import NoMinimum, Quadratic, Step
from spatial_v2.control.riccati import costates
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Evaluation, Shooting, Trajectory

__all__ = ["NewtonRows", "Point"]

FIRST, GROWTH, LARGEST = 1e-4, 8.0, 1e20
"""First correction of an indefinite Hessian, in natural units; factor by which it grows."""
ARMIJO, SHORTEST, ROUNDING = 1e-4, 1e-7, 1e-13
"""Least decrease of the merit function relative to its slope; shortest step; rounding error."""
T = np.matrix_transpose


class Point(NamedTuple):
    """A motion with its multipliers."""

    e: Evaluation
    v: np.ndarray
    """Values of the rows, shape (S + 1, r)."""
    p: np.ndarray
    """Costates, shape (S + 1, 2 NV)."""
    y: np.ndarray
    """Multipliers of the rows, shape (S + 1, r)."""


class NewtonRows:
    """The steps of the method, with what it keeps between them.

    Parameters
    ----------
    s : Shooting
        The stages.
    t : Trajectory
        The guess, with a leading axis of length one.
    """

    def __init__(self, s: Shooting, t: Trajectory) -> None:
        self.s, self.rows, e = s, Rows(s, t), s.evaluate(t)
        self.lower, self.upper = self.rows.lower, self.rows.upper
        x, f = gauss_newton(s, e)
        Z, C = compliances(x, f), self.rows.jacobian(t)
        unit = spread(C, Z)[0]
        self.of_rows = np.where(unit > 0, unit, 1.0)
        self.of_z = np.sqrt(np.diagonal(Z, axis1=-2, axis2=-1)).max(axis=1)[0]
        self.of_z = np.where(self.of_z > 0, self.of_z, 1.0)
        v = self.rows.values(t)[0]
        self.cost = float(max(step_cost(s, e, x, f)[0], range_cost(s, e, x)[0], least(s, e, x)[0]))
        self.cost = max(self.cost, float(np.square(self.off(v) / self.of_rows).max(initial=0.0)))
        self.cost = self.cost or 1e-300
        self.penalty, self.shift, self.factorisations = 0.01, 0.0, 0
        self.now = Point(e, v, costates(x)[0][0], np.zeros(v.shape))
        self.set = self.now.y

    def off(self, v: np.ndarray) -> np.ndarray:
        """Return the violations of the bounds."""
        return np.asarray(v - np.clip(v, self.lower, self.upper))

    def quadratic(self, exact: bool) -> Quadratic:
        """Expand costs, stages and rows at the present motion."""
        s, e, now = self.s, self.now.e, self.now
        x = s.expand(e, exact)
        if exact:
            s.add_hessians(e, x, now.p[None])
            self.rows.add_hessian(e.at, now.y[None], x.Q)
        C, n = self.rows.jacobian(e.at)[0], 2 * s.n
        return Quadratic(
            x.F[0], x.Q[0], x.g[0], e.defects[0], C, now.v, self.lower, self.upper,
            (self.of_z, self.of_rows), self.cost,
        )  # fmt: skip

    def errors(self, q: Quadratic) -> np.ndarray:
        """Compute gradient, defects, violations and complementarity as numbers."""
        now, n, root = self.now, q.F.shape[1], np.sqrt(self.cost)
        r = q.g + (T(q.C) @ now.y[..., None])[..., 0]
        r[:-1] += (T(q.F) @ now.p[1:, :, None])[..., 0]
        r[:, :n] -= now.p
        r[-1, n:] = 0.0
        r[self.s.impacts, n:] = 0.0
        gap = np.where(now.y > 0, self.upper - now.v, now.v - self.lower)
        unequal = (now.y != 0) & (self.lower < self.upper)
        apart = np.where(unequal, np.maximum(np.where(unequal, gap, 0.0), 0.0) * now.y, 0.0)
        best = self.of_rows
        return np.array([
            np.abs(r * self.of_z).max() / root,
            np.abs(q.c / self.of_z[:n]).max() / root,
            np.abs(self.off(now.v) / best).max(initial=0.0) / root,
            np.abs(apart).max(initial=0.0) / self.cost,
        ])  # fmt: skip

    def step(self, q: Quadratic, exact: bool) -> tuple[Quadratic, Step]:
        """Minimise the quadratic problem; if its Hessian is indefinite, that of the Gauss-Newton
        method, and with growing multiples of the natural curvature.
        """
        shift = self.shift
        while shift < LARGEST:
            part = q
            if shift:
                curved = np.abs(np.diagonal(q.H, axis1=1, axis2=2)).mean(axis=0)
                H = q.H.copy()
                i = np.arange(len(self.of_z))
                H[:, i, i] += shift * np.maximum(1 / self.of_z**2, curved)
                part = q._replace(H=H)
            try:
                found = part.minimum(self.set)
                self.factorisations += found.factorisations
                return part, found
            except NoMinimum:
                if exact:
                    q, exact = self.quadratic(False), False
                else:
                    shift = max(FIRST, GROWTH * shift)
        raise NoMinimum

    def merit(self, e: Evaluation, v: np.ndarray, d: Step) -> tuple[float, np.ndarray]:
        """Compute the augmented Lagrangian at the multipliers of the step, and its derivatives by
        the rows.
        """
        soft = self.of_rows**2 / self.penalty
        w = self.off(v + soft * d.y)
        square = np.square(e.defects[0] / self.of_z[: 2 * self.s.n]).sum()
        terms = (np.square(w) - np.square(soft * d.y)) / soft
        value = e.cost[0] + (d.costates[1:] * e.defects[0]).sum()
        return float(value + self.penalty * square / 2 + terms.sum() / 2), w / soft

    def descent(self, q: Quadratic, d: Step) -> tuple[float, float]:
        """Raise the penalty until the step is one of descent; return the merit function and its
        slope.
        """
        n = q.F.shape[1]
        square = np.square(q.c / self.of_z[:n]).sum()
        curved = float((d.dz * (q.H @ d.dz[..., None])[..., 0]).sum())
        Cdz = (q.C @ d.dz[..., None])[..., 0]
        for _ in range(30):
            value, w = self.merit(self.now.e, self.now.v, d)
            slope = (q.g * d.dz).sum() - (d.costates[1:] * q.c).sum() - self.penalty * square
            slope = float(slope + (w * Cdz).sum())
            if slope <= -0.1 * abs(curved):
                break
            small = square + np.square(self.off(self.now.v) / self.of_rows).sum()
            if slope <= 0 and small < 1e-20 * self.cost:
                break
            self.penalty *= 3
        return value, min(slope, 0.0)

    def moved(self, d: Step, length: float) -> tuple[Evaluation, np.ndarray]:
        """Evaluate the motion after a part of the step."""
        n, dz = 2 * self.s.n, length * d.dz[None]
        e = self.s.evaluate(self.s.move(self.now.e.at, dz[..., :n], dz[:, :-1, n:]))
        return e, self.rows.values(e.at)[0]

    def search(self, q: Quadratic, d: Step) -> float:
        """Take the longest of the steps 1, 1/2, 1/4 ... that decreases the merit function, and
        return its length; 0 if there is none.
        """
        before, slope = self.descent(q, d)
        noise = ROUNDING * (abs(before) + abs(float(self.now.e.cost[0])) + self.cost)
        length, y, p = 1.0, self.now.y, self.now.p
        while length > SHORTEST:
            with np.errstate(all="ignore"):
                for tried in (d, self.corrected(q, d)) if length == 1 else (d,):
                    e, v = self.moved(tried, length)
                    if self.merit(e, v, d)[0] <= before + ARMIJO * length * slope + noise:
                        p, y = p + length * (d.costates - p), y + length * (d.y - y)
                        self.now, self.set = Point(e, v, p, y), d.y
                        return length
            length /= 2
        return 0.0

    def corrected(self, q: Quadratic, d: Step) -> Step:
        """Return the step of second order: defects and active rows after the full step are added to
        those of the step.
        """
        e, v = self.moved(d, 1.0)
        bound = np.where(d.y > 0, self.upper, self.lower)
        active = (d.y != 0) | (self.lower == self.upper)
        rho = v - np.where(active, bound, 0.0) - (q.C @ d.dz[..., None])[..., 0]
        if not (np.isfinite(e.defects).all() and np.isfinite(v).all()):
            return d
        again = q._replace(c=q.c + e.defects[0])
        try:
            return again.solved(
                again.system(np.where(active, 0.0, np.inf)), np.where(active, rho, 0.0)
            )
        except NoMinimum:
            return d

    def renew(self) -> None:
        """Let the unit of cost be what costs change by over the range of the motion."""
        e = self.now.e
        x = costs_alone(self.s, e)
        cost = float(max(range_cost(self.s, e, x)[0], least(self.s, e, x)[0]))
        if cost > 0:
            self.cost = cost

    def run(self, tolerance: float, most: int, warm: bool = False, verbose: bool = False) -> str:
        """Do the iterations; return the status."""
        length, worst, k = 0.0, np.inf, 0
        for k in range(most + 1):
            self.iterations = k
            exact = k > 0 or warm
            q = self.quadratic(exact)
            error = self.errors(q)
            if error.max() < 0.01 * worst and np.isfinite(worst):
                self.renew()
                error, q = self.errors(q), q._replace(cost=self.cost)
                worst = error.max()
            worst = min(worst, error.max()) if np.isfinite(worst) else error.max()
            if verbose:
                print(
                    k,
                    float(self.now.e.cost[0]),
                    error,
                    length,
                    self.shift,
                    self.factorisations,
                    self.penalty,
                )
            if error.max() <= tolerance:
                return "converged"
            try:
                q, d = self.step(q, exact)
            except NoMinimum:
                return "indefinite"
            length = self.search(q, d)
            if not length:
                return "no_descent"
            if length < 0.3:
                self.shift = max(1e-3, 10 * self.shift)
            elif length > 0.9:
                self.shift = self.shift / 10 if self.shift > 1e-3 else 0.0
        return "max_iterations"
