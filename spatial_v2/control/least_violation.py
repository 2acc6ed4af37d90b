"""Least violation of bounds on quantities, and the certificate that it is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

import numpy as np

from spatial_v2.control.interior_point import minimum
from spatial_v2.control.line_search import simulated
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.quadratic import NoMinimum, Quadratic
from spatial_v2.control.riccati import costates
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory

__all__ = ["LeastViolation", "least_violation"]

ITERATIONS, DAMPING = 60, 1e-10
"""Most iterations; curvature that is added to that of the violations, in natural units."""
CERTIFIED = 1e-6
"""Gradient, relative to the violations, of a certificate."""
STATIONARY, SHORTEST, ROUNDING = 1e-9, 1e-8, 1e-14
"""Gradient at which the iterations end; shortest step; rounding error of a sum of squares."""
T = np.matrix_transpose


class LeastViolation(NamedTuple):
    """A motion whose violations are least, at least among its neighbours."""

    t: Trajectory
    off: np.ndarray
    """Violations of the rows, shape (S + 1, r)."""
    largest: float
    """The largest violation, as a number."""
    units: np.ndarray
    """Natural units of the rows, shape (S + 1, r)."""
    certificate: float
    """Largest gradient with respect to a control of the sum of squares, as a number, relative to
    its root: zero where no control reduces it.
    """

    @property
    def certified(self) -> bool:
        """True if no neighbouring motion violates the bounds less."""
        return self.certificate < CERTIFIED


def least_violation(
    s: Shooting, rows: Rows, starts: Iterable[Trajectory], units: NaturalUnits, tolerance: float,
    on_time: Callable[[], bool],
) -> LeastViolation:  # fmt: skip
    """Find the motion of least violation from one of several trajectories: the next one serves if
    the one before leads to no motion within the bounds, as there may be none near a motion that has
    gone astray.
    """
    each = list[LeastViolation]()
    for t in starts:
        each.append(least_violation_near(s, rows, t, units, tolerance, on_time))
        if each[-1].largest <= tolerance:
            break
    return min(each, key=lambda x: x.largest)


def least_violation_near(
    s: Shooting, rows: Rows, t: Trajectory, units: NaturalUnits, tolerance: float,
    on_time: Callable[[], bool],
) -> LeastViolation:  # fmt: skip
    """Find a motion from t whose sum of squares of violations, in natural units, is least under the
    dynamics and the bounds on the controls, by the Gauss-Newton method.

    Bounds on quantities are soft rows of the quadratic problem of each step, which simulates the
    motion under the feedback. The iterations end
    where violations are below the tolerance, or where no control reduces them.
    """
    of_rows, of_z, root = units.row[0], units.z[0], np.sqrt(units.cost[0])
    n, of_quantities = 2 * s.n, ~rows.of_controls
    H = np.broadcast_to(DAMPING * np.diag(1 / of_z**2), (s.stages + 1, rows.z, rows.z))
    soft = np.where(of_quantities, of_rows**2, 0.0)

    def violations(t: Trajectory) -> np.ndarray:
        return np.where(of_quantities, rows.limits.off(rows.values(t)[0]), 0.0)

    def sum_of_squares(e: Evaluation) -> float:
        off = np.square(violations(e.at) / of_rows).sum()
        return float(off + np.square(e.defects[0] / of_z[:n]).sum())

    e = s.evaluate(t._replace(u=np.clip(t.u, s.lower, s.upper)))
    for _ in range(ITERATIONS):
        off, v, u = violations(e.at), rows.values(e.at)[0], e.at.u
        F, C = s.expand_stages(e)[0], rows.jacobian(e.at)[0]
        g = (T(C) @ (off / of_rows**2)[..., None])[..., 0]
        slope = costates(Expansion(F, g[None], H[None]))[1] * units.control[:, None]
        size = float(np.sqrt(np.square(off / of_rows).sum()))
        certificate = float(np.abs(projected(s, u, slope, units)).max() / max(size, 1e-300))
        largest = float(np.abs(off / units.largest_row[0]).max(initial=0.0) / root)
        consistent = np.abs(e.defects[0] / of_z[:n]).max() <= tolerance * root
        if largest <= tolerance or (certificate < STATIONARY and consistent) or not on_time():
            break
        q = Quadratic(
            F[0], H, 0 * g, e.defects[0], C, v, rows.limits, of_z, of_rows,
            size**2, False, on_time, soft,
        )  # fmt: skip
        try:
            step = minimum(q, off)
        except NoMinimum:
            break
        length, before = 1.0, sum_of_squares(e)
        while length > SHORTEST:
            with np.errstate(all="ignore"):
                new = simulated(s, e, step.dz, step.system.K[0], length)
                after = sum_of_squares(new)
                if after <= before * (1 + ROUNDING):
                    break
                if length == 1 and not consistent and np.isfinite(after):
                    break  # a motion without defects, whatever it violates
            length /= 2
        else:
            break
        e = new
    certificate = certificate if consistent else np.inf  # only motions without defects tell
    return LeastViolation(e.at, off, largest, units.largest_row[0], certificate)


def projected(s: Shooting, u: np.ndarray, slope: np.ndarray, units: NaturalUnits) -> np.ndarray:
    """Project gradients with respect to controls u in natural units onto their bounds."""
    unit = units.control[:, None]
    return np.asarray(s.projected(u, slope * unit) / unit)
