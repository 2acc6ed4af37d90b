"""Closures of loops: refused couplings, configurations out of reach, rows of files."""

import pickle
import warnings

import numpy as np
import pytest
from helpers import near, parts
from mechanisms import (
    PIN,
    bars,
    curved_five_bar,
    five_bar,
    four_bar,
    four_bar_by_formula,
    geared_five_bar,
    links,
    slider_crank,
    walker,
)

from derivatives import ID_derivatives
from spatial_v2 import (
    CRBA,
    ID,
    FrameConstraint,
    Loop,
    ModelError,
    PointConstraint,
    SingularWarning,
    SpatialError,
    couple,
    loop_constraints,
    xlt,
)


def test_a_crank_turns_without_a_change_of_branch():
    """Angles of the rod and the rocker stay those of the formula for any angle of the crank."""
    model, formula = four_bar(), four_bar_by_formula()
    y = 0.7 + np.linspace(-np.pi, np.pi, 65)[:, None]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        q = model.coupling.configuration(y)
    wanted = formula.coupling.configuration(y)
    near(np.exp(1j * q), np.exp(1j * wanted), 1e-11)
    assert np.ptp(q[:, 2]) < 2.5
    # a turn of the crank turns the rod against it, and the rocker swings back
    far = model.coupling.configuration(np.array([0.7 + 2 * np.pi]))
    near(far - q[32], [2 * np.pi, -2 * np.pi, 0], 1e-10)


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_choices_do_not_depend_on_the_unit_of_length(scale):
    def grown(x):
        return xlt(scale * np.asarray(x))

    X = [grown([0, 0, 0]), grown([0.3, 0, 0]), grown([0, 0.05, 0])]
    tree = slider_crank().tree.replace(Xtree=X)
    pin = PointConstraint(2, [0, 0, 0], 1, [scale * 0.8, 0, 0])
    guess = [0.9, -1.1, scale]
    chosen = couple(tree, constraints=[pin], guess=guess)
    model = couple(slider_crank().tree, constraints=[PointConstraint(2, [0, 0, 0], 1, [0.8, 0, 0])],
                   guess=[0.9, -1.1, 1.0])  # fmt: skip
    assert chosen.joint_names == model.joint_names
    s = [x.coupling.describe().split("value ")[1] for x in (chosen, model)]
    assert s[0] == s[1]


BAD = [
    ({"constraints": [PIN], "independent": ["x"]}, "no joint is called 'x'"),
    ({"constraints": [PIN], "independent": [0, 1]}, "2 variables, 1 too many.*would serve"),
    ({"constraints": [PIN], "matrix": np.eye(3)}, "want either matrix=G.*others by mimic"),
    ({"mimic": {0: (1, [0, np.nan])}}, "coefficients.* of a polynomial"),
    ({"mimic": {0: (1, [0, 1]), "joint0": (2, [0, 1])}}, "follows two others; write matrix=G"),
    ({"mimic": {k: (None, [0]) for k in range(3)}}, "so that none moves"),
    ({"constraints": []}, "want at least one, got none"),
    ({"constraints": [PIN], "guess": [0, 0]}, r"guess: want shape \(3,\)"),
    ({"constraints": [PIN], "offset": [0, 0, 0]}, "offset: goes with matrix"),
    ({"matrix": np.eye(3), "independent": [0]}, "go with constraints or function"),
    ({"constraints": [PointConstraint(2, [0.2, 0, 0], 1, [0.1, 0, 0])]}, "cannot be closed"),
    ({"constraints": [FrameConstraint(2, xlt([0.7, 0, 0]), 1, xlt([0.9, 0, 0]), [2, 3, 4, 5])]},
     "restrict velocities, and are no closure"),
    ({"constraints": [PIN, PointConstraint(1, [0.5, 0.2, 0], point1=[0.5, 0.5, 0])]},
     "rigid|cannot be closed"),
    ({"function": 3, "independent": [0]}, "want a function of y"),
    ({"function": lambda y: y, "independent": [0]}, r"want q of shape \(3,\)"),
    ({"function": lambda y: y}, "independent: want the names"),
    ({"function": lambda y: np.array([float(y[0]), 0, 0]), "independent": [0]},
     "cannot be differentiated"),
    ({"function": lambda y: np.stack([2 * y[0], y[0], y[0]]), "independent": [0], "guess": [1]},
     "gives its own variables back"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "words"), BAD)
def test_bad_couplings(given, words):
    with pytest.raises(SpatialError, match=words):
        couple(bars(), **({"guess": [0.7, -0.1, 1.5]} if "constraints" in given else {}) | given)


def test_a_gear_between_independent_joints():
    model, free = geared_five_bar(), five_bar()
    q = model.coupling.configuration(np.array([1.9]))
    near(q[2], 2.5 - 0.7 * 1.9)
    near(q, free.coupling.configuration(q[[0, 2]]))
    L = np.array([[1], [-0.7]])
    near(CRBA(model, [1.9]), L.T @ CRBA(free, q[[0, 2]]) @ L)
    near(ID(model, q, [1.0], [2.0]), ID(model, [1.9], [1.0], [2.0]))
    again = pickle.loads(pickle.dumps(model)).replace(gravity=[0, 0, 0])
    near(CRBA(again, [1.9]), CRBA(model, [1.9]))
    off = free.coupling.configuration(np.array([1.9, 1.0]))
    with pytest.raises(SpatialError, match="differ by .* from those that they follow"):
        ID(model, off, [1.0], [2.0])
    with pytest.warns(SingularWarning, match="results of such states are NaN"):
        tau = ID(model, np.stack([q, off]), [1.0], [2.0])
    assert np.isfinite(tau[0]).all() and np.isnan(tau[1]).all()
    rows = [*free.coupling.constraints.constraints]
    given = {"constraints": rows, "independent": [0, 2], "guess": free.coupling.guess}
    for mimic, words in (
        ({1: (0, 1, 0)}, "'joint1' is not among the independent joints"),
        ({2: (0, 1, 9.0)}, "mimic: the loops do not close with it"),
        ({2: (2, 1, 0)}, "circle"),
        ({2: 0}, r"want \(joint, multiplier, offset\)"),
        ({2: (0, [])}, "coefficients.* of a polynomial, that of the constant first"),
        ({2: (2, [0.0, 1.0])}, "circle"),
        ({1: (0, [0.0, 0.0, 1.0])}, "'joint1' is not among the independent joints"),
        ({2: (0, [9.0, 0.0, 1.0])}, "mimic: the loops do not close with it"),
    ):
        with pytest.raises(ModelError, match=words):
            couple(free.tree, **given, mimic=mimic)


def test_joints_follow_by_polynomials():
    """Those of a tree alone as by its function, and those behind loops as written in full."""
    curve = {2: (0, [0.3, -0.2, 0.5]), 1: (2, 2.0, 0.1)}
    model = couple(bars(), mimic={2: (0, [0.3, -0.2, 0.5]), 1: (None, [0.1])})

    def gamma(y):
        return np.stack([y[0], 0.1 + 0 * y[0], 0.3 - 0.2 * y[0] + y[0] ** 2 / 2])

    by_function = couple(bars(), function=gamma, independent=[0])
    for f, given in ((ID, (1.0, 2.0)), (CRBA, ()), (ID_derivatives, (1.0, 2.0))):
        x = [np.array([z]) for z in (0.7, *given)]
        for a, b in zip(parts(f(model, *x)), parts(f(by_function, *x)), strict=True):
            near(a, b)
    q = couple(bars(), mimic=curve).coupling.configuration(np.array([0.4]))
    near(q, [0.4, 2 * (0.3 - 0.08 + 0.08) + 0.1, 0.3 - 0.08 + 0.08])
    model, free = curved_five_bar(), five_bar()
    q = model.coupling.configuration(np.array([1.9]))
    near(q[2], 2.5 - 0.9 * 1.9 + 0.05 * 1.9**2 + 0.01 * 1.9**3)
    near(q, free.coupling.configuration(q[[0, 2]]))
    again = pickle.loads(pickle.dumps(model)).replace(gravity=[0, 0, 0])
    near(CRBA(again, [1.9]), CRBA(model, [1.9]))
    near(ID(model, q, [1.0], [2.0]), ID(model, [1.9], [1.0], [2.0]))
    off = free.coupling.configuration(np.array([1.9, 1.0]))
    with pytest.raises(SpatialError, match="differ by .* from those that they follow"):
        ID(model, off, [1.0], [2.0])


def test_singular_configurations_and_states_out_of_reach():
    tree = slider_crank().tree
    pin = PointConstraint(2, [0, 0, 0], 1, [0.8, 0, 0])
    straight = np.arcsin(0.05 / 1.1)
    slide = couple(tree, constraints=[pin], independent=[2], guess=[0.9, -1.1, 1.0])
    top = 1.1 * np.cos(straight)
    with pytest.warns(SingularWarning, match="nearly singular for its independent joints"):
        ID(slide, [top - 1e-6], [0.0], [0.0])
    with pytest.raises(SpatialError, match="cannot be followed from the guess"):
        ID(slide, [top + 0.01], [0.0], [0.0])
    with pytest.warns(SingularWarning, match="cannot be closed in 1 of 2 states"):
        tau = ID(slide, [[top + 0.01], [0.9]], [0.0], [0.0])
    assert np.isnan(tau[0]).all() and np.isfinite(tau[1]).all()
    q = slide.coupling.configuration(np.array([0.9]))
    for bad in (q + 0.1, np.nan * q):
        with pytest.warns(SingularWarning, match="results of 1 of 2 states are NaN"):
            again = ID(slide, np.stack([q, bad]), [0.0], [0.0])
        near(again[0], tau[1])
        assert np.isnan(again[1]).all()
        with pytest.raises(SpatialError, match="is open by"):
            ID(slide, bad, [0.0], [0.0])
    at = [straight, 0.0, top]
    with pytest.raises(ModelError, match="do not determine the loop.*would serve"):
        couple(tree, constraints=[pin], independent=[2], guess=at)
    equal = links([-1, 0, -1], [(0, 0), (0.5, 0), (1, 0)], [(1, 0.2, 0, 0.1)] * 3)
    flat = PointConstraint(2, [0.5, 0, 0], 1, [1, 0, 0])
    with pytest.raises(ModelError, match="independent: .* too few|no joints"):
        couple(equal, constraints=[flat], independent=[0], guess=[0, 0, 0])


def test_loops_of_a_robot_file_are_closed():
    here, there = xlt([0.7, 0, 0]), xlt([0.9, 0, 0])
    point = Loop("point", "body1", there, "body2", here, np.eye(6)[:, 3:])
    pin = Loop("revolute", "body1", there, "body2", here, np.eye(6)[:, [0, 1, 3, 4, 5]])
    for loop in (point, pin):
        tree = bars().replace(loops={"pin": loop})
        rows = loop_constraints(tree)
        model = couple(tree, constraints=rows, independent=[0], guess=[0.7, -0.1, 1.5])
        near(ID(model, [0.7], [1.3], [-0.5]), [4.60823158956], 1e-11)


def test_rows_along_base_axes_of_a_moving_loop_are_refused():
    tree = walker().tree
    rows = [PointConstraint(3, [0.7, 0, 0], 2, [0.9, 0, 0], directions=np.eye(3)[[0, 2]])]
    with pytest.raises(ModelError, match="directions along axes of the base close no loop"):
        couple(tree, constraints=rows, guess=np.r_[1, np.zeros(6), [-0.7, 0.1, -1.5] * 2])


@pytest.mark.parametrize("axes", ["body1", "body2", "mixed"])
def test_which_rows_are_closures(axes):
    closed = [range(6), [0, 1, 2], [3, 4, 5]]
    bodies = [[0, 1, 3, 4, 5], range(5), [0, 1, 3, 4], [0, 1, 5], [0, 1], [0, 1, 2, 4]]
    never = [[2, 3, 4, 5], [0, 1, 3], [3, 4], [5]]
    good = closed if axes == "mixed" else closed + bodies
    tree = walker(1).tree
    for rows in [*closed, *bodies, *never]:
        row = FrameConstraint(3, xlt([0.7, 0, 0]), 2, xlt([0.9, 0, 0]), [*rows], axes)
        words = "no closure|close no loop"
        if rows in good:  # other reasons may stand against a closure of a planar leg
            words = "cannot be closed|rigid|too|hold in every"
        try:
            couple(tree, constraints=[row], guess=np.r_[1, np.zeros(6), -0.7, 0.1, -1.5])
        except ModelError as error:
            assert any(w in str(error) for w in words.split("|")), (axes, [*rows], error)
        else:
            assert rows in good
