"""Numbers that decide about constraint rows: just beside them the decision is another."""

import warnings
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from helpers import near

import spatial_v2 as sv
from derivatives import KKT_FO_derivatives
from derivatives.constrained import rank_constant
from spatial_v2.constraints.rank import independent
from spatial_v2.constraints.rank_texts import lost_texts
from spatial_v2.constraints.turned import turned
from spatial_v2.engine.parts.outcomes import NOTABLE, report_length, report_of
from spatial_v2.model.scale import own_length

BALL = sv.mcI(1, [0, 0, 0], np.eye(3))
UNITS = pytest.mark.parametrize("length", [1e-3, 1.0, 1e3])


@pytest.mark.parametrize(("excess", "second"), [(5e-10, 1), (5e-9, 2)])
def test_the_first_of_rows_that_are_equally_independent_is_chosen(
    excess: float, second: int
) -> None:
    sines = 0.5 * np.sqrt([1.0, 1.0 + excess])
    cosines = np.sqrt(1 - sines**2)
    rows = np.array([[1.0, 0, 0], [cosines[0], sines[0], 0], [cosines[1], 0, sines[1]]])
    assert independent(rows).order.tolist()[:2] == [0, second]


@pytest.mark.parametrize(("change", "told"), [(5e-6, True), (5e-7, False)])
def test_accelerations_that_refinement_changes_are_told(change: float, told: bool) -> None:
    x = np.ones((1, report_length(1)))
    x[0, :5] = NOTABLE, 1, -1, 1, change
    assert bool(lost_texts(report_of(x))) == told


@UNITS
@pytest.mark.parametrize(("share", "changes"), [(3e-7, True), (3e-8, False)])
def test_a_rank_that_changes_with_the_configuration(
    share: float, changes: bool, length: float
) -> None:
    """A row that depends on another one here, and next to it by a share of the robot's length, has
    derivatives up to a share of 1e-7.
    """
    I = sv.mcI(1, [0, 0, 0], length**2 * np.eye(3))
    model = sv.Model(parent=[-1, 0, -1], jtype=["Px", "Rz", "Rz"], Xtree=[np.eye(6)] * 3, I=[I] * 3)
    held = [
        sv.PointConstraint(0, directions=[[1, 0, 0]]),
        sv.PointConstraint(1, [share * length, 0, 0], directions=[[1, 0, 0]]),
        sv.PointConstraint(2, [length, 0, 0], directions=[[0, 1, 0]]),
    ]
    q, qd = np.array([0, 0, 0.7]), np.array([0, 1.0, 0])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", sv.RankWarning)
        found = KKT_FO_derivatives(model, q, qd, np.ones(3), held, rank="minimum_norm")
    assert np.isnan(found.dqdd_dq).any() == changes
    assert any("changes with the configuration" in str(x.message) for x in said) == changes


@UNITS
@pytest.mark.parametrize(("share", "changes"), [(3e-7, True), (3e-8, False)])
def test_changes_of_a_rank_are_judged_in_any_unit(
    share: float, changes: bool, length: float
) -> None:
    """Derivatives of rows of angles and of distances, by turns and slides, count alike."""
    I = sv.mcI(1, [0, 0, 0], length**2 * np.diag([0.5, 0.5, 1.0]))
    model = sv.Model(parent=[-1, 0], jtype=["Rz", "Px"], Xtree=[np.eye(6)] * 2, I=[I] * 2)
    near(own_length(model), length, 1e-12)
    far, row = np.array([length, 1.0]), np.array([length, 1.0])
    G_q = np.ones((2, 2, 2)) * row[:, None, None] * far[:, None] * far / length
    missing: Any = SimpleNamespace(missed=lambda b: share * b / 2)
    U = np.ones((2, 2)) / far[:, None] / far
    nothing = np.zeros((2, 2))
    with pytest.warns(sv.RankWarning) if changes else nullcontext():
        G, sizes = row[:, None] * far, np.ones(2)
        P, _ = rank_constant(model, missing, G, sizes, G_q, U, nothing, nothing)
    assert np.isnan(P).all() == changes


@UNITS
@pytest.mark.parametrize(("apart", "meet"), [(3e-15, True), (2e-14, False)])
def test_points_meet_up_to_rounding(apart: float, meet: bool, length: float) -> None:
    """Points 16 units of rounding of their coordinates apart have no direction between them."""
    model = sv.Model(parent=[-1], jtype=["Px"], Xtree=[np.eye(6)], I=[BALL])
    ends = [sv.DistanceConstraint(-1, [length, 0, 0], 0, [length, 0, 0])]
    if meet:
        with pytest.raises(sv.SpatialError, match="points meet"):
            sv.constraint_jacobian(model, [apart * length], ends)
    else:
        assert sv.constraint_jacobian(model, [apart * length], ends).shape == (1, 1)


@pytest.mark.parametrize(("degrees", "far"), [(90, 0), (165, 0), (175, 1), (180, 1)])
def test_frames_that_differ_by_half_a_turn(degrees: float, far: bool) -> None:
    model = sv.Model(parent=[-1], jtype=["Rz"], Xtree=[np.eye(6)], I=[BALL])
    held = sv.ConstraintSet(model, [sv.FrameConstraint(0, np.eye(6))])
    assert bool(turned(model, np.array([np.radians(degrees)]), held).get(0, False)) == far
