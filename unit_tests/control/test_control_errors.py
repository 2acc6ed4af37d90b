"""Bad input of shooting problems, solvers and controllers is an error that names it, and motions
that do not stay finite end with a status and the best motion found.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from spatial_v2 import (
    ArrayShapeError,
    ModelError,
    PointConstraint,
    SpatialError,
    autoTree,
    get_workers,
)
from spatial_v2.control import (
    Bounds,
    ContactForce,
    ContactPhase,
    ControlCost,
    Controls,
    FramePlacementCost,
    FrameVelocityCost,
    Instants,
    JointPositions,
    JointVelocities,
    ModelPredictiveControl,
    ShootingProblem,
    SoftBounds,
    SquareCost,
    StateCost,
    Trajectory,
    parameter_derivatives,
    solution_derivatives,
    solve,
    transcribe,
)

MODEL, N = autoTree(2), 6
SLOW = Bounds(JointVelocities(MODEL), -9.0, 9.0)


def problem(**options: Any) -> ShootingProblem:
    given: dict[str, Any] = {
        "q": [0.0, 0.0],
        "qd": [0.0, 0.0],
        "h": np.full(N, 0.02),
        "running": [ControlCost(0.01)],
        "terminal": [StateCost(MODEL, [1.0, 0.0], 100.0, 10.0)],
    }
    return ShootingProblem(**{"model": MODEL, **given, **options})


PROBLEMS: dict[str, tuple[type[Exception], str, dict[str, Any]]] = {
    "a bound is NaN": (SpatialError, "without NaN; got nan and inf", {"lower": np.nan}),
    "complex q": (ArrayShapeError, "q must be real", {"q": [0.0, 1j]}),
    "complex actuation": (ArrayShapeError, "actuation must be real", {"actuation": 1j * np.eye(2)}),
    "q of letters": (ArrayShapeError, "q must be numbers", {"q": ["a", "b"]}),
    "one number for h": (ArrayShapeError, r"h: want shape \(N,\), .* got \(\)", {"h": 0.02}),
    "no interval": (ArrayShapeError, r"N >= 1 intervals; got \(0,\)", {"h": []}),
    "no initial state": (ArrayShapeError, "one or more problems", {"q": np.zeros((0, 2))}),
    "no control": (
        ArrayShapeError,
        "actuation: want .* got m = 0",
        {"actuation": np.zeros((2, 0))},
    ),
    "no finite control": (SpatialError, "numbers between them.*got inf and inf", {"lower": np.inf}),
    "half an interval": (
        SpatialError,
        r"phases\[0\]: steps: want a whole number, at least 1, got 6.0",
        {"phases": [ContactPhase(6.0)]},  # type: ignore[arg-type]
    ),
    "one gain": (SpatialError, r"baumgarte: want \(Kp, Kd\)", {"baumgarte": 5.0}),
    "negative gain": (
        SpatialError,
        "baumgarte: Kp must be 0 or",
        {
            "baumgarte": (-1.0, 2.0),
            "phases": [ContactPhase(N, [PointConstraint(1, [1.0, 0.0, 0.0])])],
        },
    ),
    "a quantity of nothing": (
        SpatialError,
        r"running_bounds\[0\]: want a quantity with values",
        {"running_bounds": [Bounds(ContactForce(MODEL, []), 0.0, 1.0)]},
    ),
    "controls at the end": (
        SpatialError,
        r"terminal_bounds\[0\]: want a quantity with values",
        {"terminal_bounds": [Bounds(Controls(), 0.0, 1.0)]},
    ),
    "q is too long": (ArrayShapeError, r"q: want shape \(2,\)", {"q": np.zeros(3)}),
    "qd is too short": (ArrayShapeError, r"qd: want shape \(2,\)", {"qd": np.zeros(1)}),
    "lower is too long": (ArrayShapeError, "lower: want shape", {"lower": np.zeros(3)}),
    "upper is too long": (ArrayShapeError, "upper: want shape", {"upper": np.zeros(3)}),
    "two leading axes": (ArrayShapeError, "q, qd: want at most one", {"q": np.zeros((2, 3, 2))}),
    "h is negative": (SpatialError, "h: want positive lengths", {"h": np.full(N, -0.1)}),
    "actuation is a number": (ArrayShapeError, "actuation: want shape", {"actuation": 1.0}),
    "actuation is a vector": (ArrayShapeError, "actuation: want shape", {"actuation": np.ones(2)}),
    "damping": (SpatialError, "damping: want a number, at least 0", {"damping": -1.0}),
    "one cost": (TypeError, "running: want a list", {"running": ControlCost(0.01)}),
    "one phase": (TypeError, "phases: want a list of ContactPhase", {"phases": ContactPhase(N)}),
    "no cost": (TypeError, r"terminal\[1\]: want costs", {"terminal": [ControlCost(0.0), 3]}),
    "a weight too many": (
        ArrayShapeError,
        rf"running\[0\]: want a cost for {N} intervals and 2 controls; got a ControlCost with "
        r"arrays of shapes weight \(3,\)",
        {"running": [ControlCost(np.ones(3))]},
    ),
    "rows of weights": (
        ArrayShapeError,
        r"terminal\[0\]: want a cost for the last state .*StateCost.* weight \(4, 2\)",
        {"terminal": [StateCost(MODEL, np.zeros(2), np.ones((4, 2)))]},
    ),
    "no phase": (TypeError, r"phases\[0\]: want ContactPhase, got int", {"phases": [N]}),
    "one bound": (TypeError, "running_bounds: want a list of Bounds", {"running_bounds": SLOW}),
    "no bound": (TypeError, r"terminal_bounds\[0\]: want Bounds", {"terminal_bounds": [(0, 1)]}),
}


@pytest.mark.parametrize("fault", PROBLEMS)
def test_bad_problems_are_named(fault: str) -> None:
    kind, message, options = PROBLEMS[fault]
    with pytest.raises(kind, match=message):
        problem(**options)


CALLS: dict[str, tuple[type[Exception], str, Callable[[], Any]]] = {
    "no problem": (TypeError, "want a ShootingProblem, got int", lambda: solve(3)),  # type: ignore[arg-type]
    "tolerance": (SpatialError, "tolerance: want", lambda: solve(problem(), tolerance=np.nan)),
    "iterations": (SpatialError, "max_iter", lambda: solve(problem(), max_iterations=-1)),
    "half of one": (SpatialError, "max_iter", lambda: solve(problem(), max_iterations=0.5)),  # type: ignore[arg-type]
    "time": (SpatialError, "time_limit: want", lambda: solve(problem(), time_limit=np.nan)),
    "workers": (SpatialError, "workers: want", lambda: solve(problem(), workers=0)),
    "guess": (TypeError, "guess: want", lambda: solve(problem(), np.zeros((N + 1, 2)))),  # type: ignore[arg-type]
    "complex guess": (
        ArrayShapeError,
        "guess: qd must be real",
        lambda: solve(problem(), Trajectory(np.zeros(2), np.array([1j, 0]), np.zeros(2))),
    ),
    "multipliers of other bounds": (
        SpatialError,
        r"guess: want multipliers .* got \[\(6, 2\), \(1, 2\)\]",
        lambda: solve(
            problem(running_bounds=[SLOW]),
            solve(
                problem(
                    running_bounds=[SLOW], terminal_bounds=[Bounds(JointPositions(MODEL), -9, 9)]
                )
            ),
        ),
    ),
    "no iteration": (
        SpatialError,
        "iterations: want a whole number, at least 1, got 0",
        lambda: ModelPredictiveControl(problem()).step([0.0, 0.0], [0.0, 0.0], iterations=0),
    ),
    "a controller for no problem": (
        TypeError,
        "problem: want a ShootingProblem",
        lambda: ModelPredictiveControl(None),  # type: ignore[arg-type]
    ),
    "another problem that is none": (
        TypeError,
        "problem: want a ShootingProblem",
        lambda: ModelPredictiveControl(problem()).shift(3),  # type: ignore[arg-type]
    ),
    "complex measured state": (
        ArrayShapeError,
        "q must be real",
        lambda: ModelPredictiveControl(problem()).step([0.0, 1j], [0.0, 0.0]),
    ),
    "transcription of no problem": (
        TypeError,
        "problem: want a ShootingProblem",
        lambda: transcribe(None),  # type: ignore[call-overload]
    ),
    "an origin that is no motion": (
        TypeError,
        "origin: want a Trajectory or a Solution, got str",
        lambda: transcribe(problem(), "x"),  # type: ignore[call-overload]
    ),
    "derivatives of no solution": (
        TypeError,
        "solution: want a Solution, got Trajectory",
        lambda: solution_derivatives(problem(), solve(problem()).trajectory),  # type: ignore[arg-type]
    ),
    "derivatives of a solution of another problem": (
        SpatialError,
        "solution: want a motion from the initial state",
        lambda: solution_derivatives(problem(q=[1.0, 0.0]), solve(problem())),
    ),
    "derivatives of a solution without multipliers": (
        SpatialError,
        r"solution: want multipliers of the problem's bounds, shapes \[\(6, 2\)\], got \[\]$",
        lambda: solution_derivatives(problem(running_bounds=[SLOW]), solve(problem())),
    ),
    "a number of bounds that changes": (
        SpatialError,
        "make: want problems with 0 bounds, got 1",
        lambda: parameter_derivatives(
            lambda p: problem(running_bounds=[SLOW] * bool(p[0] > 1)), [1.0], solve(problem())
        ),
    ),
    "no parameters": (
        ArrayShapeError,
        r"parameters: want shape \(k,\)",
        lambda: parameter_derivatives(lambda p: problem(), [], solve(problem())),
    ),
    "infinite scale": (
        SpatialError,
        "scale: want finite positive",
        lambda: parameter_derivatives(lambda p: problem(), [1.0], solve(problem()), [np.inf]),
    ),
    "a weight of letters": (
        ArrayShapeError,
        "weight must be numbers, got 'a'",
        lambda: ControlCost("a"),
    ),
    "weights of another model": (
        ArrayShapeError,
        r"weight: want shape \(..., 2\)",
        lambda: StateCost(MODEL, [0.0, 0.0], [1.0, 2.0, 3.0]),
    ),
    "weights of a frame": (
        ArrayShapeError,
        r"weight .*6",
        lambda: FrameVelocityCost(MODEL, 1, [1.0, 2.0]),
    ),
    "a target that is not a transform": (
        ModelError,
        r"target\[0\] is not a Pluecker transform",
        lambda: FramePlacementCost(MODEL, 1, np.ones((6, 6)), 1.0),
    ),
    "a quantity's class": (
        TypeError,
        "quantity: want an object .* got Controls itself",
        lambda: Bounds(Controls, 0.0, 1.0),  # type: ignore[arg-type]
    ),
    "no quantity": (TypeError, "quantity: want an object", lambda: SquareCost(None, 1.0)),  # type: ignore[arg-type]
    "an interval": (
        TypeError,
        r"intervals: want a slice, for instance slice\(4, 5\); got int",
        lambda: Bounds(Controls(), 0.0, 1.0, 3),  # type: ignore[arg-type]
    ),
    "bounds at one infinity": (
        SpatialError,
        "lower, upper: .* with numbers between them",
        lambda: Bounds(Controls(), np.inf, np.inf),
    ),
    "a weight of a barrier": (
        SpatialError,
        "weight: want a number",
        lambda: SoftBounds(Controls(), weight="a"),  # type: ignore[arg-type]
    ),
    "actuation of a force": (
        ArrayShapeError,
        "actuation: want 2 rows",
        lambda: ContactForce(MODEL, [], 2.0),
    ),
    "time of a call": (
        SpatialError,
        "time_limit: want",
        lambda: ModelPredictiveControl(problem()).step([0.0, 0.0], [0.0, 0.0], 1, np.nan),
    ),
}


@pytest.mark.parametrize("fault", CALLS)
def test_bad_calls_are_named(fault: str) -> None:
    kind, message, call = CALLS[fault]
    with pytest.raises(kind, match=message):
        call()


class FirstAxis:
    """A cost that takes the first axis for that of the instants."""

    def value(self, at: Instants) -> np.ndarray:
        return np.asarray(at.q[:, 0])

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        gradient[:, 0] += 1.0


def test_costs_for_one_leading_axis_alone_are_refused() -> None:
    message = rf"running\[0\]: want costs of shape \(1, {N}\), got \(1, 2\)"
    with pytest.raises(ArrayShapeError, match=message):
        problem(running=[FirstAxis()])


@pytest.mark.parametrize("method", ["newton", "ddp", "ilqr"])
def test_a_direction_that_is_not_finite_is_not_taken(method: Any) -> None:
    """Intervals so long that derivatives overflow: the best motion is that of the guess."""
    with np.errstate(all="ignore"):
        found = solve(problem(h=np.full(N, 1e150)), method=method)
    assert found.status in {"indefinite", "no_descent"}
    assert np.isfinite(found.cost) and all(np.isfinite(x).all() for x in found.trajectory)


def test_a_controller_keeps_a_finite_motion() -> None:
    control = ModelPredictiveControl(problem(h=np.full(N, 1e150)), line_search=False)
    with np.errstate(all="ignore"):
        command = control.step([0.0, 0.0], [0.0, 0.0])
    assert command.step == 0.0
    assert all(np.isfinite(x).all() for x in control.trajectory)


@pytest.mark.parametrize("line_search", [True, False])
def test_motions_of_a_controller_belong_to_the_caller(line_search: bool) -> None:
    """Later calls do not change a motion, and changes of a motion do not reach the controller."""
    control = ModelPredictiveControl(problem(), line_search=line_search)
    before = control.trajectory
    control.step([0.1, 0.1], [0.0, 0.0])
    assert not before.q.any() and not before.qd.any()
    after = control.trajectory
    kept = [x.copy() for x in after]
    control.step([0.3, 0.2], [1.0, 0.0])
    for x, y in zip(after, kept, strict=True):
        np.testing.assert_array_equal(x, y)
    control.trajectory.u[:] = np.nan
    assert np.isfinite(control.step([0.3, 0.2], [1.0, 0.0]).u).all()


def test_a_state_that_is_refused_changes_nothing() -> None:
    control = ModelPredictiveControl(problem())
    before = control.trajectory
    with pytest.raises(SpatialError, match="qd: want finite"):
        control.step([0.3, 0.2], [np.nan, 0.0])
    np.testing.assert_array_equal(control.trajectory.q, before.q)


def test_costs_and_bounds_own_their_arrays() -> None:
    """Later changes of the caller's arrays have no effect, as for `StateCost`."""
    x, six, S = np.zeros(2), np.zeros(6), np.eye(2)
    square = SquareCost(Controls(), x, x)
    cost, bounds, soft = ControlCost(x, x), Bounds(Controls(), x), SoftBounds(Controls(), x)
    origin, velocity = JointPositions(MODEL, x), FrameVelocityCost(MODEL, 1, six, six)
    force = ContactForce(MODEL, [], S, np.zeros((1, 0)))
    x[:], six[:], S[:] = 5.0, 5.0, 5.0
    kept = [cost.weight, cost.u, square.weight, square.target, bounds.lower, soft.lower]
    kept += [origin.origin, velocity.weight, velocity.velocity]
    assert not any(y.any() for y in kept)
    np.testing.assert_array_equal(force.S, np.eye(2))


def test_workers_share_the_instants() -> None:
    seen = set()

    class Observed(ControlCost):
        def value(self, at: Any) -> np.ndarray:
            seen.add(get_workers())
            return super().value(at)

    start = np.linspace(-0.5, 0.5, 9)[:, None] * [1.0, 1.0]
    many = problem(q=start, qd=0 * start, running=[Observed(0.01)])
    seen.clear()
    one, two = solve(many), solve(many, workers=2)
    assert seen == {1, 2} and get_workers() == 1
    for x, y in zip(one.trajectory, two.trajectory, strict=True):
        np.testing.assert_array_equal(x, y)


@pytest.mark.parametrize("impact", [False, True])
def test_dependent_rows_of_a_phase_are_named(impact: bool) -> None:
    """Four points of one foot, in the second phase, are the reason that is given, not the guess."""
    model = autoTree(4).replace(jtype=["Fb", "Ry", "Rx", "Ry"])
    q, qd = np.r_[1.0, np.zeros(9)], np.zeros(9)
    feet = [PointConstraint(3, [x, y, -0.1]) for x in (-0.1, 0.1) for y in (-0.05, 0.05)]
    phases = [ContactPhase(2, []), ContactPhase(N - 2, feet, impact=impact)]
    costs = {"running": [ControlCost(1e-2)], "terminal": [StateCost(model, q, 10.0, 1.0)]}
    given = ShootingProblem(model, q, qd, np.full(N, 0.01), phases=phases, **costs)
    named = r"phases\[1\]: constraints: their 12 rows have rank 6 only: rows of constraints\[0\]"
    with pytest.raises(SpatialError, match=named):
        solve(given)


class NotFinite(ControlCost):
    """A cost that is NaN, or has an infinite derivative, in interval 3."""

    def __init__(self, value: float, slope: float) -> None:
        super().__init__(0.01)
        self.wrong = value, slope

    def value(self, at: Instants) -> np.ndarray:
        x = np.array(super().value(at))
        if x.shape[-1:] == (N,):
            x[..., 3] += self.wrong[0]
        return x

    def add_derivatives(
        self, at: Instants, gradient: np.ndarray, hessian: np.ndarray, exact: bool
    ) -> None:
        super().add_derivatives(at, gradient, hessian, exact)
        gradient[..., 3, 4] += self.wrong[1]


@pytest.mark.parametrize("bounds", [[], [SLOW]])
def test_costs_that_are_not_finite_are_named(bounds: list[Bounds]) -> None:
    """The message names the cost and the instant."""
    for cost, message in (
        (NotFinite(np.nan, 0.0), r"guess: .* got nan from running\[1\] at instant 3"),
        (NotFinite(0.0, np.inf), r"running\[1\]: .* derivatives .* got inf at instant 3"),
    ):
        wrong = problem(running=[ControlCost(0.1), cost], running_bounds=bounds)
        with pytest.raises(SpatialError, match=message):
            solve(wrong)
    wrong = problem(running=[NotFinite(np.nan, 0.0)], running_bounds=bounds)
    with pytest.raises(SpatialError, match=r"q, qd: .* got nan from running\[0\] at instant 3"):
        ModelPredictiveControl(wrong).step([0.0, 0.0], [0.0, 0.0])


class Far(JointVelocities):
    """A quantity that is infinite in interval 2."""

    def value(self, at: Instants) -> np.ndarray:
        x = np.array(at.qd)
        x[..., 2, 1] = np.inf
        return x


def test_bounded_quantities_and_ends_that_are_not_finite_are_named() -> None:
    with pytest.raises(SpatialError, match=r"got inf from running_bounds\[0\] at instant 2"):
        solve(problem(running_bounds=[Bounds(Far(MODEL), -1.0, 1.0)]))
    with (
        np.errstate(all="ignore"),
        pytest.raises(SpatialError, match="the end of the interval at instant 0"),
    ):
        solve(problem(h=np.full(N, 1e200), q=[0.0, 1.0], qd=[1.0, 1.0]))


def test_bounds_that_cross_are_named_by_their_indices() -> None:
    low = np.zeros((N, 2))
    low[4, 1] = 3.0
    with pytest.raises(SpatialError, match=r"bounds on the controls .* got 3 and 1 at \[4, 1\]"):
        problem(lower=low, upper=1.0)
    for kind in (Bounds, SoftBounds):
        with pytest.raises(SpatialError, match=r"got 2 and 1 at \[1\]"):
            kind(JointVelocities(MODEL), [0.0, 2.0], 1.0)


@pytest.mark.parametrize("method", ["newton", "ddp", "ilqr"])
def test_a_time_limit_gives_the_best_motion_with_its_violation(method: Any) -> None:
    """The motion that is left, at the time limit of none, is the guess."""
    there = [Bounds(JointPositions(MODEL), [0.2, 0.0], [0.2, 0.0])]
    found = solve(problem(terminal_bounds=there), method=method, time_limit=0.0)
    assert found.status == "time_limit" and found.iterations == 0
    assert found.log[-1].violation == pytest.approx(0.2) and found.cost == found.log[-1].cost
    assert not found.trajectory.q.any()
    assert found.violation[:3] == ("terminal_bounds[0]", 0, N)
    assert found.violation.off == pytest.approx(-0.2) and np.isnan(found.violation.certificate)
