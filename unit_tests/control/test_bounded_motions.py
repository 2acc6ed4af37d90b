"""Motions with bounds on quantities satisfy the optimality conditions, evaluated independently."""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from test_shooting import MODELS, Case, H, N, replaced

import spatial_v2 as sv
from derivatives.reference import complex_step
from spatial_v2.control import (
    Bounds,
    Instants,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    Solution,
    solve,
    time_step,
)

METHODS = ("newton", "ddp", "ilqr")
KINDS = ("velocities", "end", "both")


class Bounded(Case):
    """A problem with bounded velocities, with the goal as exact end condition, or with both."""

    def __init__(self, name: str, kind: str) -> None:
        super().__init__(name)
        speeds = np.abs(solve(self.problem).trajectory.qd)
        self.top = np.maximum(0.7 * speeds.max(axis=0), 1.01 * np.abs(self.v))
        slow = [Bounds(JointVelocities(self.model), -self.top, self.top)]
        there = [Bounds(JointPositions(self.model, self.goal), 0.0, 0.0)]
        running: Any = {"velocities": slow, "end": [], "both": slow}[kind]
        terminal = {"velocities": slow, "end": there, "both": there}[kind]
        self.kind = kind
        self.problem = replaced(self.problem, running_bounds=running, terminal_bounds=terminal)

    def values(self, u: Any) -> list[Any]:
        """Simulate step by step; return the bounded quantities (..., N, NV) and (..., 1, NV)."""
        q, v = self.q + 0 * u[..., :1, 0], self.v + 0 * u[..., :1, 0]
        speeds = []
        for k in range(N):
            speeds.append(v)
            q, v = time_step(self.model, q, v, u[..., k, :], H)
        off = sv.configurationDifference(self.model, self.goal, q)
        end = (v if self.kind == "velocities" else off)[..., None, :]
        return [end] if self.kind == "end" else [np.stack(speeds, axis=-2), end]

    def lagrangian_gradient(self, u: np.ndarray, multipliers: list[np.ndarray]) -> np.ndarray:
        def lagrangian(x: Any) -> Any:
            x = x.reshape(*x.shape[:-1], *u.shape)
            c = [(y * z).sum((-2, -1)) for y, z in zip(multipliers, self.values(x), strict=True)]
            return (self.cost(x) + sum(c))[..., None]

        return np.asarray(complex_step(lagrangian, u.ravel())).ravel()


def is_optimal(case: Bounded, found: Solution, tolerance: float = 1e-7) -> None:
    """Check stationarity, feasibility, complementarity and the signs of multipliers."""
    assert found.status == "converged"
    u, p = found.trajectory.u, case.problem
    near(case.lagrangian_gradient(u, found.multipliers), 0 * u.ravel(), tolerance)
    bounds = [*p.running_bounds, *p.terminal_bounds]
    for b, c, y in zip(bounds, case.values(u), found.multipliers, strict=True):
        assert (c <= b.upper + tolerance).all() and (c >= b.lower - tolerance).all()
        assert ((y <= 0) | (c > b.upper - tolerance)).all()
        assert ((y >= 0) | (c < b.lower + tolerance)).all()
    assert max(np.abs(y).max() for y in found.multipliers) > 1e-3


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("kind", KINDS)
def test_bounded_motions_are_optimal(name: str, kind: str) -> None:
    case = Bounded(name, kind)
    is_optimal(case, solve(case.problem, tolerance=1e-9))


@pytest.mark.parametrize("method", METHODS)
def test_every_method_keeps_bounds(method: Any) -> None:
    case = Bounded("floating", "velocities")
    is_optimal(case, solve(case.problem, method=method, tolerance=1e-9, max_iterations=200))


def test_bounds_on_controls_hold_at_the_same_time() -> None:
    case = Bounded("floating", "velocities")
    free = solve(case.problem, tolerance=1e-9).trajectory.u
    top = 0.95 * np.abs(free).max()
    problem = replaced(case.problem, lower=-top, upper=top)
    found = solve(problem, tolerance=1e-9)
    assert found.status == "converged"
    u = found.trajectory.u
    slope = case.lagrangian_gradient(u, found.multipliers).reshape(u.shape)
    near(u - np.clip(u - slope, -top, top), 0 * u, 1e-7)
    assert (np.abs(u) == top).any()
    assert (np.abs(found.trajectory.qd) <= case.top + 1e-8).all()


def test_batches_with_bounds_are_loops() -> None:
    case, rng = Bounded("chain", "both"), np.random.default_rng(5)
    q = sv.configurationAddition(case.model, case.q, 0.05 * rng.normal(size=(3, case.model.NV)))
    several = solve(replaced(case.problem, q=q), tolerance=1e-9)
    assert several.status.tolist() == ["converged"] * 3
    for k in range(3):
        one = solve(replaced(case.problem, q=q[k]), tolerance=1e-9)
        near(several.trajectory.u[k], one.trajectory.u, 1e-6)
        for y, z in zip(several.multipliers, one.multipliers, strict=True):
            near(y[k], z, 1e-5)


def test_a_solution_gives_multipliers_to_begin_with() -> None:
    case = Bounded("floating", "both")
    found = solve(case.problem, tolerance=1e-9)
    again = solve(case.problem, found, tolerance=1e-9)
    is_optimal(case, again)
    assert again.iterations <= 3 < found.iterations


@pytest.mark.parametrize("method", METHODS)
def test_problems_without_feasible_motions_end_with_a_status(method: Any) -> None:
    """With two contradictory end positions, the motion ends halfway, where the violations are
    equal.
    """
    case = Case("chain")
    there = JointPositions(case.model, case.goal)
    apart = [Bounds(there, 0.1, 0.1), Bounds(there, 0.3, 0.3)]
    problem = replaced(case.problem, terminal_bounds=apart)
    found = solve(problem, method=method, max_iterations=300)
    assert found.status in {"infeasible", "no_descent"}
    end = there.value(Instants(found.trajectory.q[-1:], found.trajectory.qd[-1:], np.zeros((1, 0))))
    near(end, 0 * end + 0.2, 1e-3)
    near(found.log[-1].violation, 0.1, 1e-2)


class Cliff(JointVelocities):
    """Quantity whose values are NaN for large velocities."""

    def value(self, at: Instants) -> np.ndarray:
        return np.where(np.abs(at.qd) > 0.5, np.nan, at.qd)


def test_bounds_that_become_nan_end_with_a_finite_motion() -> None:
    case = Case("chain")
    problem = replaced(
        case.problem, qd=0 * case.v, running_bounds=[Bounds(Cliff(case.model), -1, 1)]
    )
    found = solve(problem, max_iterations=30)
    assert found.status in {"converged", "no_descent", "max_iterations"}
    assert all(np.isfinite(x).all() for x in found.trajectory) and np.isfinite(found.cost)
    with pytest.raises(sv.SpatialError, match="finite"):
        solve(replaced(problem, qd=0 * case.v + 1.0))


def faulty(problem: ShootingProblem, fault: str) -> Any:
    speeds = JointVelocities(problem.model)
    return {
        "shape": lambda: [Bounds(speeds, np.zeros(3), 1.0)],
        "model": lambda: [Bounds(JointPositions(zoo.build("SE3")))],
        "cross": lambda: [Bounds(speeds, 1.0, -1.0)],
        "nan": lambda: [Bounds(speeds, np.nan, 1.0)],
        "none": lambda: [Bounds(speeds, -1.0, 1.0, slice(100, None))],
    }[fault]()


@pytest.mark.parametrize("fault", ["shape", "model", "cross", "nan", "none"])
def test_bad_bounds_are_refused(fault: str) -> None:
    problem = Case("chain").problem
    with pytest.raises(sv.ArrayShapeError if fault in {"shape", "model"} else sv.SpatialError):
        replaced(problem, running_bounds=faulty(problem, fault))


def test_bounds_of_some_intervals_alone() -> None:
    case = Bounded("chain", "velocities")
    part = Bounds(JointVelocities(case.model), -case.top, case.top, slice(3, 6))
    problem = replaced(case.problem, running_bounds=[part], terminal_bounds=[])
    found = solve(problem, tolerance=1e-10)
    assert found.status == "converged" and found.multipliers[0].shape == (3, case.model.NV)
    assert (np.abs(found.trajectory.qd[3:6]) <= case.top + 1e-8).all()
