"""Errors of the optimality conditions of a solution, by complex steps of values of the functions.

Costs, constraints and the motion are computed by reference implementations at complex states, from
the formulas of their documentation. The library's derivatives are not used.
"""

from typing import Any, NamedTuple

import numpy as np

import spatial_v2 as sv
from spatial_v2.control import (
    CentreOfMass,
    ContactForce,
    ControlCost,
    Controls,
    FramePlacementCost,
    FramePosition,
    FunctionCost,
    FunctionQuantity,
    Instants,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    Solution,
    SquareCost,
    StateCost,
)
from spatial_v2.frames.residuals import log6_residual

STEP = 1e-30


class Errors(NamedTuple):
    """Largest errors of the conditions of Karush, Kuhn and Tucker."""

    defect: float
    """Error of the dynamics."""
    state: float
    """Derivative of the Lagrangian with respect to the states."""
    control: float
    """Derivative of the Lagrangian with respect to the controls, projected onto their bounds."""
    bound: float
    """Error of the bounds on quantities, of complementarity, and of the signs of multipliers."""
    cost: float
    """Relative error of the cost that the solver reports."""


def quantity(x: Any, at: Instants, functions: Any) -> Any:
    """Compute the values of a quantity at complex states."""
    match x:
        case JointPositions():
            return sv.configurationDifference(x.model, x.origin, at.q)
        case JointVelocities():
            return at.qd
        case Controls():
            return at.u
        case CentreOfMass():
            return sv.EnerMo(x.model, at.q, 0 * at.qd).cm
        case FramePosition():
            return sv.transform_parts(sv.forward_kinematics(x.model, at.q, frame=x.frame).X0).r
        case ContactForce():
            return sv.KKT_FD(x.model, at.q, at.qd, at.u @ x.S.T, x.held, **x.how)[1] @ x.rows.T
        case FunctionQuantity():
            q, qd = (np.moveaxis(y, -1, 0) for y in (at.q, at.qd))
            return functions[x](q, qd)[..., None]
    raise NotImplementedError(type(x).__name__)


def value(x: Any, at: Instants, functions: Any) -> Any:
    """Compute a cost at complex states."""
    match x:
        case StateCost():
            e, v = sv.configurationDifference(x.model, x.q, at.q), at.qd - x.qd
            return (x.weight * e * e + x.velocity_weight * v * v).sum(-1) / 2
        case ControlCost():
            return (x.weight * (at.u - x.u) ** 2).sum(-1) / 2
        case SquareCost():
            return (x.weight * (quantity(x.quantity, at, functions) - x.target) ** 2).sum(-1) / 2
        case FramePlacementCost():
            X = sv.forward_kinematics(x.model, at.q, frame=x.frame).X0
            return (x.weight * log6_residual(X, x.target)[0] ** 2).sum(-1) / 2
        case FunctionCost():
            return quantity(x.quantity, at, functions)[..., 0]
    raise NotImplementedError(type(x).__name__)


def kkt_errors(problem: ShootingProblem, solution: Solution, functions: Any = None) -> Errors:
    """Compute the errors of the optimality conditions at a solution of one problem.

    `functions` contains, for each `FunctionQuantity`, its function of complex q and qd.
    """
    model, n, p = problem.model, problem.model.NV, solution.costates
    q, v, u = solution.trajectory
    S, m = u.shape
    z = 1j * STEP * np.eye(2 * n + m)[:, None]
    displaced = Instants(sv.configurationAddition(model, q[:-1], z[..., :n]),
                         v[:-1] + z[..., n : 2 * n], u + z[..., 2 * n :])  # fmt: skip
    last = Instants(sv.configurationAddition(model, q[-1:], z[: 2 * n, :, :n]),
                    v[-1:] + z[: 2 * n, :, n : 2 * n], u[-1:, :0])  # fmt: skip
    g, timed, defect = np.zeros((2 * n + m, S)), np.zeros(S, dtype=bool), 0.0
    low, high = (np.full((S, m), x) for x in (-np.inf, np.inf))
    k = interval = 0
    for phase in problem.phases:
        for j in range(k, k + phase.impact + phase.steps):
            x = [y[:, j] for y in displaced]
            if phase.impact and j == k:
                end = (
                    x[0],
                    sv.Impact_dyn(model, *x[:2], phase.constraints, phase.restitution).qd_plus,
                )
            else:
                timed[j] = True
                held: Any = {"baumgarte": problem.baumgarte, "damping": problem.damping}
                held = held | {"constraints": phase.constraints} if phase.constraints else {}
                h = problem.h[interval]
                low[j], high[j] = problem.lower[interval], problem.upper[interval]
                tau, interval = x[2] @ problem.actuation.T, interval + 1
                end = sv.time_step(model, *x[:2], tau, h, problem.method, **held)
            off = np.concatenate(
                [sv.configurationDifference(model, q[j + 1], end[0]), end[1] - v[j + 1]], axis=-1
            )
            defect = max(defect, np.abs(off.real).max())
            g[:, j] = off.imag / STEP @ p[j + 1]
        k += phase.impact + phase.steps
    within = Instants(*(y[:, timed] for y in displaced))
    running = sum((value(x, within, functions) for x in problem.running), 0j * within.u[..., 0])
    running = running * problem.h
    terminal = sum((value(x, last, functions) for x in problem.terminal), np.zeros((2 * n, 1)) + 0j)
    g[:, timed] += running.imag / STEP
    g_end, bound = terminal.imag[:, 0] / STEP, 0.0
    parts = [(x, Instants(*(y[:, x.intervals] for y in within)), np.flatnonzero(timed)[x.intervals])
             for x in problem.running_bounds]  # fmt: skip
    parts += [(x, last, None) for x in problem.terminal_bounds]
    for (x, where, stages), y in zip(parts, solution.multipliers, strict=True):
        c = quantity(x.quantity, where, functions)
        slope = (y * c.imag).sum(-1) / STEP
        if stages is None:
            g_end = g_end + slope[:, 0]
        else:
            g[:, stages] += slope
        c = c[0].real
        bound = max(bound, np.abs(c - np.clip(c + y, x.lower, x.upper)).max())
    state = np.abs(np.vstack([g[: 2 * n].T, g_end]) - p).max()
    control = np.abs(u - np.clip(u - g[2 * n :].T, low, high))[timed].max()
    total = (running[0].real.sum() + terminal[0, 0].real) / solution.cost - 1
    return Errors(defect, float(state), float(control), float(bound), float(abs(total)))
