"""A joint-space inertia matrix that is singular in a configuration is an error or a warning.

The matrix is singular where a joint moves nothing that the joints beyond it do not move: three
hinges of one ball at gimbal lock. A pivot that is a rounding error of the inertia that its joint
carries decides, in kernels and reference implementations and in any system of units.
"""

import warnings
from typing import Any

import numpy as np
import pytest
from helpers import for_each, near
from numpy.testing import assert_array_equal
from public_functions import Function, arguments, functions, functions_of_state, suits
from units import Units

import spatial_v2 as sv
from derivatives import AZA, FD_derivatives, modFD_derivatives
from spatial_v2.control import ControlCost, ShootingProblem, StateCost, solve
from spatial_v2.dynamics.pivots import regular
from spatial_v2.dynamics.singular_joints import _anywhere

SHARE = 2.0**-46
"""Share of the inertia carried at which a pivot is a rounding error."""
LOCKED = np.array([0.3, np.pi / 2, 0.1])
SAID = r"inertia matrix is singular.*: joint 0 \('Rx'\) of body 0 \('body0'\) has no inertia"


def ball(mass: float = 1.0) -> sv.Model:
    """Make three hinges of one ball."""
    none = np.zeros((6, 6))
    I = [none, none, sv.mcI(mass, [0, 0, 0], mass * np.eye(3))]
    return sv.Model(parent=[-1, 0, 1], jtype=["Rx", "Ry", "Rz"], Xtree=[np.eye(6)] * 3, I=I)


def off(share: float) -> np.ndarray:
    """Return the configuration of `ball` whose first pivot is `share` times the inertia carried,
    ``1.5 m``; the pivot is ``m cos(q1)^2``.
    """
    return LOCKED - [0, np.sqrt(1.5 * share), 0]


def needle(share: float) -> sv.Model:
    """Return a rod that turns about its own axis on a swinging arm, and a slider beside them; the
    rod's inertia about the axis is `share` times the inertia carried, its second moment.
    """
    rod = sv.mcI(1.0, [0, 0, 0.5], np.diag([1 / 12, 1 / 12, 0.0]))
    rod[2, 2] = share / (3 - 1.5 * share)
    I = [sv.mcI(2.0, [0, 0, 0.5], np.eye(3)), rod, sv.mcI(1.0, [0, 0, 0], np.eye(3))]
    X = [sv.plux(sv.rq([0.5, 0.5, 0.3, 0.6]), x) for x in ([0, 0, 0], [0.2, 0.1, 1.0], [0, 0, 0])]
    return sv.Model(parent=[-1, 0, -1], jtype=["Ry", "Rz", "Px"], Xtree=X, I=I)


def elbow() -> tuple[sv.Model, np.ndarray]:
    """Make two hinges with a point mass at the end, and stretch them out."""
    point = sv.mcI(2.0, [1.0, 0, 0], np.zeros((3, 3)))
    X = [np.eye(6), sv.xlt([1.0, 0, 0])]
    model = sv.Model(parent=[-1, 0], jtype=["Rz", "Rz"], Xtree=X, I=[np.zeros((6, 6)), point])
    return model, np.array([0.3, 0.0])


ALL = {
    name: (f, names)
    for name, f, names in functions_of_state()
    if suits(f, ball())
    and "q" in names
    and not f.__module__.startswith(
        (*(f"derivatives.{x}" for x in ("KKT", "Impact", "modKKT")), "spatial_v2.constraints")
    )
}
DIVIDE = [
    x for x in functions() if x.has_page and x.function.work.singular and suits(x.function, ball())
]  # type: ignore[attr-defined]
"""Functions that divide by the pivots, with each of their options."""
FORMS = ("kernel", "reference")


def call(f: Function, form: str, model: sv.Model, given: dict[str, Any]) -> list[Any]:
    return f(model, given, reference=form == "reference")


@for_each([(f, form) for f in DIVIDE for form in FORMS])
def test_one_singular_state_is_an_error(f: Function, form: str) -> None:
    """The message names joint and body, at every call."""
    given = arguments(ball(), f.parameters, np.random.default_rng(0)) | {"q": LOCKED}
    for _ in range(2):
        with pytest.raises(sv.SpatialError, match=SAID):
            call(f, form, ball(), given)


@for_each([(f, form) for f in DIVIDE for form in FORMS])
def test_singular_states_of_a_batch_are_nan_with_a_warning(f: Function, form: str) -> None:
    """The warning names them; the other states have the results of a batch without them."""
    model = ball()
    given = arguments(model, f.parameters, np.random.default_rng(0), (2, 5))
    without = call(f, form, model, given)
    given["q"][1, 2:4] = LOCKED
    with pytest.warns(sv.SingularWarning, match=r"in 2 of 10 states, \(1, 2\), \(1, 3\): joint 0"):
        found = call(f, form, model, given)
    for x, y in zip(found, without, strict=True):
        assert np.isnan(x[1, 2:4]).any()
        x[1, 2:4] = y[1, 2:4]
        near(x, y, 1e-12)


@for_each([(name, form) for name in ALL for form in FORMS])
def test_every_function_is_smooth_or_refuses(name: str, form: str) -> None:
    """Results at a singular configuration are an error, or near those beside it.

    So no function divides by a pivot without a look at it.
    """
    function, names = ALL[name]
    if form == "reference":
        function = getattr(function, "reference", function)
    model, step = ball(), 1e-7 * np.array([1.0, -2.0, 3.0])
    given = arguments(model, names, np.random.default_rng(0))
    try:
        found = function(model, **given | {"q": LOCKED})
    except sv.SpatialError as error:
        assert "singular" in str(error)
        return
    beside = function(model, **given | {"q": LOCKED + step})
    for x, y in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, beside)), strict=True):
        if isinstance(x, np.ndarray) and x.dtype == float:
            near(x, y, 1e-4)


INVERSE = ("KKT_ID", "actuation_forces", "constraint_", "position_error", "project_configuration")
"""Beginnings of names of functions with constraints that do not solve for accelerations."""
CONSTRAINED = [
    f
    for f in functions()
    if "constraints" in f.parameters
    and not f.name.startswith(INVERSE)
    and f.options.get("rank") != "nan"
]
"""Functions that solve equations of motion under constraints, with each of their options."""


@for_each([(f, form, held) for f in DIVIDE + CONSTRAINED for form in FORMS for held in (0, 1)])
def test_missing_inertia_is_judged_alike_with_constraints_and_without(
    f: Function, form: str, held: int
) -> None:
    """A rod about its own axis: a third of the threshold is refused, three times it is not, by
    every function, whether or not constraints act on other bodies.
    """
    if (held and f in DIVIDE) or (form == "reference" and not f.has_page):
        return
    enough, little = needle(3 * SHARE), needle(SHARE / 3)
    names = [x for x in f.parameters if x not in ("actuation", "reduce")]
    given = arguments(enough, names, np.random.default_rng(2))
    given["constraints"] = [sv.PointConstraint(2, directions=[[1.0, 0.0, 0.0]])][:held]
    if "nu" in given:
        given["nu"] = np.ones(held)
    for x in call(f, form, enough, given):
        assert x is None or np.isfinite(x).all()
    with pytest.raises(sv.SpatialError, match="joint 1 .*no inertia|no inertia along joint 1"):
        call(f, form, little, given)


SYSTEMS = [Units(), Units(1e3, 1e3, 1e3), Units(2.0**-10, 2.0**-30), Units(1e-4, 1e6, 1e-3)]


@for_each([(units, form) for units in SYSTEMS for form in FORMS])
def test_the_share_of_the_inertia_decides_in_any_units(units: Units, form: str) -> None:
    """A pivot of a third of the threshold is lost, one of three times the threshold is not."""
    model, one = units.model(ball()), np.ones(3) * units.factor("E")
    for function, more in ((sv.FDab, (0 * one, one)), (sv.Hinverse, ()), (AZA, (one,))):
        run = function if form == "kernel" else function.reference
        run(model, off(3 * SHARE), *more)
        with pytest.raises(sv.SpatialError, match=SAID):
            run(model, off(SHARE / 3), *more)
        states = np.array([off(3 * SHARE), off(SHARE / 3)])
        with pytest.warns(sv.SingularWarning, match=r"1 of 2 states, \(1,\)"):
            found = run(model, states, *(np.tile(x, (2, 1)) for x in more))
        assert np.isfinite(found[0]).all()
        assert np.isnan(found[1]).all()


def test_complex_steps_and_other_arrays_decide_alike() -> None:
    """Complex configurations are refused as real ones; their real parts decide."""
    z, tau = np.zeros(3), np.array([1.0, 0, -1])
    with pytest.raises(sv.SpatialError, match=SAID):
        sv.FDab(ball(), LOCKED + 1e-20j, z, tau)
    assert np.isfinite(sv.FDab(ball(), off(3 * SHARE) + 1e-20j, z, tau)).all()


@for_each([(form, kind) for form in FORMS for kind in ("elbow", "four hinges", "rail", "floating")])
def test_other_singular_robots(form: str, kind: str) -> None:
    """A stretched elbow with a point mass; a fourth hinge of a wrist; parallel rails; a wrist on a
    floating base that is far from the origin.
    """
    none, body = np.zeros((6, 6)), sv.mcI(1.0, [0.1, 0.2, 0.3], np.diag([1.0, 1.2, 1.4]))
    model, q = elbow()
    if kind == "four hinges":
        joints, q = ["Rx", "Ry", "Rz", "Rx"], np.array([0.3, 0.5, 0.7, 0.9])
        X = [np.eye(6)] * 4
        model = sv.Model(parent=[-1, 0, 1, 2], jtype=joints, Xtree=X, I=[none, none, none, body])
    elif kind == "rail":
        X = [np.eye(6)] * 2
        model, q = sv.Model(parent=[-1, 0], jtype=["Px", "Px"], Xtree=X, I=[none, body]), np.ones(2)
    elif kind == "floating":
        model = sv.Model(
            parent=[-1, 0, 1, 2],
            jtype=["Fb", "Rx", "Ry", "Rz"],
            Xtree=[np.eye(6), sv.xlt([0.2, 0.3, 0.1]), np.eye(6), np.eye(6)],
            I=[body, none, none, body],
        )
        q = np.concatenate([[0.5, 0.5, -0.5, 0.5, 1e3, 2e3, -3e3], LOCKED])
    run = sv.FDab if form == "kernel" else sv.FDab.reference
    rng = np.random.default_rng(1)
    with pytest.raises(sv.SpatialError, match=r"no inertia|is singular"):
        run(model, q, rng.normal(size=model.NV), rng.normal(size=model.NV))


@for_each(FORMS)
def test_armature_makes_a_singular_inertia_regular(form: str) -> None:
    """The drives of the hinges move with them, so each hinge has an inertia of its own."""
    model = ball().replace(armature=[0.1, 0.2, 0.3])
    tau = np.array([1.0, 2.0, -1.0])
    qdd = (sv.FDab if form == "kernel" else sv.FDab.reference)(model, LOCKED, np.zeros(3), tau)
    near(sv.ID(model, LOCKED, np.zeros(3), qdd), tau, 1e-12)


def test_hybrid_dynamics_refuses_what_is_singular_among_free_joints() -> None:
    """With one of the three hinges driven by its acceleration, the others have a solution."""
    z, one = np.zeros(3), np.ones(3)
    with pytest.raises(sv.SpatialError, match=f"^HD: .*{SAID}"):
        sv.HD(ball(), [True, True, True], LOCKED, z, z, one)
    qdd, tau = sv.HD(ball(), [True, True, False], LOCKED, z, z, one)
    near(sv.CRBA(ball(), LOCKED) @ qdd, tau, 1e-12)


@for_each(FORMS)
def test_overflow_is_no_singular_inertia(form: str) -> None:
    """Velocities that overflow give results that are not finite, without an error or a warning,
    also where the pivots have few digits.
    """
    run = sv.FDab if form == "kernel" else sv.FDab.reference
    fast = np.full(3, 1e200)
    with np.errstate(all="ignore"):
        for q in (LOCKED - 0.3, off(20 * SHARE)):
            assert not np.isfinite(run(ball(), q, fast, fast)).all()
            assert not np.isfinite(run(ball(), np.tile(q, (3, 1)), fast, fast)).all()
        with pytest.raises(sv.SpatialError, match=SAID):
            run(ball(), off(0.7 * SHARE), np.zeros(3), np.zeros(3))


@for_each([(form, size) for form in FORMS for size in (1e-4, 1.0, 1e4)])
def test_a_state_far_beyond_the_robot_has_diverged(form: str, size: float) -> None:
    """A slide that is 10^6 times as long as the robot gives NaN; one of 10^5.5 times is explained.

    The second moment of mass decides: lengths squared.
    """
    none, tip = np.zeros((6, 6)), sv.mcI(1.0, [size, 0, 0], 0.4 * size**2 * np.eye(3))
    X = [np.eye(6)] * 4
    model = sv.Model(
        parent=[-1, 0, 1, 2], jtype=["Rx", "Ry", "Rz", "Px"], Xtree=X, I=[none] * 3 + [tip]
    )
    run = sv.FDab if form == "kernel" else sv.FDab.reference
    z = np.zeros(4)
    usual = 1 + (1 + _anywhere(model)[3] / size) ** 2
    for growth, told in ((0.3, True), (3.0, False)):
        q = np.append(LOCKED, size * np.sqrt(growth * 1e12 * usual))
        if told:
            with pytest.raises(sv.SpatialError, match=SAID):
                run(model, q, z, z)
        else:
            assert np.isnan(run(model, q, z, z)).any()


def test_a_diverging_rollout_goes_on() -> None:
    """The states of a batch diverge one after the other, without an error."""
    model = sv.autoTree(9).replace(jtype=[*["Rz", "Rx"] * 3, "Rz", "Px", "Py"])
    tau = np.random.default_rng(0).normal(size=(64, 9)) * 20
    q = qd = np.zeros((64, 9))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", sv.SingularWarning)
        for _ in range(100):
            qd = qd + 0.3 * sv.FDab(model, q, qd, tau)
            q = q + 0.3 * qd
    assert not np.isfinite(q).all()


@for_each([sv.FDab, FD_derivatives, modFD_derivatives])
def test_a_state_that_is_not_finite_leaves_others_and_arrays_alone(function: Any) -> None:
    """One NaN among many states costs no second computation: results are those in `out`."""
    model, rng = sv.autoTree(6), np.random.default_rng(0)
    x = list(rng.normal(size=(4 if function is modFD_derivatives else 3, 40, 6)))
    good = function(model, *x)
    x[1][7, 2] = np.nan
    found = function(model, *x)
    assert np.isnan((found if function is sv.FDab else found[0])[7]).any()
    outs = tuple(np.empty_like(y) for y in (good if isinstance(good, tuple) else (good,)))
    function(model, *x, out=outs if len(outs) > 1 else outs[0])
    for y, z, out in zip(
        *(x if isinstance(x, tuple) else (x,) for x in (good, found)), outs, strict=True
    ):
        assert_array_equal(out, z)
        assert_array_equal(np.delete(z, 7, 0), np.delete(y, 7, 0))


def test_symbols_are_not_compared() -> None:
    """Numbers with other digits than doubles stay as they are."""
    D = np.array([[0.0]], dtype=object)
    assert regular(D, 1.0) is D


@for_each([(planar, form) for planar in (False, True) for form in FORMS])
def test_the_inertia_carried_is_that_of_all_bodies_beyond(planar: bool, form: str) -> None:
    """Two hinges about one axis: the second takes up the motion of its body, so that the first has
    the inertia of a light body alone.

    The other body is far away, so that the light one, with three times the threshold or a third of
    it, counts or does not.
    """
    for factor in (3.0, 1 / 3):
        light = 1.25e4 * SHARE * factor
        still = (
            np.diag([light, 0, 0]) if planar else np.diag([light / 2, light / 2, light, 0, 0, 0])
        )
        far = (
            sv.mcI(1.0, [50.0, 100.0], 0.4) if planar else sv.mcI(1.0, [50, 0, 0], 0.4 * np.eye(3))
        )
        X = [np.eye(3)] * 2 if planar else [np.eye(6), sv.xlt([0, 0, 100.0])]
        hinges = ["r", "r"] if planar else ["Rz", "Rz"]
        model = sv.Model(parent=[-1, 0], jtype=hinges, Xtree=X, I=[still, far])
        run = sv.Hinverse if form == "kernel" else sv.Hinverse.reference
        if factor > 1:
            assert np.isfinite(run(model, np.array([0.3, 0.4]))).all()
        else:
            with pytest.raises(sv.SpatialError, match="along joint 0"):
                run(model, np.array([0.3, 0.4]))


@pytest.mark.parametrize("method", ["newton", "ddp", "ilqr"])
def test_optimal_control_names_the_joint_of_a_singular_guess(method: str) -> None:
    """A motion that begins where a joint has no inertia is refused; one that ends there is not."""
    cost: Any = {"running": [ControlCost(0.01)], "terminal": [StateCost(ball(), LOCKED, 1.0, 1.0)]}
    steps = np.full(5, 0.02)
    problem = ShootingProblem(ball(), LOCKED, np.zeros(3), steps, **cost)
    with (
        pytest.warns(sv.SingularWarning, match=SAID),
        pytest.raises(sv.SpatialError, match="guess: want a motion with finite cost"),
    ):
        solve(problem, method=method)
    passing = ShootingProblem(ball(), LOCKED - [0, 0.5, 0], np.zeros(3), steps, **cost)
    assert solve(passing, method=method).status == "converged"
