"""Numbers that decide about closed loops: just beside them the decision is another."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import mechanisms
import numpy as np
import pytest
from helpers import near

from spatial_v2 import (
    ID,
    DistanceConstraint,
    FDab,
    FrameConstraint,
    Model,
    ModelError,
    RankWarning,
    SingularWarning,
    SpatialError,
    constraint_jacobian,
    couple,
    hinge_loop,
    mcI,
    xlt,
)
from spatial_v2.joints.table import PRISMATIC
from spatial_v2.mechanisms import choice, closed, states
from spatial_v2.mechanisms.closing import quality
from spatial_v2.mechanisms.resting import errors_of


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize(("share", "rank"), [(5e-8, 2), (5e-9, 1)])
def test_rows_that_count_as_independent(share: float, rank: int, size: float) -> None:
    assert choice.rank_of(size * np.diag([1.0, share])) == rank


def best(Jt: np.ndarray) -> tuple[int, ...]:
    """Return the independent joints of a loop of three joints with one variable."""
    model = SimpleNamespace(
        NV=3, NB=3, nv=np.ones(3, int), vinds=[slice(k, k + 1) for k in range(3)],
        joint_names=["a", "b", "c"],
    )  # fmt: skip
    loop: Any = SimpleNamespace(model=model)
    return choice._best(loop, Jt, 2)


@pytest.mark.parametrize(("share", "first"), [(0.2, 0), (0.05, 1)])
def test_joints_near_the_base_are_preferred(share: float, first: int) -> None:
    """If all joints but the first one give a tenth of the best singular value or more."""
    assert best(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 2 * share]])) == (first,)


@pytest.mark.parametrize(("share", "refused"), [(5e-6, True), (5e-5, False)])
def test_dependents_that_are_singular_are_refused(share: float, refused: bool) -> None:
    with pytest.raises(ModelError, match="branches") if refused else nullcontext():
        best(np.array([[1.0, 1.0, 1.0], [0.0, 0.0, 2 * share]]))


@pytest.mark.parametrize(("error", "refused"), [(5e-8, True), (5e-9, False)])
def test_configurations_count_as_closed(error: float, refused: bool) -> None:
    """The error counts in lengths of the loop."""
    model: Any = mechanisms.four_bar()
    branch = model.coupling.branches[0]
    q = branch.guess + 0.0
    J = errors_of(branch.loop, q)[1][:, 1] * branch.loop.row_scale
    q[1] += error / np.abs(J).max()
    with pytest.raises(SpatialError, match="is open by") if refused else nullcontext():
        ID(model, q, [1.0], [0.0])


@pytest.mark.parametrize(("size", "told"), [(5e-3, True), (5e-2, False)])
def test_nearly_singular_loops_are_told(
    size: float, told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    model: Any = mechanisms.four_bar()
    branch = model.coupling.branches[0]
    monkeypatch.setattr(states, "quality", lambda branch, q: np.full(len(q), size))
    with pytest.warns(SingularWarning, match="nearly singular") if told else nullcontext():
        states._judge(branch, branch.guess[None], np.zeros(1), np.zeros(1, dtype=bool), True)


def changed(model: Any, scale: float = 1.0, shift: Sequence[float] = (0, 0, 0)) -> Any:
    """Return a mechanism whose lengths are multiplied, and whose base is elsewhere."""
    tree, size = model.tree, np.array([1.0] * 3 + [scale] * 3)
    X = tree.Xtree * size[:, None] / size
    X[tree.parent < 0] @= xlt(shift)
    rows: list[Any] = []
    for x in model.coupling.constraints.constraints:
        if isinstance(x, FrameConstraint):
            frames = {
                k: np.asarray(getattr(x, k)) * size[:, None] / size for k in ("frame1", "frame2")
            }
            rows.append(replace(x, **frames))
        else:
            points = {k: scale * np.asarray(getattr(x, k), float) for k in ("point1", "point2")}
            rows.append(replace(x, **points))
    guess = model.coupling.guess.copy()
    for i, joint in enumerate(tree.layout.joints):
        if joint.kind == PRISMATIC:
            guess[tree.qinds[i]] *= scale
        elif joint.nq == 7:
            guess[tree.qinds[i]][4:] *= scale
    free = tree.replace(Xtree=np.where(np.abs(X) < 1e-300, 0.0, X))
    return couple(free, constraints=rows, independent=model.joint_names, guess=guess)


@pytest.mark.parametrize("name", ["four_bar", "four_bar_by_hinge", "slider_crank", "stewart"])
@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_the_verdict_on_singular_loops_has_no_unit(name: str, scale: float) -> None:
    model: Any = mechanisms.ZOO[name]()
    other = changed(model, scale)
    (one,), (two,) = model.coupling.branches, other.coupling.branches
    near(quality(two, two.guess), quality(one, one.guess), 1e-9)
    near(two.loop.length, scale * one.loop.length, 1e-9 * scale)
    assert set(other.joint_names) == set(model.joint_names)


@pytest.mark.parametrize("name", ["four_bar", "four_bar_by_hinge", "stewart_by_legs", "six_bar"])
@pytest.mark.parametrize("far", [10.0, 1e4])
def test_a_robot_far_from_its_base_is_judged_alike(name: str, far: float) -> None:
    rng = np.random.default_rng(0)
    model: Any = mechanisms.ZOO[name]()
    other: Any = changed(model, shift=[far, -far, 0])
    y, yd, ydd = mechanisms.state(model, rng, 5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        near(ID(other, y, yd, ydd), ID(model, y, yd, ydd), 1e-10 + 1e-15 * far)
    (one,), (two,) = model.coupling.branches, other.coupling.branches
    near(two.loop.row_scale, one.loop.row_scale, 1e-10)
    near(quality(two, two.guess), quality(one, one.guess), 1e-10)


def slid(z: float) -> Any:
    """Return the four-bar linkage with frames elsewhere on the axes of two joints."""
    tree: Any = mechanisms.bars()
    X = [xlt([0, 0, 0]), xlt([0.35, 0, z]), xlt([1, 0, -0.7 * z])]
    pin = hinge_loop(2, xlt([0.7, 0, 0.7 * z]), 1, xlt([0.9, 0, -z]))
    return couple(tree.replace(Xtree=X), constraints=[pin], independent=[0], guess=[0.7, -0.1, 1.5])


def test_offsets_along_axes_change_no_verdict() -> None:
    ((one,), (two,)) = (slid(z).coupling.branches for z in (0.0, 30.0))
    near(two.loop.length, one.loop.length, 1e-10)
    near(two.loop.row_scale, one.loop.row_scale, 1e-10)
    near(quality(two, two.guess), quality(one, one.guess), 1e-10)


@pytest.mark.parametrize(("far", "size"), [(0.8, 1.0), (1.2, 1.2)])
def test_how_far_coordinates_may_be(far: float, size: float) -> None:
    """Position errors count in lengths of a loop, if these are not rounding errors."""
    (branch,) = slid(0.0).coupling.branches
    (other,) = slid(50 * far * branch.loop.length).coupling.branches
    near(other.loop.size / branch.loop.length, size, 1e-9)


@pytest.mark.parametrize(("error", "refused"), [(5e-4, True), (5e-5, False)])
def test_rows_that_stay_open(error: float, refused: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that are nearly redundant may keep an error of 1e-4 of the length of the loop."""
    real = closed.close_all
    monkeypatch.setattr(closed, "close_all", lambda loop, q: (real(loop, q)[0], error))
    told: Any = (
        pytest.raises(ModelError, match="cannot be closed")
        if refused
        else pytest.warns(RankWarning, match="stay open")
    )
    with told:
        mechanisms.four_bar()


@pytest.mark.parametrize(("error", "refused"), [(5e-8, True), (5e-9, False)])
def test_configurations_that_obey_a_formula(error: float, refused: bool) -> None:
    model: Any = mechanisms.four_bar_by_formula()
    q = np.array(model.coupling.configuration(np.array([0.7])))
    q[2] += error
    with pytest.raises(SpatialError, match="differs from gamma") if refused else nullcontext():
        ID(model, q, [1.0], [0.0])


def slides(length: float) -> Model:
    """Return the tree of a crank and a slide, for robots of any size."""
    I = mcI(1.0, [0.3 * length, 0, 0], 0.1 * length**2 * np.eye(3))
    X = [np.eye(6), xlt([length, 0, 0]), np.eye(6)]
    return Model(parent=[-1, 0, -1], jtype=["Rz", "Rz", "Px"], Xtree=X, I=[I] * 3)


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("error", "refused"), [(5e-8, True), (5e-9, False)])
def test_slides_that_obey_a_formula(error: float, refused: bool, length: float) -> None:
    """The error counts in the tree's own length, for followers of a formula and of each other."""

    def gamma(y: Any) -> Any:
        return np.stack([y[0], 2 * y[0], length * y[0]])

    model = couple(slides(length), function=gamma, independent=[0], guess=[0.3])
    q = np.array([0.7, 1.4, (0.7 + error) * length])
    with pytest.raises(SpatialError, match="differs from gamma") if refused else nullcontext():
        ID(model, q, [1.0], [0.0])
    both = couple(
        slides(length), function=lambda y: np.stack([y[0], 2 * y[0], y[1]]), independent=[0, 2],
        mimic={2: (0, length, 0.0)}, guess=[0.3, 0.3 * length],
    )  # fmt: skip
    q = np.array([0.7, 1.4, (0.7 + error) * length])
    said = pytest.warns(SingularWarning, match="joints differ") if refused else nullcontext()
    with pytest.raises(SpatialError, match="joints differ") if refused else said:
        ID(both, q, [1.0], [0.0])


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize(("share", "refused"), [(5e-9, True), (5e-10, False)])
def test_formulas_that_give_slides_back(share: float, refused: bool, length: float) -> None:
    def gamma(y: Any) -> Any:
        return np.stack([y[0] / length, 2 * y[0] / length, y[0] + share * length])

    with pytest.raises(ModelError, match="gives its own") if refused else nullcontext():
        couple(slides(length), function=gamma, independent=[2], guess=[0.7 * length])


@pytest.mark.parametrize("length", [1e-12, 1.0, 1e12])
@pytest.mark.parametrize(("share", "refused"), [(3e-11, True), (3e-10, False)])
def test_slides_and_angles_that_depend_on_each_other(
    share: float, refused: bool, length: float
) -> None:
    """A radian counts as the tree's own length."""

    def gamma(y: Any) -> Any:
        return np.stack([y[0], y[1] / (share * length), y[1]])

    with pytest.raises(ModelError, match="are dependent") if refused else nullcontext():
        couple(
            slides(length), function=gamma, independent=[0, 2], guess=[0.7, 0.3 * length * share]
        )


@pytest.mark.parametrize(("share", "refused"), [(5e-9, True), (5e-10, False)])
def test_formulas_that_give_their_own_variables_back(share: float, refused: bool) -> None:
    def gamma(y: Any) -> Any:
        return np.stack([y[0] + share, 2 * y[0], 3 * y[0]])

    with pytest.raises(ModelError, match="gives its own") if refused else nullcontext():
        couple(mechanisms.bars(), function=gamma, independent=[0], guess=[0.7])


@pytest.mark.parametrize(("share", "refused"), [(5e-11, True), (5e-10, False)])
def test_formulas_of_variables_that_depend_on_each_other(share: float, refused: bool) -> None:
    """Of the derivative G the smallest singular value counts by the largest."""

    def gamma(y: Any) -> Any:
        return np.stack([y[0], y[1], y[0] / share])

    with pytest.raises(ModelError, match="are dependent") if refused else nullcontext():
        couple(mechanisms.bars(), function=gamma, independent=[0, 1], guess=[0.7, 0.3])


LINK = (1.2, 0.12, 0.02, 0.02)
BENT = (1.25**2 - 1 - 0.7**2) / 1.4
"""Cosine of the rocker's angle at which crank and rod are in line."""


def slider_by_rod(guess: Sequence[float], independent: list[int] | None) -> Any:
    """Return a slider and a crank, which a rod of 0.8 m connects."""
    tree = mechanisms.links([-1, -1], [(0, 0.05), (0, 0)], [(2.5, 0, 0, 0.01), LINK], ["Px", "Rz"])
    rod = DistanceConstraint(0, [0, 0, 0], 1, [0.3, 0, 0], distance=0.8)
    return couple(tree, constraints=[rod], independent=independent, guess=guess)


def rocker_by_rod(guess: Sequence[float], independent: list[int] | None) -> Any:
    """Return a rocker and a crank, which a rod of 0.9 m connects."""
    tree = mechanisms.links([-1, -1], [(1, 0), (0, 0)], [LINK, LINK])
    rod = DistanceConstraint(0, [0.7, 0, 0], 1, [0.35, 0, 0], distance=0.9)
    return couple(tree, constraints=[rod], independent=independent, guess=guess)


def at_crank(model: Any, angle: float) -> np.ndarray:
    """Return the closed configuration at an angle of the crank, near the guess."""
    crank = couple(
        model.tree, constraints=[*model.coupling.constraints.constraints], independent=[1],
        guess=model.coupling.guess,
    )  # fmt: skip
    return np.asarray(crank.coupling.configuration(np.array([angle])))


def share(model: Any, q: np.ndarray) -> float:
    """Return the part of the row of the rod that is the crank's, both without units."""
    loop = model.coupling.branches[0].loop
    s, c = loop.scaled(constraint_jacobian(loop.model, q, loop.constraints))[0]
    return float(abs(c) / np.hypot(s, c))


@pytest.mark.parametrize(
    ("make", "guess", "straight"),
    [
        (slider_by_rod, [1.0, 0.3], np.arcsin(0.05 / 1.1)),
        (rocker_by_rod, [1.8, 0.6], np.arctan2(0.7 * np.sqrt(1 - BENT**2), 1 + 0.7 * BENT)),
    ],
    ids=["slider-crank", "four-bar"],
)
def test_a_single_dependent_is_judged_at_its_dead_centre(
    make: Callable[..., Any], guess: Sequence[float], straight: float
) -> None:
    """Slider or rocker do not determine the crank where crank and rod are in line."""
    free = make(guess, [1])
    model = make(at_crank(free, 0.6), [0])
    slope = share(model, at_crank(free, straight + 1e-3)) / 1e-3
    for size, wanted in ((2e-2, "fine"), (5e-3, "told"), (5e-6, "refused")):
        q = at_crank(free, straight + size / slope)
        near(share(model, q), size, 0.05, least=0)
        near(quality(model.coupling.branches[0], q), share(model, q), 1e-6)
        for y in (q, q[:1]) if wanted != "refused" else (q,):
            for f in (FDab, ID):
                with told(wanted):
                    f(model, y, [1.0], [0.0])
            with told("told" if wanted == "refused" else wanted):
                assert np.isfinite(FDab(model, np.stack([y, y]), [1.0], [0.0])).all()
    dead = at_crank(free, straight)
    with pytest.raises(ModelError, match="do not determine the loop.*'joint1'.* would serve"):
        make(dead, [0])
    assert make(dead, None).joint_names == (free.tree.joint_names[1],)


def told(wanted: str) -> Any:
    """Return a context in which calls are as wanted: with a warning, an error, or nothing."""
    if wanted == "refused":
        return pytest.raises(SpatialError, match="is nearly singular for its independent joints")
    return pytest.warns(SingularWarning, match="nearly") if wanted == "told" else nullcontext()
