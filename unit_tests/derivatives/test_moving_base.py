"""Dynamics of a moving base: the paper's tables agree with the library and with complex steps, and
Fig. 5 is reproduced.

The paper is Bos, Traversaro, Pucci, Saccon (2022). The reference implementations follow its tables;
the library's functions do not: they call kernels of other functions.
"""

from typing import Any

import numpy as np
import pytest
import zoo
from helpers import FORMS, all_near, in_form, near

import spatial_v2 as sv
from benchmarks.paper_003 import geometric_differences as fig_5
from benchmarks.paper_003.robot import moving_robot, perturbed
from derivatives import EIDAmb_derivatives, ID_derivatives
from derivatives.reference import complex_step, complex_step_q

CHARTS = ("inertial", "body", "mixed")
MOVING = ["one_Fb", "one_SE3", "floating", "SE3", "mixed", "floating_rotors", "moving robot"]
moving = pytest.mark.parametrize("name", zoo.over(MOVING))
charts = pytest.mark.parametrize("velocity", CHARTS)
both_forms = pytest.mark.parametrize("form", FORMS)
TOL = 1e-13
"""Tolerance relative to the largest entry of a result; rounding errors are about a tenth of it."""


def draw(name: str, shape: tuple[int, ...] = (3,)) -> tuple[sv.Model, zoo.State]:
    model = moving_robot() if name == "moving robot" else zoo.build(name)
    return model, zoo.states(model, np.random.default_rng([*name.encode(), *shape]), shape)


def base_transform(model: sv.Model, q: Any) -> Any:
    """Return the transform of motion vectors from base coordinates to body 0."""
    return sv.forward_kinematics(model, q).X0[..., 0, :, :]


def velocity_of(model: sv.Model, q: np.ndarray, qd: np.ndarray, velocity: str) -> np.ndarray:
    """Compute the velocity of the base in a chart, followed by the joint velocities.

    The chart "body", "mixed" or "inertial" says in which coordinates the twist of body 0 is. It is
    computed from the rate of the pose by a complex step along qd.
    """
    if velocity == "body":
        return qd
    E, p = sv.plux(base_transform(model, sv.configurationAddition(model, q, 1e-20j * qd)))
    R = np.swapaxes(E, -1, -2)
    turn = (R.imag / 1e-20) @ np.swapaxes(R.real, -1, -2)
    w = np.stack([turn[..., 2, 1], turn[..., 0, 2], turn[..., 1, 0]], axis=-1)
    v = p.imag / 1e-20
    if velocity == "inertial":
        v = v - np.cross(w, p.real)
    return np.concatenate([w, v, qd[..., 6:]], axis=-1)


def held(model: sv.Model, s: zoo.State, velocity: str) -> np.ndarray:
    """Return the accelerations that `EIDAmb` takes in a chart, for accelerations qdd in body
    coordinates.
    """
    if velocity != "mixed":
        return s.qdd
    E = base_transform(model, s.q)[..., :3, :3]
    w, v = s.qd[..., :3], s.qd[..., 3:6]
    parts = [s.qdd[..., :3], s.qdd[..., 3:6] + np.cross(w, v)]
    turned = [(np.swapaxes(E, -1, -2) @ x[..., None])[..., 0] for x in parts]
    return np.concatenate([*turned, s.qdd[..., 6:]], axis=-1)


@both_forms
@charts
@moving
def test_table_4_is_inverse_dynamics(name: str, velocity: Any, form: str) -> None:
    """``[tau_b; tau]`` of Table 4, base wrench and joint forces, are those of a floating joint in
    all charts.
    """
    model, s = draw(name)
    nu = velocity_of(model, s.q, s.qd, velocity)
    found = in_form(form, sv.EIDAmb)(model, s.q, nu, held(model, s, velocity), velocity=velocity)
    near(found, sv.ID.reference(model, s.q, s.qd, s.qdd), TOL)


@both_forms
@charts
@moving
def test_tables_5_to_8_are_derivatives(name: str, velocity: Any, form: str) -> None:
    """The tables agree with complex steps of Table 4 along base motions, joint positions and
    velocities.
    """
    model, s = draw(name)
    found = in_form(form, EIDAmb_derivatives)(model, s.q, s.qd, s.qdd, velocity=velocity)

    def along_q(q: Any) -> Any:
        return sv.EIDAmb.reference(model, q, s.qd, s.qdd, velocity=velocity)

    def by_qd(qd: Any) -> Any:
        return sv.EIDAmb.reference(model, s.q, qd, s.qdd, velocity=velocity)

    by_q, by_v = complex_step_q(model, along_q, s.q), complex_step(by_qd, s.qd)
    all_near(found, [by_q[..., :6], by_q[..., 6:], by_v[..., :6], by_v[..., 6:]], TOL)


@both_forms
@moving
def test_blocks_are_those_of_the_library(name: str, form: str) -> None:
    """The blocks in body and inertial chart follow from the derivatives of `ID`.

    In the inertial chart, with v the body twist and X the transform of the base,
    ``D1 = dtau_dq + dtau_dqd crm(v)`` and ``D3 = dtau_dqd X`` for the columns of the base. In the
    body chart they are dtau_dq and dtau_dqd.
    """
    model, s = draw(name)
    by_q, by_qd = ID_derivatives.reference(model, s.q, s.qd, s.qdd)
    joints = by_q[..., 6:], by_qd[..., 6:]
    D = in_form(form, EIDAmb_derivatives)(model, s.q, s.qd, s.qdd, velocity="body")
    all_near(D, [by_q[..., :6], joints[0], by_qd[..., :6], joints[1]], TOL)

    nu = velocity_of(model, s.q, s.qd, "inertial")
    D = in_form(form, EIDAmb_derivatives)(model, s.q, nu, s.qdd)
    D1 = by_q[..., :6] + by_qd[..., :6] @ sv.crm(s.qd[..., :6, None])
    near(D.D1, D1, TOL)
    near(D.D3, by_qd[..., :6] @ base_transform(model, s.q), TOL)
    all_near([D.D2, D.D4], joints, TOL)
    assert np.abs(D1 - by_q[..., :6]).max() > 0.1


@both_forms
@moving
def test_table_9_is_the_inverse(name: str, form: str) -> None:
    """The result is the inverse of H, including its lower left block (rows of the joints, columns
    of the base), which Table 9 leaves at zero.
    """
    model, s = draw(name)
    found = in_form(form, sv.IMMAmb)(model, s.q)
    near(found, sv.Hinverse.reference(model, s.q), TOL)
    near(found @ sv.CRBA(model, s.q), np.broadcast_to(np.eye(model.NV), found.shape), 1e-12)
    near(found[..., 6:, :6], np.swapaxes(found[..., :6, 6:], -1, -2), 1e-14)
    if model.NV > 6:
        assert np.abs(found[..., 6:, :6]).max() > 0.01


@both_forms
@charts
def test_the_base_is_held_by_the_weight(velocity: Any, form: str) -> None:
    """The base wrench at rest carries the weight upwards: gravity in the tables has the
    right sign.
    """
    model, s = draw("moving robot", ())
    still = 0 * s.qd
    wrench = in_form(form, sv.EIDAmb)(model, s.q, still, still, velocity=velocity)[:6]
    about_base = base_transform(model, s.q).T @ wrench
    mass = model.I[:, 5, 5].sum()
    near(about_base[3:], [0, 0, 9.81 * mass], TOL)


def test_inertial_twist_is_about_the_origin_of_the_base() -> None:
    """The inertial twist is about the origin of the base: after a displacement, the same motion has
    another twist.
    """
    model, s = draw("moving robot", ())
    far = s.q.copy()
    far[4:7] += [3.0, -2.0, 5.0]
    here, there = (velocity_of(model, q, s.qd, "inertial") for q in (s.q, far))
    near(sv.EIDAmb(model, far, there, s.qdd), sv.EIDAmb(model, s.q, here, s.qdd), 1e-12)
    assert np.abs(there - here).max() > 1
    near(there[:3], here[:3], TOL)


FUNCTIONS = {"EIDAmb": 3, "EIDAmb_derivatives": 3, "IMMAmb": 1}
OTHER: dict[str, Any] = {
    "chain": "joint 0 is 'Rx'",
    "planar_tree": "joint 0 is 'r'",
    "massless": "joint 0 is 'Px'",
    "two_floating": r"bodies \[0, 3\] are on it",
}


@both_forms
@pytest.mark.parametrize("name", OTHER)
@pytest.mark.parametrize("function", [sv.EIDAmb, EIDAmb_derivatives, sv.IMMAmb], ids=FUNCTIONS)
@pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
def test_models_without_a_moving_base_are_refused(function: Any, name: str, form: str) -> None:
    """The error says what the model has, and how to give it a floating joint."""
    model = zoo.build(name)
    count = FUNCTIONS[function.__name__]
    args = [np.zeros(model.NQ), *[np.zeros(model.NV)] * 2][:count]
    message = rf"{function.__name__}: want a moving base: .*{OTHER[name]}.*'Fb'"
    with pytest.raises(sv.ModelError, match=message):
        in_form(form, function)(model, *args)


@both_forms
@pytest.mark.parametrize("function", [sv.EIDAmb, EIDAmb_derivatives])
@pytest.mark.parametrize("wrong", ["Body", "world", None, 1, ["body"]])
@pytest.mark.parametrize("shape", [(), (0,), (4,)])
def test_unknown_options_are_refused(
    function: Any, wrong: Any, shape: tuple[int, ...], form: str
) -> None:
    model, s = draw("floating", shape)
    with pytest.raises(sv.SpatialError, match="velocity: want 'inertial', 'body' or 'mixed'"):
        in_form(form, function)(model, s.q, s.qd, s.qdd, velocity=wrong)


class TestFig5:
    """Geometric finite differences compared with the tables, as in Fig. 5."""

    model = moving_robot()
    state = perturbed(model)
    truth = EIDAmb_derivatives(model, *state)._asdict()

    def errors(self, delta: float) -> dict[str, float]:
        found = fig_5.differences(self.model, *self.state, delta)
        return {name: float(np.abs(x - self.truth[name]).max()) for name, x in found.items()}

    def test_the_error_falls_as_the_step(self) -> None:
        """The error is proportional to the step, down to the step at which rounding
        errors appear.
        """
        steps = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5]
        errors = [self.errors(h) for h in steps]
        for block in fig_5.BLOCKS:
            slope = np.polyfit(np.log10(steps), [np.log10(e[block]) for e in errors], 1)[0]
            assert abs(slope - 1) < 0.05, block

    def test_the_error_rises_for_small_steps(self) -> None:
        """For small steps the error grows in proportion to one over the step, on average."""
        steps = np.logspace(-9, -12, 13)
        errors = [self.errors(h) for h in steps]
        for block in fig_5.BLOCKS:
            slope = np.polyfit(np.log10(steps), [np.log10(e[block]) for e in errors], 1)[0]
            assert abs(slope + 1) < 0.3, block

    def test_the_best_step_is_about_the_root_of_the_rounding_error(self) -> None:
        steps = np.logspace(-6, -9, 13)
        errors = [self.errors(h) for h in steps]
        for block in fig_5.BLOCKS:
            best = steps[np.argmin([e[block] for e in errors])]
            assert 0.1 < best / np.sqrt(np.finfo(float).eps) < 30, block

    def test_the_study_has_a_row_for_every_step_and_block(self) -> None:
        """The study has a row for every step and block, and marks the least error of each block."""
        args: Any = type("Args", (), {"seed": 0, "steps": [1e-2, 1e-7, 1e-11]})
        rows = fig_5.best(list(fig_5.measure(args)))
        assert len(rows) == 12
        assert {row["delta"] for row in rows if row["best"]} == {1e-7}
