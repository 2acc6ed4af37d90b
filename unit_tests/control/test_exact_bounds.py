"""Bounds on quantities are met exactly by `solve`: against dense linear algebra and quadratic
programming, for light and heavy bodies, in other units; certificates of infeasible problems.
"""

from typing import Any

import numpy as np
import pytest
from helpers import near
from scipy.linalg import block_diag, null_space

from spatial_v2 import Model, autoTree, configurationAddition, mcI, neutral, puma560
from spatial_v2.control import (
    Bounds,
    ControlCost,
    Instants,
    JointPositions,
    JointVelocities,
    ModelPredictiveControl,
    ShootingProblem,
    StateCost,
    solution_derivatives,
    solve,
)
from spatial_v2.control.bounded_newton import BoundedNewton

MASSES = [1e-3, 1.0, 10.0, 300.0, 1e5]


def point(mass: float) -> Model:
    I = mcI(mass, [0, 0, 0], np.zeros((3, 3)))
    return Model(parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, 0])


def move(mass: float, seconds: float, N: int = 50, **more: Any) -> ShootingProblem:
    """Make a problem: a mass point goes from rest to rest, 1 m away, with least effort."""
    model = point(mass)
    there = [Bounds(JointPositions(model), 1.0, 1.0), Bounds(JointVelocities(model), 0.0, 0.0)]
    return ShootingProblem(
        model, [0.0], [0.0], np.full(N, seconds / N), [ControlCost(1.0)], terminal_bounds=there,
        **more,
    )  # fmt: skip


def states_by_controls(N: int, h: float, mass: float) -> np.ndarray:
    """Return the derivatives (N + 1, 2, N) of the states of a mass point by its controls."""
    x_u = np.zeros((N + 1, 2, N))
    for k in range(N):
        x_u[k + 1] = np.array([[1, h], [0, 1]]) @ x_u[k]
        x_u[k + 1][:, k] += np.array([h * h, h]) / mass
    return x_u


@pytest.mark.parametrize("mass", MASSES)
def test_a_linear_problem_takes_one_iteration(mass: float) -> None:
    """With bounds in the middle of the way, and for feasible problems of any mass."""
    model = point(mass)
    middle = [Bounds(JointPositions(model), -0.1, 0.8, slice(7, 60))]
    found = solve(move(mass, 3.0, 75, running_bounds=middle))
    assert found.status == "converged" and found.iterations == 1
    assert found.cost / mass**2 == pytest.approx(0.323506390363, rel=1e-11)


@pytest.mark.parametrize("mass", MASSES)
def test_controls_at_their_bounds_bring_a_mass_to_rest(mass: float) -> None:
    """Just above the least time, 2 s, nearly all controls are at their bounds; the solution is
    that of the quadratic program, with multipliers of the right signs.
    """
    N, seconds = 50, 2.02
    found = solve(move(mass, seconds, lower=-mass, upper=mass))
    u = found.trajectory.u[:, 0] / mass
    assert found.status == "converged" and found.iterations <= 2
    assert (np.abs(u) <= 1).all() and (np.abs(u) == 1).sum() > 35
    h = seconds / N
    C = states_by_controls(N, h, 1.0)[N]
    near(C @ u, [1.0, 0.0], 1e-12)
    gradient = h * u + C.T @ np.array([y[0, 0] for y in found.multipliers]) / mass**2
    inside = np.abs(u) < 1
    near(gradient[inside], 0 * gradient[inside], 1e-12)
    assert (u * gradient <= 1e-12).all()


@pytest.mark.parametrize("mass", MASSES)
def test_too_little_time_is_certified(mass: float) -> None:
    """In less than the least time the end cannot be reached: the same numbers for all masses."""
    found = solve(move(mass, 1.9, lower=-mass, upper=mass))
    assert found.status == "infeasible"
    worst = found.violation
    assert (worst.bounds, worst.value, worst.instant) == ("terminal_bounds[0]", 0, 50)
    assert worst.off == pytest.approx(-0.0564231547, rel=1e-8) and worst.certificate < 1e-9
    assert found.log[-1].violation == pytest.approx(-worst.off)


def test_a_batch_tells_which_problems_are_infeasible() -> None:
    one = move(1.0, 1.9, lower=-1.0, upper=1.0)
    q = np.array([[0.5], [0.0]])
    many = ShootingProblem(
        one.model, q, 0 * q, one.h, one.running, terminal_bounds=one.terminal_bounds,
        lower=-1.0, upper=1.0,
    )  # fmt: skip
    found = solve(many)
    assert found.status.tolist() == ["converged", "infeasible"]
    assert found.violation[0] is None and found.violation[1].bounds == "terminal_bounds[0]"


@pytest.mark.parametrize("mass", [1.0, 20.0, 300.0])
def test_against_a_dense_quadratic_program(mass: float) -> None:
    """A cost of states and controls with many active bounds on position, speed and force."""
    clarabel = pytest.importorskip("clarabel")
    sparse = pytest.importorskip("scipy.sparse")
    N, h, model = 40, 0.05, point(mass)
    goal = StateCost(model, [1.0], 50.0 * mass**2, 1.0 * mass**2)
    high, fast, most = 0.9, 0.7, 2.0 * mass
    problem = ShootingProblem(
        model, [0.0], [0.0], np.full(N, h), [goal, ControlCost(0.01)], [goal],
        lower=-most, upper=most,
        running_bounds=[Bounds(JointPositions(model), -1.0, high, slice(1, None)),
                        Bounds(JointVelocities(model), -fast, fast, slice(1, None))],
    )  # fmt: skip
    found = solve(problem)
    x_u = states_by_controls(N, h, 1.0)
    weight, target = np.diag([50.0, 1.0]), np.array([1.0, 0.0])
    H, g = 0.01 * h * np.eye(N), np.zeros(N)
    for k in range(1, N + 1):
        H += (h if k < N else 1.0) * x_u[k].T @ weight @ x_u[k]
        g -= (h if k < N else 1.0) * x_u[k].T @ weight @ target
    rows = np.concatenate([x_u[1:N, 0], x_u[1:N, 1], np.eye(N)])
    bound = np.r_[np.full(N - 1, high), np.full(N - 1, fast), np.full(N, 2.0)]
    low = np.r_[np.full(N - 1, 1.0), np.full(N - 1, fast), np.full(N, 2.0)]
    settings = clarabel.DefaultSettings()
    settings.verbose, settings.tol_gap_abs, settings.tol_gap_rel = False, 1e-13, 1e-13
    settings.tol_feas = 1e-13
    A, b = sparse.csc_matrix(np.concatenate([rows, -rows])), np.r_[bound, low]
    cones = [clarabel.NonnegativeConeT(len(b))]
    x = clarabel.DefaultSolver(sparse.csc_matrix(H), g, A, b, cones, settings).solve()
    y = np.array(x.z)
    active = y > 1e-6 * y.max()
    R = A.toarray()[active]
    K = np.block([[H, R.T], [R, np.zeros((len(R), len(R)))]])
    exact = np.linalg.lstsq(K, np.r_[-g, b[active]], rcond=None)[0][:N]
    assert found.status == "converged" and found.iterations == 1 and active.sum() > 10
    near(found.trajectory.u[:, 0] / mass, exact, 1e-12)


class Fuel:
    """A cost in proportion to the controls: no curvature."""

    def __init__(self, weight: float) -> None:
        self.weight = weight

    def value(self, at: Instants) -> np.ndarray:
        return np.asarray(self.weight * at.u.sum(-1))

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        gradient[..., 2 * at.qd.shape[-1] :] += self.weight


@pytest.mark.parametrize("mass", MASSES)
@pytest.mark.parametrize("seconds", [1.9, 2.5, 3.0])
def test_a_linear_program(mass: float, seconds: float) -> None:
    """Least fuel of two thrusters of a mass: no solution in 1.9 s, a degenerate one in 2.5 s, whose
    multipliers are not unique, and a vertex in 3 s; against `linprog`, for masses of any size.
    """
    optimize, N, model = pytest.importorskip("scipy.optimize"), 50, point(mass)
    problem = ShootingProblem(
        model, [0.0], [0.0], np.full(N, seconds / N), [Fuel(1 / mass)],
        actuation=[[1.0, -1.0]], lower=0.0, upper=mass,
        terminal_bounds=[Bounds(JointPositions(model), 1.0, 1.0),
                         Bounds(JointVelocities(model), 0.0, 0.0)],
    )  # fmt: skip
    found, h = solve(problem), seconds / N
    C = states_by_controls(N, h, 1.0)[N]
    best = optimize.linprog(
        np.full(2 * N, h), A_eq=np.hstack([C, -C]), b_eq=[1.0, 0.0], bounds=(0, 1)
    )
    assert best.success == (seconds > 2)
    if not best.success:
        assert found.status == "infeasible" and found.violation.certificate < 1e-6
        return
    u = found.trajectory.u / mass
    assert found.status == "converged" and found.iterations <= 5
    assert found.cost == pytest.approx(best.fun, rel=1e-8)
    assert u.min() >= 0 and u.max() <= 1
    near(C @ (u[:, 0] - u[:, 1]), [1.0, 0.0], 1e-8)
    slope = h + C.T @ np.array([y[0, 0] for y in found.multipliers])
    for values, gradient in ((u[:, 0], slope), (u[:, 1], 2 * h - slope)):
        assert (gradient[values < 1 - 1e-6] > -1e-6).all()
        assert (gradient[values > 1e-6] < 1e-6).all()


def swing(mass: float = 1.0, length: float = 1.0, time: float = 1.0, cost: float = 1.0,
          hard: bool = True) -> tuple[ShootingProblem, float]:  # fmt: skip
    """Make a problem: a cart of limited force swings its pole up, in units of mass, length, time
    and cost; return the unit of force as well.
    """
    force, Z = mass * length / time**2, np.zeros(3)
    I = [mcI(m * mass, c, 0.01 * mass * length**2 * np.eye(3))
         for m, c in ((1.0, Z), (0.2, np.array([0, 0, 0.5 * length])))]  # fmt: skip
    model = Model(parent=[-1, 0], jtype=["Py", "Rx"], Xtree=[np.eye(6)] * 2, I=I,
                  gravity=[0, 0, -9.81 * length / time**2])  # fmt: skip
    effort = ControlCost(0.02 * cost / force**2 / time)
    there = [Bounds(JointPositions(model), 0.0, 0.0), Bounds(JointVelocities(model), 0.0, 0.0)]
    wide = [Bounds(JointPositions(model), [-0.6 * length, -9.0], [0.6 * length, 9.0])]
    ends: Any = {"terminal_bounds": there} if hard else {"running_bounds": wide}
    if not hard:
        w, v = cost * np.array([1 / length**2, 1.0]), cost * np.array([1 / length**2, 1.0])
        ends["terminal"] = [StateCost(model, [0.0, 0.0], 500 * w, 50 * v * time**2)]
    problem = ShootingProblem(
        model, [0.0, np.pi], [0.0, 0.0], np.full(100, 0.03 * time), [effort],
        actuation=[[1.0], [0.0]], lower=-10 * force, upper=10 * force, **ends,
    )  # fmt: skip
    return problem, force


@pytest.mark.parametrize(
    "units",
    [
        (2.0**10, 1, 1, 1),
        (1, 2.0**-7, 1, 1),
        (1, 1, 2.0**4, 1),
        (1, 1, 1, 2.0**-20),
        (2.0**10, 2.0**-7, 2.0**4, 2.0**14),
    ],
)
def test_units_change_no_iterate_of_a_swing(units: tuple[float, ...]) -> None:
    """The same iterates in other units of mass, length, time and cost, whose powers of two and
    square roots are exact.
    """
    (one, _), (other, force) = swing(), swing(*units)
    a, b = solve(one), solve(other)
    assert a.status == b.status == "converged" and 10 < a.iterations == b.iterations <= 20
    assert [x.step for x in a.log] == [x.step for x in b.log]
    near(b.trajectory.u / force, a.trajectory.u, 1e-12)
    near([x.cost / units[3] for x in b.log], [x.cost for x in a.log], 1e-12)


@pytest.mark.parametrize("units", [(1, 1, 1, 2.0**13), (3.0, 0.7, 1.3, 5.0)])
def test_units_change_iterates_of_a_swing_by_rounding(units: tuple[float, ...]) -> None:
    """With costs of the end and a short track; a swing amplifies rounding errors."""
    (one, _), (other, force) = swing(hard=False), swing(*units, hard=False)
    a, b = solve(one), solve(other)
    assert a.status == b.status == "converged" and 10 < a.iterations == b.iterations <= 20
    near([x.step for x in b.log], [x.step for x in a.log], 1e-12)
    near(b.trajectory.u / force, a.trajectory.u, 1e-11)
    near([x.cost / units[3] for x in b.log], [x.cost for x in a.log], 1e-11)


def body(mass: float, moved: Any = None) -> ShootingProblem:
    """Make a problem: a free body goes to a pose with bounded rates, from a start that is moved."""
    I, moved = mcI(mass, [0] * 3, mass * 0.1 * np.eye(3)), np.zeros(12) if moved is None else moved
    model = Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[I], gravity=[0, 0, 0])
    goal = configurationAddition(model, neutral(model), [0.3, 0.2, 0.1, 1, 0.5, 0.2])
    q, rates = configurationAddition(model, neutral(model), moved[:6]), JointVelocities(model)
    there = [Bounds(JointPositions(model, goal), 0.0, 0.0), Bounds(rates, 0.0, 0.0)]
    return ShootingProblem(
        model, q, moved[6:], np.full(40, 0.05), [ControlCost(1.0)],
        running_bounds=[Bounds(rates, -0.6, 0.6)], terminal_bounds=there,
    )  # fmt: skip


@pytest.mark.parametrize("mass", [1.0, 60.0])
def test_a_solution_is_a_warm_start(mass: float) -> None:
    """Neighbouring problems take few iterations from a solution, whose multipliers and active
    bounds they begin with; derivatives are those of the neighbours.
    """
    found = solve(body(mass))
    assert found.status == "converged" and found.iterations <= 8
    way = np.random.default_rng(0).normal(size=12)
    for step, most in ((1e-4, 3), (1e-2, 4), (1e-1, 6)):
        again = solve(body(mass, step * way), found)
        assert again.status == "converged" and again.iterations <= most
    d, h = solution_derivatives(body(mass), found), 1e-4
    ends = [solve(body(mass, s * h * way), found, tolerance=1e-12).trajectory.u for s in (1, -1)]
    near(d.controls @ way / mass, (ends[0] - ends[1]) / (2 * h) / mass, 1e-5)


@pytest.mark.parametrize("mass", [1.0, 60.0])
def test_control_at_a_bound_is_exact_after_one_iteration(mass: float) -> None:
    """Disturbances of millimetres at each call of model predictive control."""
    problem, rng, x, errors = body(mass), np.random.default_rng(0), np.zeros(12), []
    found = solve(problem, tolerance=1e-10)
    control = ModelPredictiveControl(problem, found)
    for _ in range(8):
        x = x + 2e-3 * rng.normal(size=12)
        now = body(mass, x)
        command, best = control.step(now.q, now.qd), solve(now, found, tolerance=1e-10)
        u = best.trajectory.u
        errors.append(np.abs(command.u - u[0]).max() / np.abs(u).max())
        near(command.gains, best.gains[0], 1e-2)
    assert np.median(errors) < 3e-5


@pytest.mark.slow
@pytest.mark.parametrize(
    ("speed", "cost"), [(1.0, 0.0188958738), (3.0, 0.0188880276), (10.0, 0.0188701479)]
)
def test_an_arm_with_bounded_torques_and_speeds(speed: float, cost: float) -> None:
    """From rest to rest in 1 s, from a guess at rest, in at most 14 iterations."""
    model, most = puma560(), np.array([97.6, 186.4, 89.4, 24.2, 20.1, 21.3])
    goal, fast = np.array([0.5, -0.4, 0.3, 0.2, 0.1, 0.3]), JointVelocities(model)
    problem = ShootingProblem(
        model, np.zeros(6), np.zeros(6), np.full(50, 0.02), [ControlCost(1 / most**2)],
        lower=-most, upper=most, running_bounds=[Bounds(fast, -speed, speed)],
        terminal_bounds=[Bounds(JointPositions(model), goal, goal), Bounds(fast, 0.0, 0.0)],
    )  # fmt: skip
    found = solve(problem)
    assert found.status == "converged" and found.iterations <= 14
    assert found.cost == pytest.approx(cost, rel=1e-7)


def test_a_guess_outside_the_bounds_is_led_back() -> None:
    """If no step meets all rows, a motion within the bounds is sought first: the end of the way is
    reached in the last interval, whose speed has no bound.
    """
    model = autoTree(2)
    within = [Bounds(JointVelocities(model), -1.5, 1.5)]
    far = [Bounds(JointPositions(model), [3, 0], [3, 0])]
    problem = ShootingProblem(
        model, [0.0, 0.0], [0.0, 0.0], np.full(50, 0.02), [ControlCost(0.01)],
        running_bounds=within, terminal_bounds=far,
    )  # fmt: skip
    found = solve(problem)
    assert found.status == "converged" and np.abs(found.trajectory.qd[:-1]).max() < 1.5 + 1e-6


def test_a_maximum_under_bounds_is_left() -> None:
    """A pendulum opposite to its goal, with a bound that is not active: the motion is stationary
    and no minimum.
    """
    from spatial_v2 import Frame, xlt
    from spatial_v2.control import FramePosition, SquareCost

    model = autoTree(1).replace(gravity=[0, 0, 0])
    tip = FramePosition(model, Frame(0, xlt([1.0, 0, 0])))
    problem = ShootingProblem(
        model, [0.0], [0.0], np.full(20, 0.05), [ControlCost(1e-3)],
        [SquareCost(tip, 100.0, [-1.0, 0, 0])],
        running_bounds=[Bounds(JointVelocities(model), -5.0, 5.0)],
    )  # fmt: skip
    found = solve(problem)
    assert found.status == "converged" and found.cost < 1.0 < found.log[0].cost
    assert (solution_derivatives(problem, found).hessian > 0).all()


@pytest.mark.slow
def test_a_motion_whose_wrist_spins_is_a_minimum(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torques of a wrist with next to no inertia are next to free, so that least effort from rest
    to rest has many minima with fast wrists. The motion that is found is one of them: by dense
    linear algebra, the Hessian of the Lagrangian is positive on the active rows.
    """
    last: list[BoundedNewton] = []
    real = BoundedNewton.snapped
    monkeypatch.setattr(BoundedNewton, "snapped", lambda self: [last.append(self), real(self)][1])
    model, goal = puma560(), np.array([0.5, -0.4, 0.3, 0.2, 0.1, 0.3])
    most = np.array([97.6, 186.4, 89.4, 24.2, 20.1, 21.3])
    there = [Bounds(JointPositions(model), goal, goal), Bounds(JointVelocities(model), 0.0, 0.0)]
    problem = ShootingProblem(
        model, np.zeros(6), np.zeros(6), np.full(50, 0.02), [ControlCost(1 / most**2)],
        terminal_bounds=there,
    )  # fmt: skip
    found = solve(problem, max_iterations=300)
    assert found.status == "converged"
    assert np.abs(found.trajectory.qd).max() > 100
    newton = last[0]
    q, n = newton.quadratic(True), 12
    assert max(newton.errors(q)) < 1e-8
    S, _, z = q.F.shape
    rows = [np.eye(n, (S + 1) * z), np.eye(z - n, (S + 1) * z, S * z + n)]
    for k in range(S):
        step = np.zeros((n, (S + 1) * z))
        step[:, k * z : (k + 1) * z] = q.F[k]
        step[:, (k + 1) * z : (k + 1) * z + n] = -np.eye(n)
        rows.append(step)
    end = np.zeros((n, (S + 1) * z))
    end[:, S * z :] = q.C[S]
    assert q.limits.equations[S].all() and not newton.now.y[:S].any()
    A = np.concatenate([*rows, end]) * np.tile(q.of_z, S + 1)
    free = null_space(A / np.linalg.norm(A, axis=1, keepdims=True))
    H = block_diag(*(q.H * q.of_z[:, None] * q.of_z))
    assert np.linalg.eigvalsh(free.T @ H @ free)[0] > 1e-6
