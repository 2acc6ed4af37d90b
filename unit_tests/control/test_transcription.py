"""Transcribed shooting problems: derivatives agree with complex steps, and IPOPT finds
the optimum.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from scipy.sparse import coo_array
from test_shooting import H, foot, replaced

import spatial_v2 as sv
from derivatives.reference import complex_step
from spatial_v2.constraints import Impact_dyn
from spatial_v2.control import (
    Bounds,
    CentreOfMass,
    ContactPhase,
    ControlCost,
    JointPositions,
    JointVelocities,
    ShootingProblem,
    StateCost,
    Trajectory,
    solve,
    time_step,
    transcribe,
)

MODELS = ("chain", "floating", "spherical", "planar_chain", "SE3")
N = 4


class Case:
    """A problem with a goal and its transcription, whose functions are also computed for complex
    unknowns.

    The transcription is about a motion that violates the dynamics.
    """

    def __init__(self, name: str, **options: Any) -> None:
        self.model, rng = zoo.build(name), np.random.default_rng(8)
        n, self.options = self.model.NV, options
        q = sv.random_configuration(self.model, rng)
        self.goal = sv.configurationAddition(self.model, q, 0.3 * rng.normal(size=n))
        running = [StateCost(self.model, self.goal, 1.0, 0.1), ControlCost(0.01)]
        last = [StateCost(self.model, self.goal, 50.0, 5.0)]
        self.problem = ShootingProblem(
            self.model, q, 0.3 * rng.normal(size=n), np.full(N, H), running, last, **options
        )
        t = solve(self.problem, max_iterations=0).trajectory
        start = Trajectory(
            sv.configurationAddition(self.model, t.q, 0.3 * rng.normal(size=t.qd.shape)), t.qd, t.u
        )
        self.program = transcribe(self.problem, start)
        self.S, self.x = len(t.u), rng.normal(size=self.program.size)
        self.weights = rng.normal(size=len(self.program.limits[0]))

    def parts(self, x: Any) -> list[Any]:
        """Split unknowns: displacements and velocities (..., S + 1, NV), controls (..., S, NV)."""
        n = self.model.NV
        both = np.concatenate([x, 0 * x[..., :n]], axis=-1).reshape(*x.shape[:-1], self.S + 1, -1)
        return [both[..., :n], both[..., n : 2 * n], both[..., :-1, 2 * n :]]

    def cost(self, x: Any) -> Any:
        off, v, u = self.parts(x)
        q = sv.configurationAddition(self.model, self.program.origin.q[0], off)
        e, k = sv.configurationDifference(self.model, self.goal, q), self.timed()
        within = (e**2 + 0.1 * v**2)[..., k, :].sum((-2, -1)) + 0.01 * (u[..., k, :] ** 2).sum(
            (-2, -1)
        )
        return H * within / 2 + (50 * e[..., -1, :] ** 2 + 5 * v[..., -1, :] ** 2).sum(-1) / 2

    def timed(self) -> list[int]:
        """Return the numbers of the stages that are time intervals, not impacts."""
        found = []
        for phase in self.problem.phases:
            first = (found[-1] + 1 if found else 0) + phase.impact
            found += range(first, first + phase.steps)
        return found

    def constraints(self, x: Any) -> Any:
        off, v, u = self.parts(x)
        origin, rows, k = self.program.origin.q[0], [], 0
        q = sv.configurationAddition(self.model, origin, off)

        def follow(q1: Any, v1: Any) -> None:
            e = sv.configurationDifference(self.model, origin[k + 1], q1)
            rows.extend([e - off[..., k + 1, :], v1 - v[..., k + 1, :]])

        for phase in self.problem.phases:
            if phase.impact:
                state = q[..., k, :], v[..., k, :], phase.constraints, phase.restitution
                follow(q[..., k, :], Impact_dyn(self.model, *state).qd_plus)
                k += 1
            for _ in range(phase.steps):
                held: Any = {"constraints": phase.constraints, "baumgarte": (0.0, 5.0)}
                held = held if phase.constraints else {}
                state = q[..., k, :], v[..., k, :], u[..., k, :]
                follow(*time_step(self.model, *state, H, **held))
                k += 1
        for bounds in self.problem.running_bounds:
            rows += [v[..., j, :] for j in np.array(self.timed())[bounds.intervals]]
        for _ in self.problem.terminal_bounds:
            rows.append(sv.configurationDifference(self.model, self.goal, q[..., -1, :]))
        return np.concatenate(rows, axis=-1)

    def lagrangian_gradient(self, x: np.ndarray, factor: float) -> np.ndarray:
        def value(x: Any) -> Any:
            return (factor * self.cost(x) + self.constraints(x) @ self.weights)[..., None]

        return np.asarray(complex_step(value, x)).ravel()


def bounded(name: str) -> dict[str, Any]:
    model = zoo.build(name)
    goal = Case(name).goal
    return {
        "running_bounds": [Bounds(JointVelocities(model), -3.0, 3.0, slice(1, 3))],
        "terminal_bounds": [Bounds(JointPositions(model, goal), 0.0, 0.0)],
    }


def phases(name: str) -> dict[str, Any]:
    held = [ContactPhase(1), ContactPhase(3, foot(name), impact=True, restitution=0.2)]
    return {"phases": held, "baumgarte": (0.0, 5.0)}


CASES = [(name, None) for name in MODELS]
CASES += [(name, f) for f in (bounded, phases) for name in ("chain", "floating", "SE3")]


@pytest.mark.parametrize(("name", "more"), CASES)
def test_values_and_derivatives(name: str, more: Any) -> None:
    """First derivatives agree with complex steps of time steps; the Hessian with differences of
    gradients.
    """
    case = Case(name, **(more(name) if more else {}))
    p, x = case.program, 0.3 * case.x
    near(p.objective(x), case.cost(x), 1e-12)
    near(p.constraints(x), case.constraints(x), 1e-11)
    near(p.gradient(x), complex_step(lambda y: case.cost(y)[..., None], x).ravel(), 1e-11)
    shape = len(case.weights), p.size
    J = coo_array((p.jacobian(x), p.jacobianstructure()), shape).toarray()
    near(J, complex_step(case.constraints, x), 1e-10)
    row, column = p.hessianstructure()
    assert (row >= column).all()
    L = coo_array((p.hessian(x, case.weights, 0.7), (row, column)), (p.size, p.size)).toarray()
    whole, fixed = L + np.tril(L, -1).T, p.bounds[0] == p.bounds[1]
    rng, step = np.random.default_rng(9), 1e-5
    for _ in range(3):
        d = rng.normal(size=p.size)
        up, down = (case.lagrangian_gradient(x + s * step * d, 0.7) for s in (1, -1))
        near(whole @ d, (up - down) / (2 * step), 1e-7)
    assert fixed.sum() == 2 * case.model.NV + (case.S - N) * case.model.NV


@pytest.mark.parametrize("name", ["chain", "floating"])
def test_unknowns_are_trajectories(name: str) -> None:
    case = Case(name)
    t = case.program.trajectory(0.3 * case.x)
    near(case.program.unknowns(t), 0.3 * case.x, 1e-12)


@pytest.mark.parametrize("method", ["multiple_shooting", "hermite_simpson"])
def test_unknowns_of_a_solution_are_those_of_its_motion(method: Any) -> None:
    problem = Case("chain").problem
    found, p = solve(problem, max_iterations=1), transcribe(problem, method=method)
    np.testing.assert_array_equal(p.unknowns(found), p.unknowns(found.trajectory))
    with pytest.raises(TypeError, match="t: want a Trajectory or a Solution, got ndarray"):
        p.unknowns(found.trajectory.q)  # type: ignore[arg-type]
    with pytest.raises(sv.ArrayShapeError, match=r"t: qd: want shape \("):
        p.unknowns(found.trajectory._replace(qd=found.trajectory.qd[1:]))


@pytest.mark.parametrize("name", ["chain", "floating"])
@pytest.mark.slow
def test_ipopt_finds_the_same_motion(name: str) -> None:
    """IPOPT finds the motion that `solve` finds, with bounds on controls, velocities and the last
    configuration.
    """
    pytest.importorskip("casadi")
    from spatial_v2.interop.ipopt import solve_ipopt

    free = Case(name)
    u = solve(free.problem).trajectory.u
    low, high = np.quantile(u, [0.2, 0.8], axis=0)
    for more in ({"lower": low, "upper": high}, bounded(name)):
        problem = replaced(free.problem, **more)
        found, p = solve(problem, tolerance=1e-9), transcribe(problem)
        start = p.unknowns(solve(problem, max_iterations=0).trajectory)
        other = solve_ipopt(p, start, p.bounds, p.limits, tol=1e-10)
        assert found.status == "converged" and other.success and other.iterations < 40
        near(other.objective, found.cost, 1e-7)
        near(p.trajectory(other.x).u, found.trajectory.u, 1e-5)


def test_many_initial_states_are_refused() -> None:
    case = Case("chain")
    with pytest.raises(sv.SpatialError, match="one initial state"):
        transcribe(replaced(case.problem, q=np.zeros((3, case.model.NQ))))


def test_quantities_of_the_whole_robot() -> None:
    """Bounds on the centre of mass are rows of the constraint Jacobian, and its sparsity structure
    counts them.
    """
    case = Case("floating")
    p = transcribe(
        replaced(case.problem, running_bounds=[Bounds(CentreOfMass(case.model), -9.0, 9.0)])
    )
    rows, _ = p.jacobianstructure()
    assert rows.size == p.jacobian(case.x).size and rows.max() + 1 == len(p.limits[0])


@pytest.mark.parametrize("method", ["multiple_shooting", "hermite_simpson"])
def test_vectors_of_other_lengths_are_refused(method: Any) -> None:
    program = transcribe(Case("chain").problem, method=method)
    x, m = np.zeros(program.size), len(program.limits[0])
    for call in (program.objective, program.jacobian, program.trajectory):
        with pytest.raises(sv.ArrayShapeError, match=rf"x: want shape \({x.size},\), got"):
            call(x[1:])
    with pytest.raises(sv.ArrayShapeError, match=rf"multipliers: want shape \({m},\)"):
        program.hessian(x, np.zeros(m + 1), 1.0)


def test_motions_of_a_collocation_are_copies() -> None:
    program = transcribe(Case("chain").problem, method="hermite_simpson")
    x = np.zeros(program.size)
    before = program.gradient(x)
    program.trajectory(x).q[:] = 7.0
    near(program.gradient(x), before, 0.0)
