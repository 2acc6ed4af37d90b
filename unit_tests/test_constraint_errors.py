"""Bad input to functions of constraints: what is refused, what is not, and what messages say."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import FOOT, TWO_FORMS, F, P, close, placed_near

from derivatives import (
    Impact_FO_derivatives,
    Impact_SO_derivatives,
    KKT_FO_derivatives,
    KKT_SO_derivatives,
)
from spatial_v2 import (
    KKT_FD,
    ArrayShapeError,
    ConstraintSet,
    FDab,
    Impact_dyn,
    Model,
    ModelError,
    SpatialError,
    configurationAddition,
    constraint_bias,
    constraint_jacobian,
    constraint_velocity,
    point_contact,
    position_error,
    project_configuration,
    project_velocity,
    random_configuration,
)
from spatial_v2.exceptions import ConvergenceWarning
from spatial_v2.model.frame import Frame
from spatial_v2.models import autoTree


def refused(kind: type[Exception], says: str, model: Model, held: Any) -> None:
    with pytest.raises(kind, match=says):
        ConstraintSet(model, held)


# Row: body number out of range, not an int, one-based by mistake; both ends on the base.
@pytest.mark.parametrize("make", [P, F])
@pytest.mark.parametrize(
    ("body", "says"),
    [
        (9, r"constraints\[1\].body2: want the number of a body, 0 to 4, or -1 .* got 9$"),
        (5, "got 5; MATLAB's bodies count from 1, these from 0"),
        (-2, "got -2"),
        (1.0, "want a Frame, the number of a body, or the name .* got 1.0"),
        (True, "got True"),
        (None, "got None"),
        ("boddy3", "is called 'boddy3'; did you mean 'body3'"),
        ("BODY3", "did you mean 'body3'"),
        (Frame(7, np.eye(6)), "got 7"),
    ],
)
def test_bodies(model: Model, make: Any, body: Any, says: str) -> None:
    refused(ModelError, says, model, [P(0), make(body)])
    refused(ModelError, says.replace("body2", "body1"), model, [P(0), make(1, body1=body)])


def test_bodies_of_any_integers(model: Model) -> None:
    assert ConstraintSet(model, [P(np.int64(3))]).m == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(("make", "what"), [(P, "points"), (F, "frames")])
def test_both_ends_on_the_base(model: Model, make: Any, what: str) -> None:
    refused(
        ModelError, rf"constraints\[0\]: both {what} are on the base: .* zero", model, [make(-1)]
    )


# Rows: both ends on one body, at the same or at different points.
def test_both_ends_on_one_body(model: Model) -> None:
    refused(ModelError, "both frames are on body 2: the rows are zero", model, [F(2, body1=2)])
    for r in (FOOT, [0, 0, 0]):
        held = [P(2, FOOT, 2, r)]
        refused(ModelError, "both points are on body 2: it keeps them", model, held)
    refused(ModelError, "both points are on body 2", model, [P(2, FOOT, "body2", FOOT)])


# Row: at the origin of a body, on the floating base, on a first body of a fixed base: fine.
@TWO_FORMS
@pytest.mark.parametrize("name", ["floating", "chain"])
def test_ends_that_are_fine(name: str, form: Callable[..., Any]) -> None:
    model = zoo.build(name)
    s = zoo.states(model, np.random.default_rng(1))
    held = [P(0, [0.0, 0.0, 0.0])] if name == "floating" else [P(0, FOOT, directions=[[0, 0, 1]])]
    qdd, _ = form(model, s.q, s.qd, s.tau, held)
    G = constraint_jacobian(model, s.q, held)
    close(G @ qdd, -constraint_bias(model, s.q, s.qd, held), 1e-11)


# Row: no constraint: empty arrays, the result of free forward dynamics.
@TWO_FORMS
def test_no_constraints(model: Model, state: zoo.State, form: Callable[..., Any]) -> None:
    s = state
    qdd, lambda_ = form(model, s.q, s.qd, s.tau, [])
    close(qdd, FDab(model, s.q, s.qd, s.tau), 1e-11)
    assert lambda_.shape == (0,)
    assert constraint_jacobian(model, s.q, []).shape == (0, model.NV)
    assert position_error(model, s.q, []).shape == (0,)
    assert project_configuration(model, s.q, []).converged


def test_what_is_no_list_of_constraints(model: Model, state: zoo.State) -> None:
    refused(ModelError, "constraints: want a list of .* got None", model, None)
    refused(ModelError, r"constraints\[0\]: want a PointConstraint or .* got 4", model, [4])
    with pytest.raises(TypeError, match="constraints: .* is missing"):
        KKT_FD(model, state.q, state.qd, state.tau)  # type: ignore[call-arg, misc]
    assert ConstraintSet(model, P(2)).m == 3  # type: ignore[arg-type]


# Row: T, X, D of wrong shapes or ranks; what is no transform; no finite numbers.
@pytest.mark.parametrize(
    ("held", "kind", "says"),
    [
        (F(3, rows=np.ones((2, 6))), ArrayShapeError, r"got \(2, 6\); .*transpose"),
        (F(3, rows=np.ones((5, 2))), ArrayShapeError, r"got \(5, 2\)"),
        (F(3, rows=np.ones((6, 2))), ModelError, "rows: 2 directions span 1 only"),
        (F(3, rows=[0, 0]), ModelError, "rows: 2 directions span 1 only"),
        (F(3, rows=[0, 6]), ModelError, "rows: want numbers from 0 to 5"),
        (F(3, rows=[0.5, 1.0]), ModelError, "rows: want numbers from 0 to 5"),
        (F(3, rows=[]), SpatialError, "rows"),
        (F(3, rows=np.full((6, 1), np.nan)), ModelError, "rows: has entries that are not finite"),
        (F(3, np.ones((6, 6))), ModelError, "frame2.* is not a Pl"),
        (F(3, body1=1, frame1=np.ones((6, 6))), ModelError, "frame1.* is not a Pl"),
        (F(3, np.eye(4)), ArrayShapeError, r"frame2 .*got \(4, 4\)"),
        (F(3, np.full((6, 6), np.nan)), ModelError, "frame2.*not finite"),
        (F(3, axes="base"), ModelError, "axes: want 'body1' or 'body2', got 'base'"),  # type: ignore[arg-type]
        (P(3, directions=[1, 0, 0]), ArrayShapeError, r"directions: .*\(k, 3\).*got \(3,\)"),
        (P(3, directions=np.ones((2, 2))), ArrayShapeError, r"got \(2, 2\)"),
        (P(3, directions=np.ones((4, 3))), ArrayShapeError, r"got \(4, 3\)"),
        (P(3, directions=np.ones((2, 3))), ModelError, "directions: 2 directions span 1 only"),
        (P(3, directions=[[0, 0, 0]]), ModelError, "directions: 1 directions span 0 only"),
        (P(3, directions=[[np.nan, 0, 0]]), ModelError, "directions: has entries that are not"),
        (P(3, [0, 0]), ArrayShapeError, r"point2: want shape \(3,\), got \(2,\)"),
        (P(3, [np.inf, 0, 0]), ModelError, "point2: has entries that are not finite"),
        (P(3, FOOT, 1), ModelError, "point1: say where on body 1"),
        (P(3, FOOT, 1, [[1, 2, 3]]), ArrayShapeError, r"point1: want shape \(3,\), got \(1, 3\)"),
    ],
)  # fmt: skip
def test_rows_and_frames(model: Model, held: Any, kind: type[Exception], says: str) -> None:
    refused(kind, r"constraints\[1\].*" + says, model, [P(0), held])


def test_normals_of_no_length() -> None:
    with pytest.raises(ModelError, match="normal: want a vector other than zero"):
        point_contact(1, normal=[0, 0, 0])


# Row: velocities and positions that the rows do not allow: no error; tools that mend them.
def test_inconsistent_states(model: Model, state: zoo.State) -> None:
    s = state
    held = placed_near(model, [P(4, FOOT), F(2, rows=[0, 3])], s.q)
    assert np.abs(constraint_velocity(model, s.q, s.qd, held)).max() > 0.1
    assert np.abs(position_error(model, s.q, held)).max() > 0.01
    qdd, _ = KKT_FD(model, s.q, s.qd, s.tau, held)
    rows = constraint_jacobian(model, s.q, held) @ qdd + constraint_bias(model, s.q, s.qd, held)
    close(rows, np.zeros(5), 1e-11)
    qd = project_velocity(model, s.q, s.qd, held)
    close(constraint_velocity(model, s.q, qd, held), np.zeros(5))
    close(qd, Impact_dyn(model, s.q, s.qd, held, 0.0).qd_plus)
    found = project_configuration(model, s.q, held)
    assert found.converged
    close(position_error(model, found.q, held), np.zeros(5))


def test_configurations_out_of_reach() -> None:
    """An arm of three links cannot touch what is four away; the residual says how far off."""
    held = [P(2, [1.0, 0, 0], point1=[4.0, 0, 0])]
    found = project_configuration(autoTree(3), [0.3, 0.4, -0.2], held)
    assert not found.converged
    assert found.residual > 0.9


# Row: gains of Baumgarte; a frame turned by nearly pi.
@pytest.mark.parametrize(
    ("gains", "kind", "says"),
    [
        ((-1.0, 1.0), SpatialError, "Kp must be 0 or greater, got .-1.0"),
        ((1.0, -1.0), SpatialError, "Kd must be 0 or greater"),
        ((np.nan, 1.0), SpatialError, "Kp must be 0 or greater, got .nan"),
        ((1.0, np.inf), SpatialError, "Kd must be"),
        ((np.ones(2), 1.0), ArrayShapeError, "Kp: want a number, or one for each of 3 rows"),
        ((1.0, "a"), ArrayShapeError, "Kd: want a number"),
        (3.0, SpatialError, r"want \(Kp, Kd\).* got 3.0"),
        ((1.0, 2.0, 3.0), SpatialError, r"want \(Kp, Kd\)"),
    ],
)
def test_gains(
    model: Model, state: zoo.State, gains: Any, kind: type[Exception], says: str
) -> None:
    s, held = state, [P(4, FOOT, point1=[0, 0, 0])]
    for form in (KKT_FD, KKT_FO_derivatives, KKT_SO_derivatives):
        with pytest.raises(kind, match="baumgarte: " + says):
            form(model, s.q, s.qd, s.tau, held, baumgarte=gains)


@TWO_FORMS
def test_gains_of_a_contact_that_is_nowhere(
    model: Model, state: zoo.State, form: Callable[..., Any]
) -> None:
    s = state
    with pytest.raises(ModelError, match=r"constraints\[0\]: no point1, hence no position error"):
        form(model, s.q, s.qd, s.tau, [P(4, FOOT)], baumgarte=(1.0, 1.0))
    assert np.isfinite(form(model, s.q, s.qd, s.tau, [P(4, FOOT)], baumgarte=(0.0, 1.0))[0]).all()


@TWO_FORMS
@pytest.mark.parametrize("name", ["one_Fb", "planar_chain"])
def test_frames_turned_by_nearly_pi(form: Callable[..., Any], name: str) -> None:
    """Held where they are in q, and turned from there: the sine of the turn says nothing."""
    model = zoo.build(name)
    q = random_configuration(model, np.random.default_rng(1))
    held = list(ConstraintSet(model, [P(0), F(0)]).placed(model, q).constraints)
    turn = np.zeros(model.NV)
    turn[0] = np.pi - 0.1
    q = configurationAddition(model, q, turn)
    zero, foot = np.zeros(model.NV), held[1:]
    with pytest.warns(ConvergenceWarning, match=r"constraints\[1\]: its frames are turned"):
        position_error(model, q, held)
    options: dict[str, Any] = {"rank": "minimum_norm"}
    with pytest.warns(ConvergenceWarning, match=r"constraints\[0\]: .* turned by nearly pi"):
        form(model, q, zero, zero, foot, baumgarte=(1.0, 1.0), **options)
    with pytest.warns(ConvergenceWarning, match=r"nearly pi.* in 1 of 2 states"):
        position_error(model, np.stack([q, configurationAddition(model, q, -turn)]), foot)
    with pytest.warns(ConvergenceWarning, match="nearly pi"):
        found = project_configuration(model, q, foot)
    assert not found.converged
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        form(model, q, zero, zero, foot, **options)
        form(model, q, zero, zero, foot, baumgarte=(0.0, 1.0), **options)
        position_error(model, q, [F(0, rows=[1, 2] if model.is_planar else [3, 4, 5])])


# Row: restitution.
@pytest.mark.parametrize(
    ("e", "kind", "says"),
    [
        (-0.5, SpatialError, "from 0 to 1, got -0.5 .MATLAB"),
        (1.5, SpatialError, "from 0 to 1, got 1.5$"),
        (np.nan, SpatialError, "got nan"),
        ([0.0, 2.0, 0.0], SpatialError, "from 0 to 1"),
        ([0.0, 1.0], ArrayShapeError, "one for each of 3 rows"),
        ("a", ArrayShapeError, "want a number"),
    ],
)
def test_restitution(
    model: Model, state: zoo.State, e: Any, kind: type[Exception], says: str
) -> None:
    for form in (Impact_dyn, Impact_FO_derivatives, Impact_SO_derivatives):
        with pytest.raises(kind, match="restitution: .*" + says):
            form(model, state.q, state.qd, [P(4)], e)


@pytest.mark.parametrize("mu", [-1.0, np.nan, np.inf, "a", [1.0, 2.0]])
def test_damping(model: Model, state: zoo.State, mu: Any) -> None:
    with pytest.raises(SpatialError, match="damping: want a number, 0 or greater"):
        KKT_FD(model, state.q, state.qd, state.tau, [P(4)], damping=mu)


def test_choices_of_rank(model: Model, state: zoo.State) -> None:
    with pytest.raises(SpatialError, match="rank: want 'raise', 'minimum_norm' or 'proximal', got"):
        KKT_FD(model, state.q, state.qd, state.tau, [P(4)], rank="rise")  # type: ignore[arg-type]


# Row: quaternions of any length; numbers that are none.
@TWO_FORMS
def test_unnormalised_quaternions(model: Model, state: zoo.State, form: Callable[..., Any]) -> None:
    s, held = state, [P(4, FOOT), F(2, rows=[0, 3])]
    q = s.q.copy()
    q[:4] *= 2.5
    for x, y in zip(form(model, q, s.qd, s.tau, held), form(model, s.q, s.qd, s.tau, held),
                    strict=True):  # fmt: skip
        close(x, y)


@TWO_FORMS
@pytest.mark.parametrize("which", ["q", "qd", "tau"])
@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
def test_numbers_that_are_none(
    model: Model, form: Callable[..., Any], which: str, bad: float
) -> None:
    """They go on into the results of their state, and of no other state."""
    s, held = zoo.states(model, np.random.default_rng(2), (3,)), [P(4, FOOT), F(2, rows=[0])]
    given = {k: x.copy() for k, x in s._asdict().items() if k in ("q", "qd", "tau")}
    given[which][1, -1] = bad
    good = form(model, s.q, s.qd, s.tau, held)
    for x, y in zip(form(model, *given.values(), held), good, strict=True):
        assert not np.isfinite(x[1]).any()
        close(x[::2], y[::2], 1e-11)


@pytest.mark.filterwarnings("ignore:.*encountered in:RuntimeWarning")
def test_numbers_that_are_none_in_projections(model: Model, state: zoo.State) -> None:
    q, held = np.stack([state.q, state.q]), [P(4, FOOT, point1=[0.1, 0.2, 0.3])]
    q[0, -1] = np.nan
    found = project_configuration(model, q, held)
    assert found.converged.tolist() == [False, True]
    assert not np.isfinite(project_velocity(model, q, state.qd, held)[0]).any()


# Row: rotors, planar models.
def test_rotors_are_in_the_dynamics_alone() -> None:
    model = zoo.build("rotors")
    s, held = zoo.states(model, np.random.default_rng(1)), [P(3, FOOT, directions=[[0, 0, 1.0]])]
    bare = model.replace(has_rotor=[False] * model.NB)
    assert np.array_equal(
        constraint_jacobian(model, s.q, held), constraint_jacobian(bare, s.q, held)
    )
    one, other = (KKT_FD(x, s.q, s.qd, s.tau, held).qdd for x in (model, bare))
    assert np.abs(one - other).max() > 1e-3


def test_shapes_of_planar_models() -> None:
    model = zoo.build("planar_tree")
    assert ConstraintSet(model, [P(3, [0.1, 0.2]), F(2)]).m == 5
    refused(ArrayShapeError, r"point2: want shape \(3,\), or \(2,\) in", model, [P(3, [0.1])])
    refused(ArrayShapeError, r"frame2 .*3, 3", model, [F(3, np.eye(6))])
    refused(ModelError, "rows: want numbers from 0 to 2", model, [F(3, rows=[3])])


# Row: batches broadcast; a contact may pull.
@TWO_FORMS
def test_batches_broadcast(model: Model, form: Callable[..., Any]) -> None:
    s, held = zoo.states(model, np.random.default_rng(1), (3,)), [P(4, FOOT)]
    qdd, lambda_ = form(model, s.q[:, None], s.qd[0], s.tau[:2], held)
    assert qdd.shape == (3, 2, model.NV)
    assert lambda_.shape == (3, 2, 3)
    close(qdd[2, 1], form(model, s.q[2], s.qd[0], s.tau[1], held).qdd, 1e-11)
    with pytest.raises(ArrayShapeError, match="do not broadcast|broadcast"):
        form(model, s.q, s.qd[:2], s.tau, held)
    with pytest.raises(ArrayShapeError, match=rf"qd: want shape \(..., {model.NV}\)"):
        form(model, s.q, s.qd[:, :-1], s.tau, held)


def test_contacts_that_pull() -> None:
    """A body that falls upwards is held back: constraints hold both ways."""
    model = zoo.build("one_Fb").replace(gravity=[0, 0, 9.81])
    q, zero = random_configuration(model, np.random.default_rng(1)), np.zeros(6)
    assert KKT_FD(model, q, zero, zero, [point_contact(0, normal=[0, 0, 1])]).lambda_[0] < 0
