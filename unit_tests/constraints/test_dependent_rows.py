"""For zero or dependent rows the result is either an error or correct, never very large numbers."""

import inspect
import warnings
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest
import zoo
from constraint_samples import FOOT, TWO_FORMS, F, P, constraints
from helpers import near as close
from public_functions import arguments, functions_of_state

import derivatives
import spatial_v2 as sv
from derivatives import KKT_FO_derivatives
from spatial_v2.constraints.shortest import shortest
from spatial_v2.io import example_robots
from spatial_v2.models import autoTree


def four_bar() -> sv.Model:
    """Make a linkage of three hinges with parallel axes, which are oblique to the axes
    of the base.
    """
    X = sv.rotx(0.5) @ sv.roty(0.15)
    links = [X, sv.xlt([1, 0, 0]), sv.xlt([1, 0, 0])]
    return autoTree(3).replace(Xtree=links, jtype=["Rz"] * 3, gravity=[0, -9.81, 0])


X_GROUND = sv.xlt([1, 0.6, 0]) @ sv.rotx(0.5) @ sv.roty(0.15)
Q_BAR = np.array([1.2, -0.8, -0.9])


def closed(rows: list[int]) -> list[Any]:
    """Return a constraint that closes the linkage: the given rows of a frame constraint of its end
    to the base.
    """
    return [sv.FrameConstraint(2, sv.xlt([1, 0, 0]), -1, X_GROUND, rows=rows)]


@TWO_FORMS
@pytest.mark.parametrize("moving", [False, True])
def test_a_linkage_closed_in_space_has_dependent_rows(
    form: Callable[..., Any], moving: bool
) -> None:
    """Rows normal to the plane of the linkage vanish up to rounding: they are an error, or, on
    request, have no effect.
    """
    model, qd = four_bar(), np.array([1.0, 2.0, 3.0]) * moving
    state = Q_BAR, qd, np.array([0.3, -0.2, 0.1])
    plane = form(model, *state, closed([3, 4]))
    hinge = [sv.hinge_loop(2, sv.xlt([1, 0, 0]), -1, X_GROUND)]
    for held in (closed([3, 4, 5]), hinge):
        with pytest.raises(sv.SpatialError, match=r"rank 2 only: rows of constraints.0. are zero"):
            form(model, *state, held)
    for rank in ("minimum_norm", "proximal"):
        found = form(model, *state, hinge, rank=rank)
        close(found.qdd, plane.qdd, 1e-11)
        close(found.lambda_, [0, 0, *plane.lambda_, 0], 1e-10)


def never_moving(model: sv.Model) -> tuple[list[Any], bool]:
    """Return a constraint of a body and its parent in the directions in which their joint never
    moves.

    The second result is False if there is no such joint.
    """
    for i in reversed(range(model.NB)):
        S = sv.jcalc(model.jtype[i], model.layout.joints[i].group.neutral)[1].real
        if S.shape[1] < len(S):
            rows = np.linalg.svd(S)[0][:, S.shape[1] :]
            return [F(i, body1=int(model.parent[i]), rows=rows, axes="body2")], True
    return [], False


def degenerate(model: sv.Model) -> dict[str, tuple[list[Any], list[Any]]]:
    """Return, by name, independent constraints, and constraints that add zero or dependent rows to
    them.
    """
    kind = "slanted"
    held = constraints(model)[kind]
    still, has = never_moving(model)
    return {"repeated": (held, held)} | ({"vanishing": (held, still)} if has else {})


FAMILY = {
    function.__name__: function
    for _, function, _ in functions_of_state()
    if "constraints" in inspect.signature(function).parameters
}
MODELS = ["chain", "floating", "mixed", "planar_tree", "rotors", "prismatic"]


def given_to(name: str, model: sv.Model, held: Any, shape: tuple[int, ...] = ()) -> dict[str, Any]:
    """Return arguments for a function of constraints."""
    parameters = list(inspect.signature(FAMILY[name]).parameters.values())[1:]
    names = [p.name for p in parameters if p.default is p.empty and p.kind < p.VAR_KEYWORD]
    rows = sv.ConstraintSet(model, held).m
    rng = np.random.default_rng(3)
    given = arguments(model, [x for x in names if x != "constraints"], rng, shape)
    for x in ("forces", "nu"):
        if x in given:
            given[x] = np.ones((*shape, rows))
    return given | {"constraints": held}


def parts(x: Any) -> list[np.ndarray]:
    return [np.asarray(y) for y in (x if isinstance(x, tuple) else (x,))]


@pytest.mark.parametrize("model_name", MODELS)
@pytest.mark.parametrize("name", FAMILY)
def test_dependent_rows_give_an_error_or_numbers_of_usual_size(name: str, model_name: str) -> None:
    """By default the result is an error that names the rank, or has entries of usual size."""
    model, function = zoo.build(model_name), FAMILY[name]
    choice = inspect.signature(function).parameters.get("rank")
    for held, more in degenerate(model).values():
        q = zoo.states(model, np.random.default_rng(3)).q
        placed = list(sv.ConstraintSet(model, [*held, *more]).placed(model, q).constraints)
        given = given_to(name, model, placed) | {"q": q}
        if choice is not None and choice.default == "raise":
            with pytest.raises(sv.SpatialError, match=r"rank \d+ only"):
                function(model, **given)
        else:
            for x in parts(function(model, **given)):
                assert np.isfinite(x).all()
                assert np.abs(x).max(initial=0.0) < 1e6


@pytest.mark.parametrize("model_name", MODELS)
@pytest.mark.parametrize("rank", ["minimum_norm", "proximal"])
def test_least_squares_give_the_motion_without_redundant_rows(rank: str, model_name: str) -> None:
    """Motions and their derivatives are those without the redundant rows."""
    model = zoo.build(model_name)
    for held, more in degenerate(model).values():
        n = sv.ConstraintSet(model, held).m
        for name, function in FAMILY.items():
            choice = inspect.signature(function).parameters.get("rank")
            if choice is None or choice.annotation == "Refusal":
                continue
            few, many = (given_to(name, model, x) for x in (held, [*held, *more]))
            one, other = (parts(function(model, **x, rank=rank)) for x in (few, many))
            for x, y in zip(one, other, strict=True):
                if len(y) != n + sv.ConstraintSet(model, more).m:
                    close(y, x, 1e-8)
                elif more is held:
                    close(y[:n], x / 2, 1e-8)
                    close(y[n:], x / 2, 1e-8)
                else:
                    close(y, np.concatenate([x, 0 * y[n:]]), 1e-8)


@TWO_FORMS
def test_proximal_iteration_has_the_shortest_multipliers(form: Callable[..., Any]) -> None:
    """The multipliers are the shortest ones, also if dependent rows contradict each other.

    Derivatives of the proximal iteration agree with complex steps.
    """
    model = zoo.build("floating")
    s, held = zoo.states(model, np.random.default_rng(1)), [P(4, r) for r in np.eye(3)]
    state = s.q, s.qd, s.tau
    short, slow = (form(model, *state, held, rank=x) for x in ("minimum_norm", "proximal"))
    close(slow.qdd, short.qdd, 1e-9)
    close(slow.lambda_, short.lambda_, 1e-9)
    step = 1e-20j * np.eye(model.NV)
    by_qd = sv.KKT_FD(model, s.q, s.qd + step, s.tau, held, rank="proximal").lambda_.imag / 1e-20
    d = KKT_FO_derivatives(model, *state, held, rank="proximal")
    close(d.dlambda_dqd, by_qd.T, 1e-8)
    close(d.dlambda_dq, KKT_FO_derivatives(model, *state, held, rank="minimum_norm")[3], 1e-8)


# Two constraint rows at the tip of an arm: at the stretched configuration they are dependent.
ARM, TIP = autoTree(3), [P(2, [1.0, 0.0, 0.0], directions=[[1, 0, 0], [0, 1, 0]])]
TURNED = [P(2, [1.0, 0.0, 0.0], directions=[[0.8, 0.6, 0], [-0.6, 0.8, 0]])]


@TWO_FORMS
@pytest.mark.parametrize(
    ("held", "warned", "refused"), [(TIP, 6, 10), (TURNED, 3, 5)], ids=["along", "across"]
)
@pytest.mark.parametrize("digits", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16])
def test_near_a_singular_configuration_results_are_right_or_an_error(
    form: Callable[..., Any], held: list[Any], warned: int, refused: int, digits: int
) -> None:
    """The result is an error, or agrees with a computation with 50 digits; near the singularity
    there is a warning.
    """
    bend = 10.0**-digits
    state = [np.array(x) for x in ([0.0, bend, -bend / 3], [0.1, 0.2, 0.3], [1.0, 2.0, 3.0])]
    if digits >= refused:
        with pytest.raises(sv.SpatialError, match="rank 1 only"):
            form(ARM, *state, held)
        return
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = form(ARM, *state, held)
    assert [x.category for x in told] == [sv.RankWarning] * (digits >= warned)
    with mpmath.workdps(50):
        exact = sv.KKT_FD.reference(ARM, *(np.vectorize(mpmath.mpf)(x) for x in state), held)
    for x, y in zip(found, exact, strict=True):
        y = y.astype(float)
        assert np.abs(x - y).max() <= 1e-10 * np.abs(y).max()


@pytest.mark.parametrize("robot", ["panda", "ur5", "talos_arm"])
def test_rows_that_an_arm_cannot_meet_are_refused(robot: str) -> None:
    """Contacts of the faces of all bodies are errors if singular values show that their rows are
    dependent.

    The least-squares solutions agree with those of the pseudoinverse.
    """
    model = sv.load_urdf(str(example_robots()[robot]), couplings="free")
    rng = np.random.default_rng(0)
    q, (qd, tau) = rng.uniform(-1.5, 1.5, model.NQ), rng.normal(size=(2, model.NV))
    H, C = sv.HandC(model, q, qd)
    for body in range(model.NB):
        for sticks in (True, False):
            held = [sv.surface_contact(body, sticks=sticks)]
            G, gamma = (
                sv.constraint_jacobian(model, q, held),
                sv.constraint_bias(model, q, qd, held),
            )
            if np.linalg.matrix_rank(G, tol=1e-9) < len(G):
                with pytest.raises(sv.SpatialError, match="rank"):
                    sv.KKT_FD(model, q, qd, tau, held)
            inverse = np.linalg.pinv(G @ np.linalg.solve(H, G.T), rcond=1e-11, hermitian=True)
            lambda_ = inverse @ (-gamma - G @ np.linalg.solve(H, tau - C))
            found = sv.KKT_FD(model, q, qd, tau, held, rank="minimum_norm")
            close(found.lambda_, lambda_, 1e-8)
            close(found.qdd, np.linalg.solve(H, tau - C + G.T @ lambda_), 1e-8)


# Three configurations, at one of which the constraints cannot be solved.
BATCH = np.array([[0.1, 0.2, 0.3], [0.0, 0.0, 0.0], [-0.3, 0.5, 0.2]])


def test_no_derivatives_where_the_rank_changes() -> None:
    qd, tau = np.full(3, 0.2), np.ones(3)
    with pytest.warns(sv.RankWarning, match="rank of the constraints changes"):
        d = KKT_FO_derivatives(ARM, BATCH, qd, tau, TIP, rank="minimum_norm")
    assert np.isnan(d.dqdd_dq).any(axis=(1, 2)).tolist() == [False, True, False]
    assert np.isfinite(d.dqdd_dqd).all()


def test_vanishing_rows_need_no_actuation_force() -> None:
    """Rows that vanish get zero force; NaN affects its own state only."""
    model = four_bar()
    hinge = [sv.hinge_loop(2, sv.xlt([1, 0, 0]), -1, X_GROUND)]
    q, zero = np.stack([Q_BAR, Q_BAR]), np.zeros(3)
    q[1, 2] = np.nan
    found = sv.actuation_forces(model, q, zero, zero, hinge, np.zeros((3, 0)))
    assert np.isnan(found.lambda_[1]).all()
    wanted = sv.actuation_forces(model, Q_BAR, zero, zero, closed([3, 4]), np.zeros((3, 0)))
    close(found.lambda_[0], [0, 0, *wanted.lambda_, 0], 1e-10)
    close(found.residual[0], wanted.residual, 1e-10)


def test_small_rows_are_not_taken_for_zero() -> None:
    """The row of a point at 1e-7 m from the axis is small, but as the only row it is satisfied,
    with a warning.
    """
    arm = autoTree(1)
    held = [P(0, [1e-7, 0.0, 0.0], directions=[[0, 1, 0]])]
    with pytest.warns(sv.RankWarning, match="nearly vanish: the length of a row is"):
        small = sv.KKT_FD(arm, [0.0], [0.0], [2.0], held)
    close(small.qdd, [0.0])
    C = sv.HandC(arm, [0.0], [0.0])[1]
    close(small.lambda_ * 1e-7, C - 2.0)


def test_second_derivatives_of_dependent_rows_are_refused() -> None:
    with pytest.raises(
        sv.SpatialError, match="rank: want 'raise' or 'nan', got 'minimum_norm'. With damp"
    ):
        derivatives.KKT_SO_derivatives(ARM, *BATCH, TIP, rank="minimum_norm")  # type: ignore[arg-type]


def test_velocities_of_a_linkage_closed_in_space_are_projected() -> None:
    model = four_bar()
    hinge = [sv.hinge_loop(2, sv.xlt([1, 0, 0]), -1, X_GROUND)]
    qd = sv.project_velocity(model, Q_BAR, [1.0, 2.0, 3.0], hinge)
    close(qd, sv.project_velocity(model, Q_BAR, [1.0, 2.0, 3.0], closed([3, 4])), 1e-11)
    assert np.abs(qd).max() > 0.1


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: P(2, "abc"), "point2 must be"),
        (lambda: P(2, ["a", "b", "c"]), "point2 must be numbers"),
        (lambda: P(2, FOOT, 1, "abc"), "point1 must be"),
        (lambda: P(2, FOOT, directions="x"), "directions must be"),
        (lambda: F(2, rows="abc"), "rows must be"),
        (lambda: sv.point_contact(2, normal="up"), "normal must be numbers"),
    ],
)
def test_strings_are_refused_as_points(make: Callable[[], Any], says: str) -> None:
    with pytest.raises(sv.SpatialError, match=says):
        sv.ConstraintSet(ARM, [make()])


@TWO_FORMS
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_the_unit_of_a_row_has_no_effect_on_the_rank(form: Callable[..., Any], size: float) -> None:
    """A row repeated in another unit leaves the rank, and the constraints that messages name, the
    same.
    """
    model = zoo.build("floating")
    s = zoo.states(model, np.random.default_rng(1), (2,))
    up = np.array([[0.0, 0.6, 0.8]])
    held = [P(1, FOOT), P(4, FOOT, directions=up), P(4, FOOT, directions=size * up)]
    says = r"their 5 rows have rank 4 only in 2 of 2 states: rows of constraints.1., constraints.2."
    with pytest.raises(sv.SpatialError, match=says + " are linearly dependent"):
        form(model, s.q, s.qd, s.tau, held)
    three = [P(4, r, directions=size * np.eye(3)) for r in np.eye(3)]
    with pytest.raises(sv.SpatialError, match="rank 6 only"):
        form(model, s.q, s.qd, s.tau, three)
    one = form(model, s.q, s.qd, s.tau, held[::2])
    other = form(model, s.q, s.qd, s.tau, held[:2])
    close(one.qdd, other.qdd, 1e-9)
    close(one.lambda_[:, 3] * size, other.lambda_[:, 3], 1e-9)


def test_massless_bodies_under_contradicting_rows_obey_the_equation_of_motion() -> None:
    """The equation of motion holds, and contradicting rows get the mean of their accelerations."""
    arm = autoTree(3)
    arm = arm.replace(I=[0 * I if i == 2 else I for i, I in enumerate(arm.I)])
    turned = sv.rotz(0.2) @ sv.xlt([1.0, 0, 0])
    held = [F(2, body1=1, frame1=X, rows=[2]) for X in (sv.xlt([1.0, 0, 0]), turned)]
    q, qd, tau = np.array([0.1, 0.2, 0.4]), np.zeros(3), np.array([1.0, 2.0, 3.0])
    how: dict[str, Any] = {"baumgarte": (10.0, 0.0), "rank": "minimum_norm"}
    qdd, lambda_ = sv.KKT_FD(arm, q, qd, tau, held, **how)
    H, C = sv.HandC(arm, q, qd)
    G, e = sv.constraint_jacobian(arm, q, held), sv.position_error(arm, q, held)
    assert abs(e[0] - e[1]) > 0.1
    close(H @ qdd - G.T @ lambda_, tau - C)
    close(G @ qdd, np.full(2, -10.0 * e.mean()))


def test_shortest_solutions_ignore_small_singular_values() -> None:
    """Singular values below 1e-10 of the largest one count as zero; NaN in one matrix does not
    affect the others.
    """
    for small, x in ((5e-11, 0.0), (5e-10, 1.0)):
        close(shortest(np.diag([2.0, 2 * small]), np.array([[2.0], [2 * small]])), [[1.0], [x]])
    wide = shortest(np.array([[3.0, 4.0]]), np.array([[5.0]]))
    close(wide, [[0.6], [0.8]])
    A = np.stack([np.eye(2), np.full((2, 2), np.nan), 2 * np.eye(2)])
    found = shortest(A, np.ones((3, 2, 1)))
    close(found[[0, 2], :, 0], [[1, 1], [0.5, 0.5]])
    assert np.isnan(found[1]).all()
