"""Constraints of light bodies, nearly parallel rows, little damping, and any units: thresholds are
relative, and every function decides alike.
"""

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from constraint_samples import TWO_FORMS, P
from helpers import near
from units import Units

import spatial_v2 as sv
from derivatives import KKT_FO_derivatives, KKT_SO_derivatives
from spatial_v2.calls.records import new_results
from spatial_v2.constraints.compiled_rows import CompiledSet
from spatial_v2.constraints.kernels import equations_record
from spatial_v2.engine.parts.outcomes import DEPENDENT, NOTABLE, SOLVED, report_length
from spatial_v2.models import autoTree

UNITS = [Units(1e3, 1e3, 1.0), Units(1e-3, 1e-3, 1.0), Units(1e3, 1e-9, 1e3), Units(1e-3, 1e9, 1.0)]


def light(mass: float) -> tuple[sv.Model, np.ndarray, np.ndarray, np.ndarray]:
    """Return an arm of four joints, the last two bodies of which have the given mass, and a state
    of it.
    """
    rng = np.random.default_rng(4)
    X = [sv.plux(sv.rq(rng.normal(size=4)), rng.normal(size=3)) for _ in range(4)]
    I = [sv.mcI(m, [0.1, 0.2, 0.3], m * np.diag([0.2, 0.3, 0.25])) for m in (1, 1, mass, mass)]
    arm = sv.Model(parent=[-1, 0, 1, 2], jtype=["Rx", "Ry", "Rz", "Rx"], Xtree=X, I=I)
    q, qd, tau = rng.normal(size=(3, 4))
    return arm, q, qd, tau


@TWO_FORMS
@pytest.mark.parametrize("rows", [2, 3])
@pytest.mark.parametrize("digits", [0, 6, 9, 11, 12, 15, 18, 24])
def test_light_bodies_obey_the_equations(form: Callable[..., Any], rows: int, digits: int) -> None:
    """Constraints that determine the motion of light bodies give the solution of the whole KKT
    matrix, without a warning, also with forces at the light joints.
    """
    arm, q, qd, tau = light(10.0**-digits)
    held = [P(3, [0.3, 0.4, 0.5], directions=np.eye(3)[:rows])]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        qdd, lambda_ = form(arm, q, qd, tau, held)
    G, gamma = sv.constraint_jacobian(arm, q, held), sv.constraint_bias(arm, q, qd, held)
    H, C = sv.HandC(arm, q, qd)
    K = np.block([[H, -G.T], [G, np.zeros((rows, rows))]])
    exact = np.linalg.solve(K, np.r_[tau - C, -gamma])
    near(qdd, exact[:4], 1e-12)
    near(lambda_, exact[4:], 1e-11)


def test_velocities_of_light_bodies_are_projected() -> None:
    """A projection leaves no constraint velocity, however light the bodies."""
    for mass in 10.0 ** -np.arange(0, 20, 3.0):
        arm, q, qd, _ = light(mass)
        held = [P(3, [0.3, 0.4, 0.5])]
        found = sv.project_velocity(arm, q, np.stack([qd, -2 * qd]), held)
        near(sv.constraint_velocity(arm, q, found, held), np.zeros((2, 3)), 1e-13)


@TWO_FORMS
@pytest.mark.parametrize("digits", [6, 9, 12, 14])
def test_coaxial_joints_with_a_light_body_between(form: Callable[..., Any], digits: int) -> None:
    """The inertia matrix has pivots as small as the light body, but the constraint determines its
    motion.
    """
    I = [sv.mcI(m, [0.1, 0, 0], m * np.eye(3)) for m in (10.0**-digits, 1.0)]
    pair = sv.Model(
        parent=[-1, 0], jtype=["Rz", "Rz"], Xtree=[np.eye(6)] * 2, I=I, gravity=[0, -9, 0]
    )
    held = [P(0, [0.3, 0.1, 0.0], directions=[[0.6, 0.8, 0.0]])]
    q, qd, tau = np.array([[0.3, -0.4], [0.5, 0.7], [0.2, 0.1]])
    found = form(pair, q, qd, tau, held)
    H, C = sv.HandC(pair, q, qd)
    G, gamma = sv.constraint_jacobian(pair, q, held), sv.constraint_bias(pair, q, qd, held)
    exact = np.linalg.solve(np.block([[H, -G.T], [G, 0 * G[:, :1]]]), np.r_[tau - C, -gamma])
    near(np.concatenate(found), exact, 1e-12)


def carriage(sine: float) -> tuple[sv.Model, list[Any]]:
    """Return a pendulum on a carriage, with two rails whose directions differ by an angle."""
    Z = np.zeros((3, 3))
    I = [sv.mcI(0, [0, 0, 0], Z), sv.mcI(1, [0, 0, 0], Z), sv.mcI(1, [-1, 0, 0], Z)]
    swing = sv.Model(
        parent=[-1, 0, 1], jtype=["Px", "Py", "Rz"], Xtree=[np.eye(6)] * 3, I=I, gravity=[-10, 0, 0]
    )
    return swing, [P(1, directions=[[1, 0, 0]]), P(1, directions=[[1, sine, 0]])]


@pytest.mark.parametrize("batched", [False, True])
def test_damping_of_dependent_rows_has_the_shortest_multipliers(batched: bool) -> None:
    """The less the damping, the nearer are the multipliers to those of least norm."""
    model, rng = autoTree(3).replace(jtype=["Fb", "Rx", "Ry"]), np.random.default_rng(0)
    q, tau, rest = sv.random_configuration(model, rng), rng.normal(size=8), np.zeros(8)
    if batched:
        q, tau = np.stack([q] * 3), np.stack([tau] * 3)
    stool = [P(2, x) for x in np.eye(3)]
    exact = sv.KKT_FD(model, q, rest, tau, stool, rank="minimum_norm").lambda_
    size = np.abs(exact).max()
    for mu in (1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-16):
        for form in (sv.KKT_FD, sv.KKT_FD.reference):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", sv.RankWarning)
                found = form(model, q, rest, tau, stool, damping=mu).lambda_
            assert np.abs(found - exact).max() < (30 * mu + 1e-13) * size
    with pytest.warns(sv.RankWarning, match="damping: rows are linearly dependent"):
        sv.KKT_FD(model, q, rest, tau, stool, damping=1e-13)


@pytest.mark.parametrize("units", UNITS, ids=str)
def test_ranks_do_not_depend_on_units(units: Units) -> None:
    """On both sides of all thresholds, decisions about rows are the same in all units; rows of
    angular and of linear velocities as well.
    """
    arm = autoTree(3)
    other, bends = units.model(arm), 10.0 ** -np.linspace(0.5, 11.5, 45)[:, None] * [0, 1, -1 / 3]
    seen: set[int] = set()
    for T in (np.eye(2), np.array([[0.8, 0.6], [-0.6, 0.8]])):
        lines = np.pad(T, ((0, 0), (0, 1)))
        reports = [
            sv.ConstraintSet(m, [P(2, [size, 0, 0], directions=lines)])
            .rows_at_rest(m, bends)
            .kkt(sv.CRBA(m, bends), rank="nan")
            .report
            for m, size in ((arm, 1.0), (other, units.length))
        ]
        np.testing.assert_array_equal(reports[0].status, reports[1].status)
        near(reports[0].pivots, reports[1].pivots, 1e-13)
        seen |= set(reports[0].status.tolist())
    assert seen == {SOLVED, NOTABLE, DEPENDENT}
    face, q = [sv.surface_contact(2)], np.array([0.1, 0.7, -0.4])
    both = [
        sv.ConstraintSet(m, face).rows_at_rest(m, q).kkt(sv.CRBA(m, q), rank="nan").report
        for m in (arm, other)
    ]
    near(both[0].pivots, both[1].pivots, 1e-13)
    near(both[0].sizes, both[1].sizes, 1e-13)


@TWO_FORMS
def test_rows_are_judged_by_the_sine_of_their_angle(form: Callable[..., Any]) -> None:
    """Just below a threshold rows are refused, or warned of; just above they are not."""
    rest, tau = np.zeros(3), np.array([1.0, 2.0, 0.0])
    for limit, above in ((1e-10, sv.RankWarning), (1e-6, None)):
        for factor in (0.5, 2.0):
            model, rails = carriage(np.sqrt(limit * factor))
            with warnings.catch_warnings(record=True) as told:
                warnings.simplefilter("always")
                if limit == 1e-10 and factor < 1:
                    with pytest.raises(sv.SpatialError, match="rank 1 only"):
                        form(model, rest, rest, tau, rails)
                    continue
                form(model, rest, rest, tau, rails)
            wanted = [sv.RankWarning] if factor < 1 or above else []
            assert [x.category for x in told] == wanted


def test_derivatives_of_light_bodies_are_those_of_the_equations() -> None:
    """Derivatives of an arm with light bodies agree with complex steps, in batches, too."""
    arm, q, qd, tau = light(1e-13)
    held = [P(3, [0.3, 0.4, 0.5], directions=np.eye(3)[:2])]
    d = KKT_FO_derivatives(arm, q, qd, tau, held)
    step = 1e-20j * np.eye(4)
    by_qd = sv.KKT_FD(arm, q, qd + step, tau, held).qdd.imag.T / 1e-20
    near(d.dqdd_dqd, by_qd, 1e-9)
    many = KKT_FO_derivatives(arm, np.stack([q] * 3), qd, tau, held)
    near(many.dqdd_dq[1], d.dqdd_dq, 1e-9)


def hinges(inertia: float) -> tuple[sv.Model, list[Any]]:
    """Return two coaxial hinges, the first with a body of little inertia, and a slider that is
    held.
    """
    Z = np.zeros(3)
    I = [sv.mcI(0, Z, inertia * np.eye(3)), sv.mcI(1, Z, np.eye(3)), sv.mcI(1, Z, np.eye(3))]
    model = sv.Model(parent=[-1, 0, -1], jtype=["Rz", "Rz", "Px"], Xtree=[np.eye(6)] * 3, I=I)
    return model, [P(2, directions=[[1, 0, 0]])]


@TWO_FORMS
def test_bodies_that_are_too_light_to_move_are_refused(form: Callable[..., Any]) -> None:
    """A pivot of 2^-46 of the inertia carried is a rounding error; one just above is not."""
    z = np.zeros(3)
    for inertia, solved in ((3 * 1.5 * 2.0**-46, True), (1.5 / 3 * 2.0**-46, False)):
        model, held = hinges(inertia)
        if solved:
            assert np.isfinite(form(model, z, z, z, held).qdd).all()
        else:
            with pytest.raises(sv.SpatialError, match="joint 0 .* of body 0 .* has no inertia"):
                form(model, z, z, z, held)


def test_kernels_leave_states_beyond_their_limits() -> None:
    """The kernel for SIMD batches leaves states with inertias of very different sizes, with nearly
    singular inertia matrices, or with nearly dependent rows, to the elimination of variables.
    """
    Z = np.zeros(3)

    def is_left(model: sv.Model, held: list[Any], damping: float = 0.0) -> bool:
        q, constraints = np.zeros((1, model.NV)), sv.ConstraintSet(model, held)
        rows = CompiledSet(constraints, True).rows_at_rest(model, q)._rows
        record, m = equations_record(model, damping), constraints.m
        given = [sv.CRBA(model, q), rows.G, rows.sizes, rows.least_pivots]
        given += [np.zeros((1, model.NV, 1)), np.zeros((1, m, 1))]
        shapes = [(model.NV, 1), (m, 1), (report_length(m),)]
        return bool(new_results("KKT", record, given, shapes, True)[2][0, 0])

    def cross(mass: float) -> sv.Model:
        I = [sv.mcI(m, Z, m * np.eye(3)) for m in (1, 1, mass)]
        return sv.Model(parent=[-1] * 3, jtype=["Px", "Py", "Pz"], Xtree=[np.eye(6)] * 3, I=I)

    for size, left in ((3.0, False), (0.3, True)):
        assert is_left(*hinges(size * 1e-6)) == left
        assert is_left(*hinges(size * 1e-8), damping=1.0) == left
        assert is_left(cross(size * 1e-8), [P(0, directions=[[1, 0, 0]])]) == left
        bodies = P(0, Z, 1, Z, directions=[[1, np.sqrt(size * 1e-4), 0]])
        assert is_left(cross(1.0), [P(0, directions=[[1, 0, 0]]), bodies]) == left
        needle = [sv.mcI(1, Z, np.diag([1.0, 1.0, size * 4 * 2.0**-46]))]
        assert is_left(sv.Model(parent=[-1], jtype=["Rz"], Xtree=[np.eye(6)], I=needle), []) == left


def ball_and_arm() -> sv.Model:
    """Return three hinges of one ball, a wrist at gimbal lock for q[1] = pi / 2, with an arm."""
    I = [np.zeros((6, 6))] * 2 + [
        sv.mcI(1, np.zeros(3), np.eye(3)),
        sv.mcI(1, [0.2, 0, 0], np.eye(3)),
    ]
    X = [np.eye(6)] * 3 + [sv.plux(np.eye(3), [0.3, 0, 0])]
    return sv.Model(parent=[-1, 0, 1, 2], jtype=["Rx", "Ry", "Rz", "Rz"], Xtree=X, I=I)


@pytest.mark.parametrize("count", [0, 1, 3])
@TWO_FORMS
def test_singular_inertia_matrices_are_refused(form: Callable[..., Any], count: int) -> None:
    """Three hinges of one ball at gimbal lock: an error for one state, NaN in a batch, also if
    constraints act on other motions.
    """
    model = ball_and_arm()
    q = np.array([[0.3, np.pi / 2, 0.1, 0.4], [0.3, 0.2, 0.1, 0.4]])
    qd, tau = np.zeros((2, 4)), np.tile([1.0, 0, -1, 0], (2, 1))
    held = [P(3, [0.3, 0.1, 0], directions=np.eye(3)[:count])] if count else []
    with pytest.raises(
        sv.SpatialError, match=f"singular: joint {0 if count < 3 else 2} .* has no inertia"
    ):
        form(model, q[0], qd[0], tau[0], held)
    with pytest.warns(sv.RankWarning, match=r"singular in 1 of 2 states, \(0,\)"):
        qdd, lambda_ = form(model, q, qd, tau, held)
    assert np.isnan(qdd[0]).all()
    residual = sv.HandC(model, q[1], qd[1])[0] @ qdd[1] + sv.HandC(model, q[1], qd[1])[1] - tau[1]
    near(residual, sv.constraint_jacobian(model, q[1], held).T @ lambda_[1], 1e-12)


def test_derivatives_and_impacts_refuse_singular_inertia_matrices() -> None:
    model = ball_and_arm()
    q, qd, tau = np.array([0.3, np.pi / 2, 0.1, 0.4]), np.ones(4), np.zeros(4)
    held = [P(3, [0.3, 0.1, 0])]
    for f, more in {
        KKT_FO_derivatives: (tau,),
        KKT_SO_derivatives: (tau,),
        sv.Impact_dyn: (),
    }.items():
        with pytest.raises(sv.SpatialError, match="singular: joint 2"):
            f(model, q, qd, *more, held)


@pytest.mark.parametrize("ratio", [1.0, 1e3, 1e5, 9e7])
@pytest.mark.parametrize("sine", [1e-1, 2e-3, 5e-4, 1e-4, 2e-5, 9e-6, 1e-7])
def test_angles_of_rows_decide_whatever_the_inertias(ratio: float, sine: float) -> None:
    """Kernels, for a state and a batch, and the reference implementation tell the same of two
    nearly parallel rows, though a heavy carriage makes them independent for ``G H^-1 G^T``.
    """
    masses = [sv.mcI(m, [0, 0, 0], np.zeros((3, 3))) for m in (ratio, 1.0)]
    table = sv.Model(parent=[-1, 0], jtype=["Px", "Py"], Xtree=[np.eye(6)] * 2, I=masses)
    rows = [P(1, directions=[[1.0, 0.0, 0.0]]), P(1, directions=[[1.0, sine, 0.0]])]
    state = np.zeros(2), np.zeros(2), np.array([1.0, 2.0])
    every = [np.tile(x, (9, 1)) for x in state]
    word = "linearly dependent" if sine < 1e-5 else "nearly depend" if sine < 1e-3 else None
    for form in (sv.KKT_FD, sv.KKT_FD.reference):
        for arrays in (state, every):
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                try:
                    form(table, *arrays, rows)
                    texts = [str(x.message) for x in said]
                except sv.SpatialError as error:
                    texts = [str(error)]
            assert [word in x for x in texts] == [True] if word else texts == [], (form, texts)
