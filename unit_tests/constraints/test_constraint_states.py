"""Constraints at unusual states: out of reach, half turns, NaN and infinity, batches."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import zoo
from constraint_samples import FOOT, TWO_FORMS, D, F, P, placed_near
from helpers import near

import spatial_v2 as sv
from derivatives import KKT_FO_derivatives
from spatial_v2.constraints import turned
from spatial_v2.exceptions import ConvergenceWarning, RankWarning
from spatial_v2.models import autoTree


# States that violate the constraints are no error; projections correct them.
def test_inconsistent_states_have_dynamics_and_projections(
    model: sv.Model, state: zoo.State
) -> None:
    s = state
    held = placed_near(model, [P(4, FOOT), F(2, rows=[0, 3])], s.q)
    assert np.abs(sv.constraint_velocity(model, s.q, s.qd, held)).max() > 0.1
    assert np.abs(sv.position_error(model, s.q, held)).max() > 0.01
    qdd, _ = sv.KKT_FD(model, s.q, s.qd, s.tau, held)
    rows = sv.constraint_jacobian(model, s.q, held) @ qdd + sv.constraint_bias(
        model, s.q, s.qd, held
    )
    near(rows, np.zeros(5), 1e-11)
    qd = sv.project_velocity(model, s.q, s.qd, held)
    near(sv.constraint_velocity(model, s.q, qd, held), np.zeros(5))
    near(qd, sv.Impact_dyn(model, s.q, s.qd, held, 0.0).qd_plus)
    found = sv.project_configuration(model, s.q, held)
    assert found.converged
    near(sv.position_error(model, found.q, held), np.zeros(5))


def test_configurations_out_of_reach_are_told_with_the_residual() -> None:
    """If the target is out of reach, the projection says so and returns the remaining distance.

    An arm of three unit links is to reach a point at distance four.
    """
    held = [P(2, [1.0, 0, 0], point1=[4.0, 0, 0])]
    found = sv.project_configuration(autoTree(3), [0.3, 0.4, -0.2], held)
    assert not found.converged
    assert found.residual > 0.9


def test_the_first_of_configurations_with_the_least_error_is_returned() -> None:
    """A straight arm that points at a target out of reach stays as it is, without any step."""
    held = [P(2, [1.0, 0, 0], point1=[4.0, 0, 0])]
    q = np.array([[0.0, 0.0, 0.0], [0.3, 0.4, -0.2], [0.0, 0.0, 0.0]])
    found = sv.project_configuration(autoTree(3), q, held)
    assert not found.converged.any()
    assert found.iterations[0] == found.iterations[2] == 0 < found.iterations[1]
    np.testing.assert_array_equal(found.q[::2], q[::2])
    assert (found.residual[::2] == 1.0).all()


@TWO_FORMS
@pytest.mark.parametrize("name", ["one_Fb", "planar_chain"])
def test_frames_turned_by_nearly_pi_are_warned_of(form: Callable[..., Any], name: str) -> None:
    """A warning names the constraint whose frames are rotated by nearly pi, where the sine of the
    angle vanishes.
    """
    model = zoo.build(name)
    q = sv.random_configuration(model, np.random.default_rng(1))
    held = list(sv.ConstraintSet(model, [P(0), F(0)]).placed(model, q).constraints)
    turn = np.zeros(model.NV)
    turn[0] = np.pi - 0.1
    q = sv.configurationAddition(model, q, turn)
    zero, foot = np.zeros(model.NV), held[1:]
    with pytest.warns(ConvergenceWarning, match=r"constraints\[1\]: its frames are turned"):
        sv.position_error(model, q, held)
    options: dict[str, Any] = {"rank": "minimum_norm"}
    with pytest.warns(ConvergenceWarning, match=r"constraints\[0\]: .* turned by nearly pi"):
        form(model, q, zero, zero, foot, baumgarte=(1.0, 1.0), **options)
    with pytest.warns(ConvergenceWarning, match=r"nearly pi.* in 1 of 2 states"):
        sv.position_error(model, np.stack([q, sv.configurationAddition(model, q, -turn)]), foot)
    with pytest.warns(ConvergenceWarning, match="nearly pi"):
        found = sv.project_configuration(model, q, foot)
    assert not found.converged
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        form(model, q, zero, zero, foot, **options)
        form(model, q, zero, zero, foot, baumgarte=(0.0, 1.0), **options)
        sv.position_error(
            model, q, [replace(foot[0], rows=[1, 2] if model.is_planar else [3, 4, 5])]
        )


def test_the_poses_of_a_projection_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the last step, one evaluation of the poses serves the warning and `converged`."""
    calls, whole = [], turned.forward_kinematics
    monkeypatch.setattr(
        turned, "forward_kinematics", lambda *given: calls.append(given) or whole(*given)
    )
    model = zoo.build("one_Fb")
    q = sv.random_configuration(model, np.random.default_rng(1))
    held = sv.ConstraintSet(model, [F(0)]).placed(model, q)
    assert sv.project_configuration(model, q, held).converged
    assert len(calls) == 1


@pytest.mark.parametrize("axes", ["body1", "body2", "mixed"])
@pytest.mark.parametrize("tilt", [0.0, 0.2])
def test_hinges_turn_by_pi_about_their_axis_only(axes: Any, tilt: float) -> None:
    """A half turn about the free axis satisfies a hinge; a tilt of its axis does not, although the
    position error, a sine, vanishes for both.
    """
    model = autoTree(1).replace(jtype=["Fb"], Xtree=[np.eye(6)], gravity=[0, 0, 0])
    q = sv.configurationAddition(model, [1.0, *np.zeros(6)], [0, 0, np.pi, 0, 0, 0])
    q = sv.configurationAddition(model, q, [tilt, 0, 0, 0, 0, 0])
    hinge = F(0, frame1=np.eye(6), rows=[0, 1, 3, 4, 5], axes=axes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if tilt else "error")
        found = sv.project_configuration(model, q, [hinge])
    assert found.residual < 1e-12
    assert found.converged == (tilt == 0.0)
    both = np.stack([q, [1.0, *np.zeros(6)]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert sv.project_configuration(model, both, [hinge]).converged.tolist() == [
            tilt == 0.0,
            True,
        ]


def test_constraints_hold_in_both_directions() -> None:
    """A contact also pulls: the multiplier of a body that gravity accelerates upwards
    is negative.
    """
    model = zoo.build("one_Fb").replace(gravity=[0, 0, 9.81])
    q, zero = sv.random_configuration(model, np.random.default_rng(1)), np.zeros(6)
    assert sv.KKT_FD(model, q, zero, zero, [sv.point_contact(0, normal=[0, 0, 1])]).lambda_[0] < 0


@pytest.mark.parametrize("axes", ["body1", "body2", "mixed"])
@pytest.mark.parametrize("angle", [np.pi - 1e-7, np.pi])
def test_half_turns_have_a_logarithm(axes: Any, angle: float) -> None:
    """The error log6 has the length of the angle up to pi; the projection converges without a
    warning.
    """
    model = autoTree(1).replace(jtype=["Fb"], Xtree=[np.eye(6)], gravity=[0, 0, 0])
    q = np.array([np.cos(angle / 2), 0.0, np.sin(angle / 2), 0.0, 0.3, -0.2, 0.1])
    weld = F(0, frame1=np.eye(6), axes=axes, error="log6")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        e = sv.position_error(model, q, [weld])
        found = sv.project_configuration(model, q, [weld])
    near(np.linalg.norm(e[:3]), angle, 1e-14)
    assert found.converged
    near(np.abs(found.q), np.eye(7)[0], 1e-12)
    with pytest.warns(ConvergenceWarning, match="error='log6'"):
        assert not sv.project_configuration(model, q, [F(0, frame1=np.eye(6), axes=axes)]).converged


def test_points_that_meet_have_no_direction(model: sv.Model) -> None:
    """A distance constraint is an error where its points coincide up to rounding, in a batch NaN
    for these states, and an error if its distance is not given.
    """
    for seed in range(20):
        q = sv.random_configuration(model, np.random.default_rng(seed))
        meet = D(3, point1=P(3).placed(model, q).point1)
        with pytest.raises(sv.SpatialError, match=r"constraints\[0\]: its points meet"):
            sv.constraint_jacobian(model, q, [meet])
    far = sv.random_configuration(model, np.random.default_rng(20))
    both = np.stack([far, q, far])
    here = D(3, point1=P(3).placed(model, q).point1, distance=1.0)
    zero = np.zeros(model.NV)
    for call in (
        lambda q: sv.constraint_jacobian(model, q, [here]),
        lambda q: sv.position_error(model, q, [here]),
        lambda q: sv.KKT_FD(model, q, zero, zero, [here]).qdd,
        lambda q: sv.Impact_dyn(model, q, zero + 1, [here]).qd_plus,
        lambda q: KKT_FO_derivatives(model, q, zero, zero, [here]).dqdd_dq,
    ):
        with pytest.warns(RankWarning, match=r"meet in 1 of 3 states.*states are NaN"):
            found = call(both)
        near(found[0], call(far), 1e-11)
        near(found[2], call(far), 1e-11)
        assert np.isnan(found[1]).any()
    near_by = D(3, point1=np.add(meet.point1, [0, 0, 1e-6]))
    assert np.isfinite(sv.constraint_jacobian(model, q, [near_by])).all()
    apart = D(3, point1=[5.0, 0.0, 0.0])
    with pytest.raises(sv.ModelError, match=r"constraints\[0\]: no distance.* placed"):
        sv.position_error(model, q, [apart])
    near(sv.position_error(model, q, [apart.placed(model, q)]), np.zeros(1))
