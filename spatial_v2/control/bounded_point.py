"""A motion with multipliers of its bounds, and how far it is from the optimality conditions."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.quadratic import Quadratic
from spatial_v2.control.riccati import costates
from spatial_v2.control.rows import Rows
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting

__all__ = ["Errors", "Point", "errors_as_they_are", "errors_of", "gradient", "with_active_controls"]

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


class Errors(NamedTuple):
    """Errors of the optimality conditions in natural units, as numbers."""

    stationarity: float
    defect: float
    violation: float
    complementarity: float


def errors_of(s: Shooting, rows: Rows, units: NaturalUnits, at: Point, q: Quadratic) -> Errors:
    """Compute the errors of the optimality conditions."""
    (_, v, _, y), n, root, r = at, 2 * s.n, np.sqrt(q.cost), gradient(s, at, q)
    gap = np.where(y > 0, q.limits.upper - v, v - q.limits.lower)
    slack = np.where((y != 0) & ~q.limits.equations, np.maximum(gap, 0.0), 0.0)
    off = rows.limits.off(v) / units.largest_row[0]
    return Errors(
        float(np.abs(r * q.of_z).max() / root),
        float(np.abs(q.c / q.of_z[:n]).max() / root),
        float(np.abs(off).max(initial=0.0) / root),
        float(np.abs(slack * y).max(initial=0.0) / q.cost),
    )


def gradient(s: Shooting, at: Point, q: Quadratic) -> np.ndarray:
    """Compute the gradient of the Lagrangian, shape (S + 1, z)."""
    (_, _, p, y), n = at, 2 * s.n
    r = q.g + (T(q.C) @ y[..., None])[..., 0]
    r[:-1] += (T(q.F) @ p[1:, :, None])[..., 0]
    r[:, :n] -= p
    r[-1, n:] = r[s.impacts, n:] = 0.0
    return np.asarray(r)


def errors_as_they_are(
    s: Shooting, rows: Rows, at: Point, q: Quadratic
) -> tuple[float, float, float]:
    """Return the largest entry of the gradient with respect to the controls, by the adjoint method
    and projected on their bounds, the largest defect, and the largest violation.
    """
    free = np.where(rows.of_controls, 0.0, at.y)
    g = q.g + (T(q.C) @ free[..., None])[..., 0]
    slope = costates(Expansion(q.F[None], g[None], q.H[None]))[1]
    off = np.where(rows.of_controls, 0.0, rows.limits.off(at.v))
    each = s.projected(at.e.at.u, slope), q.c, off
    gradient, defect, violation = (float(np.abs(x).max(initial=0.0)) for x in each)
    return gradient, defect, violation


def with_active_controls(
    s: Shooting, rows: Rows, units: NaturalUnits, at: Point
) -> tuple[Evaluation, np.ndarray]:
    """Return the motion with controls exactly at their active bounds, and the multipliers of the
    rows, zero for inactive ones.
    """
    e, v, _, y = at
    gap = np.abs(rows.limits.nearest(y) - v)
    y = np.where(rows.limits.equations | (np.abs(y) * units.row[0] ** 2 > gap), y, 0.0)
    u = np.clip(e.at.u, s.lower, s.upper)
    if s.bounded:
        part = rows.parts[-1]
        of_u = y[part.where, part.rows]
        at_bound = np.where(of_u < 0, s.lower[part.where], s.upper[part.where])
        u[0, part.where] = np.where(of_u != 0, at_bound, u[0, part.where])
    return (s.evaluate(e.at._replace(u=u)) if (u != e.at.u).any() else e), y
