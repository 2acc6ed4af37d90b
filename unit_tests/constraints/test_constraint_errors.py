"""Bad input to functions of constraints: errors, accepted special cases, and messages."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import FOOT, TWO_FORMS, D, F, P
from helpers import near

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
    Impact_dyn,
    Model,
    ModelError,
    PointConstraint,
    SpatialError,
    autoTree,
    constraint_jacobian,
    hinge_loop,
    point_contact,
    position_error,
    project_configuration,
    surface_contact,
    weld,
    xlt,
)
from spatial_v2.constraints.options import _restitution
from spatial_v2.model.frame import Frame


def refused(kind: type[Exception], says: str, model: Model, held: Any) -> None:
    with pytest.raises(kind, match=says):
        ConstraintSet(model, held)


# Errors: a body number out of range, such as NB, or not an integer; both ends on the base.
@pytest.mark.parametrize("make", [P, F, D])
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
def test_wrong_bodies_are_refused(model: Model, make: Any, body: Any, says: str) -> None:
    refused(ModelError, says, model, [P(0), make(body)])
    refused(ModelError, says.replace("body2", "body1"), model, [P(0), make(1, body1=body)])


def test_bodies_may_be_integers_of_any_type(model: Model) -> None:
    assert ConstraintSet(model, [P(np.int64(3))]).m == 3  # type: ignore[arg-type]


@pytest.mark.parametrize(("make", "what"), [(P, "points"), (F, "frames")])
def test_both_ends_on_the_base_are_refused(model: Model, make: Any, what: str) -> None:
    refused(
        ModelError, rf"constraints\[0\]: both {what} are on the base: .* zero", model, [make(-1)]
    )


# Errors: both ends of a constraint on one body, at equal or at different points.
def test_both_ends_on_one_body_are_refused(model: Model) -> None:
    refused(ModelError, "both frames are on body 2: the rows are zero", model, [F(2, body1=2)])
    for r in (FOOT, [0, 0, 0]):
        held = [P(2, FOOT, 2, r)]
        refused(ModelError, "both points are on body 2: they do not move", model, held)
    refused(ModelError, "both points are on body 2", model, [P(2, FOOT, "body2", FOOT)])


def test_anything_but_a_list_of_constraints_is_refused(model: Model, state: zoo.State) -> None:
    refused(ModelError, "constraints: want a list of .* got None", model, None)
    refused(ModelError, r"constraints\[0\]: want a PointConstraint, .* got 4", model, [4])
    with pytest.raises(TypeError, match="`constraints` is missing; want a list"):
        KKT_FD(model, state.q, state.qd, state.tau)  # type: ignore[call-arg, misc]
    assert ConstraintSet(model, P(2)).m == 3  # type: ignore[arg-type]


# Errors: directions of wrong shape or rank, matrices that are not transforms, NaN and infinity.
@pytest.mark.parametrize(
    ("held", "kind", "says"),
    [
        (F(3, rows=np.ones((2, 6))), ArrayShapeError, r"got shape \(2, 6\)\. .*transpose"),
        (F(3, rows=np.ones((5, 2))), ArrayShapeError, r"got shape \(5, 2\)"),
        (F(3, rows=np.ones((6, 2))), ModelError, "rows: want linearly .* 2 of rank 1"),
        (F(3, rows=[0, 0]), ModelError, "rows: want linearly .* 2 of rank 1"),
        (F(3, rows=[0, 6]), ModelError, "rows: want numbers from 0 to 5"),
        (F(3, rows=[0.5, 1.0]), ModelError, "rows: want numbers from 0 to 5"),
        (F(3, rows=[]), SpatialError, "rows"),
        (F(3, rows=np.full((6, 1), np.nan)), ModelError, "rows: want finite"),
        (F(3, np.ones((6, 6))), ModelError, "frame2.* is not a Pl"),
        (F(3, body1=1, frame1=np.ones((6, 6))), ModelError, "frame1.* is not a Pl"),
        (F(3, np.eye(4)), ArrayShapeError, r"frame2 .*got \(4, 4\)"),
        (F(3, np.full((6, 6), np.nan)), ModelError, "frame2.*not finite"),
        (F(3, axes="base"), ModelError, "axes: want 'body1', 'body2' or 'mixed', got 'base'"),  # type: ignore[arg-type]
        (F(3, error="log"), ModelError, "error: want 'sine' or 'log6', got 'log'"),  # type: ignore[arg-type]
        (D(3, body1=3), ModelError, "both points are on body 3"),
        (D(3, distance=0.0), ModelError, "distance: want a number greater than 0, got 0.0"),
        (D(3, distance=np.nan), ModelError, "distance: want a number greater than 0, got nan"),
        (D(3, [1, 2]), ArrayShapeError, r"point2: want shape \(3,\), got \(2,\)"),
        (P(3, directions=[1, 0, 0]), ArrayShapeError, r"directions: .*\(k, 3\).*got \(3,\)"),
        (P(3, directions=np.ones((2, 2))), ArrayShapeError, r"got \(2, 2\)"),
        (P(3, directions=np.ones((4, 3))), ArrayShapeError, r"got \(4, 3\)"),
        (P(3, directions=np.ones((2, 3))), ModelError, "directions: want linearly .* 2 of rank 1"),
        (P(3, directions=[[0, 0, 0]]), ModelError, "directions: want linearly .* 1 of rank 0"),
        (P(3, directions=[[np.nan, 0, 0]]), ModelError, "directions: want finite"),
        (P(3, [0, 0]), ArrayShapeError, r"point2: want shape \(3,\), got \(2,\)"),
        (P(3, [np.inf, 0, 0]), ModelError, "point2: want finite"),
        (P(3, FOOT, 1), ModelError, "point1: want the coordinates of the point on body 1"),
        (P(3, FOOT, 1, [[1, 2, 3]]), ArrayShapeError, r"point1: want shape \(3,\), got \(1, 3\)"),
    ],
)  # fmt: skip
def test_wrong_rows_and_frames_are_refused(
    model: Model, held: Any, kind: type[Exception], says: str
) -> None:
    refused(kind, r"constraints\[1\].*" + says, model, [P(0), held])


def test_normals_of_length_zero_are_refused() -> None:
    with pytest.raises(ModelError, match="normal: want a vector other than zero"):
        point_contact(1, normal=[0, 0, 0])


# Errors and warnings: Baumgarte gains; frames that differ by a rotation of nearly pi.
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
def test_wrong_gains_are_refused(
    model: Model, state: zoo.State, gains: Any, kind: type[Exception], says: str
) -> None:
    s, held = state, [P(4, FOOT, point1=[0, 0, 0])]
    for form in (KKT_FD, KKT_FO_derivatives, KKT_SO_derivatives):
        with pytest.raises(kind, match="baumgarte: " + says):
            form(model, s.q, s.qd, s.tau, held, baumgarte=gains)


@TWO_FORMS
def test_gains_of_a_contact_without_a_place_are_refused(
    model: Model, state: zoo.State, form: Callable[..., Any]
) -> None:
    s = state
    with pytest.raises(
        ModelError, match=r"constraints\[0\]: no point1 is given, so there is no position error"
    ):
        form(model, s.q, s.qd, s.tau, [P(4, FOOT)], baumgarte=(1.0, 1.0))
    assert np.isfinite(form(model, s.q, s.qd, s.tau, [P(4, FOOT)], baumgarte=(0.0, 1.0))[0]).all()


# Errors: invalid coefficients of restitution.
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
def test_wrong_restitution_is_refused(
    model: Model, state: zoo.State, e: Any, kind: type[Exception], says: str
) -> None:
    for form in (Impact_dyn, Impact_FO_derivatives, Impact_SO_derivatives):
        with pytest.raises(kind, match="restitution: .*" + says):
            form(model, state.q, state.qd, [P(4)], e)


@pytest.mark.parametrize("mu", [-1.0, np.nan, np.inf, "a", [1.0, 2.0]])
def test_wrong_damping_is_refused(model: Model, state: zoo.State, mu: Any) -> None:
    with pytest.raises(SpatialError, match="damping: want a number, 0 or greater"):
        KKT_FD(model, state.q, state.qd, state.tau, [P(4)], damping=mu)


def test_unknown_choices_of_rank_are_refused(model: Model, state: zoo.State) -> None:
    says = "rank: want 'raise', 'nan', 'minimum_norm' or 'proximal', got"
    with pytest.raises(SpatialError, match=says):
        KKT_FD(model, state.q, state.qd, state.tau, [P(4)], rank="rise")  # type: ignore[arg-type]


# Models with rotors, and planar models.
def test_rotors_change_the_dynamics_but_not_the_rows() -> None:
    model = zoo.build("rotors")
    s, held = zoo.states(model, np.random.default_rng(1)), [P(3, FOOT, directions=[[0, 0, 1.0]])]
    bare = model.replace(has_rotor=[False] * model.NB)
    assert np.array_equal(
        constraint_jacobian(model, s.q, held), constraint_jacobian(bare, s.q, held)
    )
    one, other = (KKT_FD(x, s.q, s.qd, s.tau, held).qdd for x in (model, bare))
    assert np.abs(one - other).max() > 1e-3


def test_shapes_of_planar_models_are_checked() -> None:
    model = zoo.build("planar_tree")
    assert ConstraintSet(model, [P(3, [0.1, 0.2]), F(2)]).m == 5
    refused(ArrayShapeError, r"point2: want shape \(3,\), or \(2,\) in", model, [P(3, [0.1])])
    refused(ArrayShapeError, r"frame2 .*3, 3", model, [F(3, np.eye(6))])
    refused(ModelError, "rows: want numbers from 0 to 2", model, [F(3, rows=[3])])


# A contact whose target position on the base is not given has no position error.
@TWO_FORMS
@pytest.mark.parametrize("make", [weld, surface_contact, hinge_loop, point_contact])
def test_contacts_without_a_place_have_no_position_error(
    model: Model, state: zoo.State, form: Callable[..., Any], make: Any
) -> None:
    """Functions of the position error refuse such contacts; `placed` takes their targets from a
    configuration.
    """
    s, contact = state, make(4)
    held, options = [P(0, FOOT, point1=FOOT), contact], {"rank": "minimum_norm"}
    calls: list[Callable[[], Any]] = [
        lambda: position_error(model, s.q, held),
        lambda: project_configuration(model, s.q, held),
        lambda: form(model, s.q, s.qd, s.tau, held, baumgarte=(1.0, 1.0), **options),
        lambda: KKT_FO_derivatives(model, s.q, s.qd, s.tau, held, baumgarte=(1.0, 1.0), **options),
    ]
    for call in calls:
        with pytest.raises(ModelError, match=r"constraints.1.: no (point|frame)1.*placed"):
            call()
    form(model, s.q, s.qd, s.tau, held, baumgarte=(0.0, 1.0), **options)
    here = [contact.placed(model, s.q)]
    near(position_error(model, s.q, here), np.zeros(ConstraintSet(model, here).m))
    near(project_configuration(model, s.q, here).q, s.q)


def test_frames_of_the_base_are_given_as_places(model: Model, state: zoo.State) -> None:
    """The target frame of a frame constraint on the base may be given as a transform or by name."""
    named = model.replace(frames={"ground": Frame(-1, xlt([1.0, 0, 0]))})
    for held in (F(4, frame1=np.eye(6)), F(4, body1="ground"), F(4, body1=Frame(-1, np.eye(6)))):
        assert np.isfinite(position_error(named, state.q, [held])).all()


@pytest.mark.parametrize(
    ("restitution", "turned"), [(-0.5, True), ([0.0, 2.0], False), (2.0, False)]
)
def test_only_a_negative_restitution_has_the_sign_of_matlab(restitution: Any, turned: bool) -> None:
    with pytest.raises(SpatialError, match="from 0 to 1") as error:
        _restitution(restitution, 2)
    assert ("MATLAB" in str(error.value)) == turned


def test_a_configuration_that_cannot_get_better_is_the_first() -> None:
    """If no step reduces the position error, the initial configuration is returned.

    Here no joint moves the point.
    """
    axis = PointConstraint(0, [0, 0, 0], point1=[1, 0, 0])
    found = project_configuration(autoTree(2), [0.3, 0.4], [axis])
    assert not found.converged and found.iterations == 0
    np.testing.assert_array_equal(found.q, [0.3, 0.4])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"tolerance": np.nan}, "tolerance: want a positive number, got nan"),
        ({"tolerance": -1.0}, "tolerance: want a positive number"),
        ({"tolerance": "small"}, "tolerance: want a positive number"),
        ({"max_iterations": -1}, "max_iterations: want a whole number of at least 0"),
        ({"max_iterations": 10.0}, "max_iterations: want a whole number"),
    ],
)
def test_options_of_projections_are_checked(options: dict[str, Any], says: str) -> None:
    tip = PointConstraint(1, [1, 0, 0], point1=[1, 1, 0])
    with pytest.raises(SpatialError, match=says):
        project_configuration(autoTree(2), [0.3, 0.4], [tip], **options)


@pytest.mark.parametrize("make", [P, F, D])
def test_constraints_are_placed_at_one_configuration(make: Any) -> None:
    model = autoTree(3)
    for of in (make(2), ConstraintSet(model, [make(2)])):
        with pytest.raises(ArrayShapeError, match=r"placed: q: want one .* \(3,\), got \(2, 3\)"):
            of.placed(model, np.zeros((2, 3)))


def test_sets_of_constraints_copy_what_they_are_given() -> None:
    """Later changes of the arrays that describe a constraint do not change a set."""
    model, q = autoTree(4), [0.1, 0.2, 0.3, 0.4]
    point, X, rows, length = np.ones(3), np.array(xlt([1.0, 0, 0])), np.eye(6)[:, :2], np.array(2.0)
    rows = rows.copy()
    held = ConstraintSet(
        model,
        [P(3, point, point1=point), F(3, X, frame1=X, rows=rows), D(2, distance=length)],
    )
    before = position_error(model, q, held), constraint_jacobian.reference(model, q, held)
    for x in (point, rows, length):
        x *= 2.0
    X[...] = xlt([0, 3.0, 0])
    near(position_error(model, q, held), before[0])
    near(constraint_jacobian.reference(model, q, held), before[1])


def test_a_distance_is_a_number() -> None:
    refused(
        ArrayShapeError, "distance must be numbers, got 'far'", autoTree(2), [D(1, distance="far")]
    )


def test_a_surface_sticks_or_slides() -> None:
    with pytest.raises(ModelError, match="sticks: want True or False, got 'no'"):
        surface_contact(3, sticks="no")  # type: ignore[arg-type]
    assert surface_contact(3, sticks=np.bool(False)).rows == [0, 1, 5]  # type: ignore[arg-type]
