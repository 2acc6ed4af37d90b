"""Frames: velocities, accelerations, Jacobians, and derivatives of Jacobians to second order."""

from typing import Any

import numpy as np
import pytest
import zoo
from derivative_checks import draw
from helpers import all_near, near

import spatial_v2 as sv
from derivatives import frame_derivatives, frame_SO_derivatives, modFrame_second_derivatives
from derivatives.reference import complex_step, complex_step_q

pytestmark = pytest.mark.filterwarnings("ignore::spatial_v2.InertiaWarning")
AXES: Any = ("body", "base", "mixed")
whole_zoo = pytest.mark.parametrize("name", zoo.MODELS)
all_axes = pytest.mark.parametrize("axes", AXES)


def some_frame(model: sv.Model, body: int | None = None) -> sv.Frame:
    """Return a frame at a general pose on the last body, or on another body."""
    d = 3 if model.is_planar else 6
    X = zoo.random_transform(np.random.default_rng(8), d)
    return sv.Frame(model.NB - 1 if body is None else body, X)


def frames(model: sv.Model) -> list[sv.Frame]:
    """Return frames on the last, the first and a middle body, and on the base."""
    return [some_frame(model, b) for b in sorted({model.NB - 1, model.NB // 2, 0, -1})]


def pose(model: sv.Model, q: Any, frame: Any) -> Any:
    return sv.forward_kinematics(model, q, frame=frame)


@all_axes
@whole_zoo
def test_velocity_of_a_frame_is_the_rate_of_its_pose(name: str, axes: Any) -> None:
    """``J qd`` is the velocity of the frame, the time derivative of its pose along the motion."""
    model, s = draw(name, (2,))
    n = 1 if model.is_planar else 3
    for frame in frames(model):
        v = sv.frame_velocity(model, s.q, s.qd, frame, axes)
        J = sv.FrameJacobian(model, s.q, frame, axes)
        near((J @ s.qd[..., None])[..., 0], v, 1e-13)
        at = sv.forward_kinematics(model, s.q, s.qd, frame)
        own = {"body": at.X0 @ np.linalg.inv(at.X0), "base": np.linalg.inv(at.X0)}
        own["mixed"] = own["base"].copy()
        own["mixed"][..., n:, :n] = 0
        near((own[axes] @ at.v[..., None])[..., 0], v, 1e-13)
        if axes == "mixed":
            step = sv.configurationAddition(model, s.q, 1e-20j * s.qd)
            near(v[..., n:], pose(model, step, frame).p.imag / 1e-20, 1e-13)


@all_axes
@whole_zoo
def test_rate_of_the_jacobian_is_a_complex_step(name: str, axes: Any) -> None:
    """The time derivatives of Jacobian and velocity agree with complex steps."""
    model, s = draw(name)
    for frame in frames(model):
        step = sv.configurationAddition(model, s.q, 1e-20j * s.qd)
        rate = sv.FrameJacobian(model, step, frame, axes).imag / 1e-20
        near(sv.FrameJacobianTimeDerivative(model, s.q, s.qd, frame, axes), rate, 1e-13)
        v = sv.frame_velocity(model, step, s.qd + 1e-20j * s.qdd, frame, axes)
        a = sv.frame_acceleration(model, s.q, s.qd, s.qdd, frame, axes, axes == "mixed")
        near(a, v.imag / 1e-20, 1e-12)


@whole_zoo
def test_accelerations_of_frames_are_those_of_inverse_dynamics(name: str) -> None:
    """Spatial accelerations are those of `ID` without gravity, transformed like velocities."""
    model = zoo.build(name).replace(has_rotor=None)
    model.gravity = 0 * model.gravity
    s = zoo.states(model, np.random.default_rng(5))
    _, info = sv.ID(model, s.q, s.qd, s.qdd, return_info=True)
    n = 1 if model.is_planar else 3
    for frame in frames(model):
        given = model, s.q, s.qd, s.qdd, frame
        at = pose(model, s.q, frame)
        body, base, mixed = (sv.frame_acceleration(*given, axes) for axes in AXES)
        a = info.a[frame.body] if frame.body >= 0 else 0 * s.qdd[:1]
        near(body, frame.X @ np.broadcast_to(a, (3 * n if n == 1 else 6,)), 1e-12)
        near(at.X0 @ base, body, 1e-12)
        near(mixed[n:], at.R @ body[n:], 1e-12)
        v = sv.frame_velocity(model, s.q, s.qd, frame)
        turn = np.cross(v[:3], v[3:]) if n == 3 else v[0] * np.array([-v[2], v[1]])
        classical = sv.frame_acceleration(*given, "body", True)
        near(classical - body, np.concatenate([np.zeros(n), turn]), 1e-12)
        near(
            sv.frame_acceleration(*given, "mixed", classical=True)[n:], at.R @ classical[n:], 1e-12
        )


@whole_zoo
def test_body_frames_are_given_by_number_or_name(name: str) -> None:
    """A body's number or name may be given as the frame; the Jacobian agrees with `BodyJacobian`,
    and is zero for the base.
    """
    model, s = draw(name, (3,))
    for i, body in enumerate(model.body_names):
        J = sv.BodyJacobian(model, s.q, i)
        near(sv.FrameJacobian(model, s.q, i), J, 1e-14)
        near(sv.FrameJacobian(model, s.q, body), J, 1e-14)
        motion = sv.forward_kinematics(model, s.q, s.qd)
        for x, y in zip(motion, sv.forward_kinematics(model, s.q, s.qd, frame=i), strict=True):
            near(y, x[:, i], 1e-14)
    for axes in AXES:
        assert not sv.FrameJacobian(model, s.q, -1, axes).any()
        assert not frame_derivatives(model, s.q, -1, axes).dJ_dq.any()


@all_axes
@whole_zoo
def test_first_derivatives_are_complex_steps_of_the_jacobian(name: str, axes: Any) -> None:
    """The derivatives agree with complex steps of the Jacobian along the velocity variables."""
    model, s = draw(name)
    for frame in frames(model):
        J, dJ = frame_derivatives(model, s.q, frame, axes)
        near(J, sv.FrameJacobian(model, s.q, frame, axes), 1e-14)
        near(dJ, complex_step_q(model, lambda q, f=frame: sv.FrameJacobian(model, q, f, axes), s.q),
             1e-13)  # fmt: skip
        rate = sv.FrameJacobianTimeDerivative(model, s.q, s.qd, frame, axes)
        near(dJ @ s.qd, rate, 1e-12)


@all_axes
@whole_zoo
def test_second_derivatives_are_complex_steps_of_the_first(name: str, axes: Any) -> None:
    """The second derivatives agree with complex steps of the first ones, in the order of indices of
    this library.
    """
    model, s = draw(name)
    for frame in frames(model):
        J, dJ, d2J = frame_SO_derivatives(model, s.q, frame, axes)
        all_near((J, dJ), frame_derivatives(model, s.q, frame, axes), 1e-14)

        def first(q: Any, frame: Any = frame) -> Any:
            return frame_derivatives(model, q, frame, axes).dJ_dq

        near(d2J, complex_step_q(model, first, s.q), 1e-13)


@all_axes
@whole_zoo
def test_contractions_are_tensors_times_weights(name: str, axes: Any) -> None:
    """Contractions equal the tensors times weights and a vector, and agree with complex steps of
    the product w . J u.
    """
    model, s = draw(name, (2,))
    w = np.random.default_rng(2).normal(size=(2, 3 if model.is_planar else 6))
    for frame in frames(model):
        m = modFrame_second_derivatives(model, s.q, s.tau, w, frame, axes)
        J, dJ, d2J = frame_SO_derivatives(model, s.q, frame, axes)
        near(m.dmod_du, np.einsum("bi,bij->bj", w, J), 1e-13)
        near(m.dmod_duq, np.einsum("bi,bijk->bjk", w, dJ), 1e-13)
        near(m.dmod_dq, np.einsum("bi,bj,bijk->bk", w, s.tau, dJ), 1e-13)
        near(m.dmod_dqq, np.einsum("bi,bj,bijkl->bkl", w, s.tau, d2J), 1e-13)

        def gradient(q: Any, frame: Any = frame) -> Any:
            return modFrame_second_derivatives(model, q, s.tau[0], w[0], frame, axes).dmod_dq

        near(m.dmod_dqq[0], complex_step_q(model, gradient, s.q[0]), 1e-13)


def test_edits_of_the_model_are_seen() -> None:
    """Other transforms, frames and joint types take effect at the next call."""
    model, s = draw("branched")
    frame = some_frame(model)
    model.frames = {"hand": frame}
    back = np.diag([1.0, 1, 1, -1, -1, -1])
    for field, value in (
        ("Xtree", back @ model.Xtree @ back),
        ("frames", {"hand": frame._replace(X=back @ frame.X @ back)}),
    ):
        before = sv.FrameJacobian(model, s.q, "hand", "mixed")
        setattr(model, field, value)
        after = sv.FrameJacobian(model, s.q, "hand", "mixed")
        near(after, sv.FrameJacobian.reference(model, s.q, "hand", "mixed"), 1e-13)
        assert np.abs(after - before).max() > 0.1
    model.jtype = {0: "Rx" if model.jtype[0] != "Rx" else "Ry"}
    near(
        sv.FrameJacobian(model, s.q, "hand"), sv.FrameJacobian.reference(model, s.q, "hand"), 1e-13
    )


def test_contractions_do_not_depend_on_the_distance_of_the_base() -> None:
    """Contractions do not change if the robot and the weights, a wrench about the base's origin,
    are displaced together.
    """
    model, s = draw("floating")
    q, frame, w = np.round(1024 * s.q) / 1024, some_frame(model), np.arange(1.0, 7.0)
    d = np.array([32.0, -16.0, 8.0])
    far = q + np.concatenate([np.zeros(4), d, np.zeros(model.NQ - 7)])
    moved = sv.xlt(model.Xtree[0][:3, :3].T @ d).T @ w
    all_near(modFrame_second_derivatives(model, far, s.tau, moved, frame, "base"),
             modFrame_second_derivatives(model, q, s.tau, w, frame, "base"), 1e-12)  # fmt: skip


def test_names_of_frames_come_before_those_of_bodies() -> None:
    """Names are looked up in ``model.frames`` first, then among bodies; the transform X of a frame
    may be complex.
    """
    model = sv.autoTree(3)
    hand = sv.Frame(2, sv.xlt([1.0, 0, 0]))
    model.frames = {"hand": hand, "body1": sv.Frame(1, sv.xlt([0, 2.0, 0]))}
    q = np.array([0.1, 0.2, 0.3])
    near(sv.FrameJacobian(model, q, "hand"), sv.FrameJacobian(model, q, hand), 0)
    near(
        sv.FrameJacobian(model, q, "body1"),
        sv.BodyJacobian(model, q, 1, sv.xlt([0, 2.0, 0])),
        1e-15,
    )
    near(sv.FrameJacobian(model, q, "body2"), sv.BodyJacobian(model, q, 2), 1e-15)

    def by_place(r: Any) -> Any:
        E = np.broadcast_to(np.eye(3), (*r.shape[:-1], 3, 3))
        frames = sv.plux(E, r)
        flat = frames.reshape(-1, 6, 6)
        J = [sv.FrameJacobian(model, q, sv.Frame(2, X), "mixed") for X in flat]
        return np.reshape(J, (*r.shape[:-1], 6, 3))

    turn = sv.FrameJacobian(model, q, 2, "mixed")[:3]
    R = pose(model, q, 2).R
    near(complex_step(by_place, np.zeros(3))[3:],
         np.cross(turn.T[:, None], R.T[None], axis=-1).transpose(2, 0, 1), 1e-14)  # fmt: skip
