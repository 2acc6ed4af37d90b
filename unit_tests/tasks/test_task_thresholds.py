"""Numbers that decide about tasks: just beside them the decision is another."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from spatial_v2 import Model, PostureTask, SpatialError, mcI, point_contact, whole_body_problem
from spatial_v2.tasks.inverse_kinematics_of_tasks import _at_rest
from spatial_v2.tasks.operational_space_inertia import _check_regular

UNITS = pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])


@UNITS
@pytest.mark.parametrize(("share", "refused"), [(5e-13, True), (5e-12, False)])
def test_frames_that_cannot_accelerate(share: float, refused: bool, unit: float) -> None:
    size = np.array([unit, 1.0])
    A = np.outer(size, size) * np.array([[1.0, 1.0 - share], [1.0 - share, 1.0]])
    with pytest.raises(SpatialError, match="cannot accelerate") if refused else nullcontext():
        _check_regular(A)


@UNITS
@pytest.mark.parametrize(("share", "rests"), [(5e-7, True), (5e-6, False)])
def test_residuals_that_no_motion_reduces(share: float, rests: bool, unit: float) -> None:
    e = np.array([[unit, unit]])
    J = unit * np.array([[[1.0], [2 * share - 1.0]]])
    problem: Any = SimpleNamespace(
        linearise=lambda q, states: (e, J),
        units=lambda lengths: (1.0, np.ones((1, 1))),
        limits=SimpleNamespace(free=lambda q, slope: np.ones(slope.shape, dtype=bool)),
    )
    one = np.ones(1)
    assert _at_rest(problem, one[None], e, one.astype(int), one, 1e-10 * unit)[0] == rests


@pytest.mark.parametrize("length", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize(("share", "rows"), [(1e-8, 5), (1e-9, 3)])
def test_contacts_at_nearly_the_same_place(share: float, rows: int, length: float) -> None:
    """Two points of a foot, whose rows have the rank five, count as one point if they are nearer to
    each other than some 1e-9 of the robot's length.
    """
    I = mcI(1.0, [0, 0, 0], 0.4 * length**2 * np.eye(3))
    model = Model(parent=[-1], jtype=["Fb"], Xtree=[np.eye(6)], I=[I])
    q = np.append([1.0, 0, 0, 0], [0, 0, length])
    points = [point_contact(0, [0, 0, length * (1 + x)]) for x in (0.0, share)]
    one, two = (
        len(whole_body_problem(model, q, np.zeros(6), [PostureTask(q)], some).A)
        for some in (points[:1], points)
    )
    assert two - 6 - 2 * (one - 6 - 3) == rows
