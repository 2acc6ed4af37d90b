"""A solution of a shooting problem with the linear equations that its derivatives satisfy."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from spatial_v2.control.bounds import check_multipliers
from spatial_v2.control.guess import initial_trajectory
from spatial_v2.control.natural_units import NaturalUnits
from spatial_v2.control.rows import Rows
from spatial_v2.control.saddles import held_controls
from spatial_v2.control.shooting import Evaluation, Expansion, Shooting, Trajectory
from spatial_v2.control.shooting_problem import ShootingProblem
from spatial_v2.control.solution import Solution
from spatial_v2.control.stage_system import StageSystem
from spatial_v2.exceptions import SpatialError

__all__ = ["Optimum", "optimum", "row_multipliers", "system_at"]

WEAK = 1e-8
"""Multiplier of a bound, in natural units, below which it is a rounding error and the bound is not
active: derivatives are then those of a motion that leaves the bound.
"""
T = np.matrix_transpose


class Optimum(NamedTuple):
    """A solution, with the exact Hessian of its Lagrangian and the rows that are active."""

    s: Shooting
    t: Trajectory
    rows: Rows
    y: np.ndarray
    """Multipliers of the rows, shape (B, S + 1, r)."""
    p: np.ndarray
    """Costates, shape (B, S + 1, 2 NV)."""
    held: np.ndarray
    """True for controls that stay at their bounds, shape (B, S, m)."""
    system: StageSystem


def row_multipliers(
    s: Shooting, e: Evaluation, rows: Rows, multipliers: list[np.ndarray], x: Expansion, name: str,
    p: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """Return the multipliers of all rows (B, S + 1, r), those of bounds on quantities given and
    those of bounds on controls being their gradients, and a mask of held controls.

    Gradients of the rows are added to those of the costs in x. `name` is that of the argument with
    the multipliers, for messages; p are the costates (B, S + 1, 2 NV) of a solution. Those of the
    adjoint method would have no digits where motions diverge without feedback.
    """
    check_multipliers(
        multipliers, [rows.limits.lower[y.where, y.rows] for y in rows.quantities], name
    )
    y = rows.packed(multipliers)
    x.g[:] += (T(rows.jacobian(e.at)) @ y[..., None])[..., 0]
    n = 2 * s.n
    slope = x.g[:, :-1, n:] + (T(x.F[..., n:]) @ p[:, 1:, :, None])[..., 0]
    fixed = held_controls(s, e, slope)
    if s.bounded:
        y = rows.packed([*multipliers, -np.where(fixed, slope, 0.0)[:, s.intervals]])
    return y, fixed


def system_at(s: Shooting, e: Evaluation, multipliers: list[np.ndarray], p: np.ndarray) -> Optimum:
    """Return the motions e, which are optimal, with the linear equations of their neighbours, in
    which active rows are equations; `multipliers` are those of bounds on quantities, p costates.
    """
    rows, x = Rows(s, e.at), s.expand(e, True)
    y, fixed = row_multipliers(s, e, rows, multipliers, x, "solution", p)
    s.add_hessians(e, x, p)
    rows.add_hessian(e.at, y, x.Q)
    active = (y != 0) | rows.limits.equations
    each, bases, units = [(np.ones((len(y), rows.z)), np.ones(rows.shape))], None, None
    if active.any():
        units = NaturalUnits.at(s, e, rows)
        each, bases = [(units.z, units.row)], (rows.joint, units.bases)
        size = np.abs(y) * units.row / np.sqrt(units.cost)[:, None, None]
        active &= units.movable & ((size > WEAK) | rows.limits.equations)
    if s.bounded:
        of_controls = rows.parts[-1]
        fixed[:, of_controls.where] = active[:, of_controls.where, of_controls.rows]
    soft = np.where(active, 0.0, np.inf)
    C = rows.jacobian(e.at)
    system = StageSystem(x.F, x.Q, C, soft, each[0], bases)
    if units is not None and system.failed.any():
        # Where the motion diverges without feedback, units beside it may be far too large.
        there = initial_trajectory(s, None)[0]
        units = NaturalUnits.at(s, s.evaluate(there), rows)
        other = StageSystem(x.F, x.Q, C, soft, (units.z, units.row), (rows.joint, units.bases))
        system = other if other.failed.sum() < system.failed.sum() else system
    return Optimum(s, e.at, rows, y, p, fixed, system)


def optimum(problem: ShootingProblem, solution: Solution) -> tuple[Optimum, bool]:
    """Return a solution with the linear equations of its neighbours, and True for a single problem;
    raise an error if it is no solution of the problem.
    """
    if not isinstance(solution, Solution):
        raise TypeError(f"solution: want a Solution, got {type(solution).__name__}")
    if not np.all(np.asarray(solution.status) == "converged"):
        raise SpatialError(
            f"solution: want status 'converged', got {solution.status!r}; solve with more "
            "iterations"
        )
    s = Shooting(problem)
    t, single = initial_trajectory(s, solution, "solution")
    planned = solution.trajectory
    if not (
        (planned.q[..., 0, :] == t.q[:, 0]).all() and (planned.qd[..., 0, :] == t.qd[:, 0]).all()
    ):
        raise SpatialError("solution: want a motion from the initial state of the problem")
    y = [w[None] if single else w for w in solution.multipliers]
    p = solution.costates[None] if single else solution.costates
    at = system_at(s, s.evaluate(t), y, p)
    if at.system.failed.any():
        raise SpatialError(
            "solution: want a minimum, got a motion at which the Hessian is indefinite"
        )
    return at, single
