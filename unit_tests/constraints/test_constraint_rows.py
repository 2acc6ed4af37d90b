"""Constraint rows: each derivative agrees with a complex step of the quantity that it
differentiates.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
import zoo
from helpers import near
from public_functions import arguments

import spatial_v2 as sv
from spatial_v2.constraints.frame_relation import FrameRelation
from spatial_v2.constraints.motions import Motions
from spatial_v2.constraints.rows import Rows
from spatial_v2.dynamics import BodyJacobian

STEP = 1e-20
POINT = np.array([0.1, 0.2, 0.3])
X_C = sv.rotx(0.4) @ sv.roty(0.2) @ sv.xlt([0.1, 0.5, -0.3])
MODELS = ("mixed", "floating", "two_floating", "SE3", "helical", "negative", "branched", "rotors",
          "planar_tree", "one_S")  # fmt: skip
models = pytest.mark.parametrize("name", zoo.over(MODELS))
Get = Callable[[Any], np.ndarray]


class State:
    """A model at a random state, for checks of constraint rows."""

    def __init__(self, name: str) -> None:
        self.model: sv.Model = zoo.build(name)
        rng = np.random.default_rng(4)
        self.q, self.qd, self.qdd = arguments(self.model, ["q", "qd", "qdd"], rng).values()
        self.last, self.weight = self.model.NB - 1, rng.normal(size=6)

    def motions(self, dq: Any = None, dqd: Any = 0.0) -> Motions:
        q = self.q if dq is None else sv.configurationAddition(self.model, self.q, dq)
        return Motions(self.model, q, self.qd + dqd, self.qdd)


def along(state: State, make: Callable[[Motions], Any], get: Get, *, rates: bool) -> np.ndarray:
    """Compute derivatives of ``get(make(motions))`` along q, or with respect to qd if `rates`;
    their axis is the last.
    """
    steps = 1j * STEP * np.eye(state.model.NV)
    motions = state.motions(dqd=steps) if rates else state.motions(dq=steps)
    return np.moveaxis(get(make(motions)).imag / STEP, 0, -1)


close = partial(near, tolerance=1e-13)


def column(name: str) -> Get:
    return lambda rows: getattr(rows, name)[..., 0]


def whole(name: str) -> Get:
    return lambda rows: getattr(rows, name)


@models
def test_rows_of_a_body_frame_are_its_jacobian(name: str) -> None:
    """For a frame of the body itself, the rows are those of `BodyJacobian`."""
    s = State(name)
    if s.model.is_planar:
        pytest.skip("its Jacobian has three rows")
    rows = FrameRelation(s.motions(), -1, s.last, s.last, X_C)
    close(rows.in_C(rows.G), BodyJacobian(s.model, s.q, s.last, X_C))


every_tree = pytest.mark.parametrize("name", ["mixed", "SE3", "negative", "planar_tree"])


@pytest.mark.parametrize("error", ["sine", "log6"])
@pytest.mark.parametrize("axes", ["body1", "body2", "mixed"])
@every_tree
def test_rows_of_frames_agree_with_the_reference(name: str, axes: Any, error: Any) -> None:
    """Kernel and reference implementation agree on frames in three kinds of axes.

    Frames are far from their targets and have both kinds of position error.
    """
    s = State(name)
    X = [X_C, sv.roty(2.8) @ X_C]
    if s.model.is_planar:
        X = [sv.plnr(0.4, [0.3, -0.2]), sv.plnr(2.5, [0.1, 0.2])]
    for one in other_ends(s):
        constraint = sv.FrameConstraint(s.last, X[0], one, X[1], axes=axes, error=error)
        check_rows(s, sv.ConstraintSet(s.model, [constraint]))


@every_tree
def test_rows_of_distances_agree_with_the_reference(name: str) -> None:
    """Kernel and reference implementation agree on distances of points."""
    s = State(name)
    d = len(s.model.gravity)
    for one in other_ends(s):
        constraint = sv.DistanceConstraint(s.last, POINT[:d], one, -POINT[:d], distance=0.7)
        check_rows(s, sv.ConstraintSet(s.model, [constraint]))


def other_ends(s: State) -> set[int]:
    """Return the base, and a body between it and the last one."""
    return {-1, s.last // 2} - {s.last}


def check_rows(s: State, held: sv.ConstraintSet) -> None:
    """Check that derivatives agree with complex steps, and that rates are products with qd.

    The velocity w is ``G qd``, alpha its time derivative, and ``e_q qd`` that of the position error
    e.
    """

    def make(motions: Motions) -> Any:
        return Rows(held.relations, motions)

    rows = make(s.motions())
    close(rows.w[..., 0], rows.G @ s.qd)
    for of, name in {"G": "G_q", "alpha_q": "alpha_qq", "e_q": "e_qq"}.items():
        close(getattr(rows, name), along(s, make, whole(of), rates=False))
    for of, name in {"w": "w_q", "alpha": "alpha_q", "e": "e_q"}.items():
        close(getattr(rows, name), along(s, make, column(of), rates=False))
    close(rows.G, along(s, make, column("w"), rates=True))
    close(rows.alpha_qd, along(s, make, column("alpha"), rates=True))
    close(rows.alpha_qv, along(s, make, whole("alpha_q"), rates=True))
    close(rows.alpha_vv, along(s, make, whole("alpha_qd"), rates=True))
    weight = s.weight[: held.m]
    weighted = along(s, make, lambda x: np.einsum("c,...ckl->...kl", weight, x.G_q), rates=False)
    close(rows.G_qq(weight), weighted)
    moved = s.motions(dq=1j * STEP * s.qd, dqd=1j * STEP * s.qdd)
    close(rows.alpha[..., 0], make(moved).w[..., 0].imag / STEP)
    close(rows.e_q @ s.qd, make(moved).e[..., 0].imag / STEP)


@pytest.mark.parametrize("name", zoo.MODELS)
def test_the_base_stands_still_without_gravity(name: str) -> None:
    """The base has zero velocity and no acceleration.

    Vectors of every body, and of the base, are columns, one for each state of a batch.
    """
    model = zoo.build(name)
    q, qd, qdd = arguments(model, ["q", "qd", "qdd"], np.random.default_rng(4)).values()
    motions = Motions(model, *(np.stack([x, x]) for x in (q, qd, qdd)))
    for body in range(-1, model.NB):
        assert motions.v(body).shape == motions.a(body).shape == (2, 6, 1)
        assert np.broadcast_shapes(motions.pose(body).shape, (6, 6))[-2:] == (6, 6)
    np.testing.assert_array_equal(motions.v(-1), 0)
    np.testing.assert_array_equal(motions.a(-1), 0)


@models
def test_rows_are_no_longer_than_they_could_be(name: str) -> None:
    """Scaled rows have sizes of at most 2, the sum over both ends, wherever the base is one of
    them.
    """
    state = State(name)
    for ends in ((state.last, -1), (-1, state.last), (state.last, 0), (0, state.last)):
        if ends[0] != ends[1] and not state.model.is_planar:
            held = sv.ConstraintSet(state.model, [sv.FrameConstraint(ends[0], X_C, ends[1], X_C)])
            sizes = held.rows(state.model, state.q, state.qd, state.qdd).sizes
            assert ((sizes >= 0) & (sizes <= 2)).all()
            assert sizes.any()
