"""Bad input to functions of frames raises errors that name the argument."""

from typing import Any

import numpy as np
import pytest

import spatial_v2 as sv
from derivatives import frame_derivatives, frame_SO_derivatives, modFrame_second_derivatives

CALLS: dict[str, Any] = {
    "FrameJacobian": lambda m, q, f, **kw: sv.FrameJacobian(m, q, f, **kw),
    "rate": lambda m, q, f, **kw: sv.FrameJacobianTimeDerivative(m, q, q, f, **kw),
    "velocity": lambda m, q, f, **kw: sv.frame_velocity(m, q, q, f, **kw),
    "acceleration": lambda m, q, f, **kw: sv.frame_acceleration(m, q, q, q, f, **kw),
    "first": lambda m, q, f, **kw: frame_derivatives(m, q, f, **kw),
    "second": lambda m, q, f, **kw: frame_SO_derivatives(m, q, f, **kw),
    "mod": lambda m, q, f, **kw: modFrame_second_derivatives(m, q, q, np.ones(6), f, **kw),
    "pose": lambda m, q, f, **kw: sv.forward_kinematics(m, q, frame=f),
}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(
    ("frame", "error", "message"),
    [
        (3, sv.ModelError, "frame: want the number of a body, 0 to 2, or -1 for the base; got 3"),
        (-2, sv.ModelError, "got -2"),
        (1.5, sv.ModelError, r"want a Frame, the number .* or the name .*; got 1.5"),
        ("bod1", sv.ModelError, r"no frame and no body is called 'bod1'; did you mean 'body1'"),
        ("xyz", sv.ModelError, r"called 'xyz'; there are 'hand', 'body0', 'body1', 'body2'"),
        (sv.Frame(7, np.eye(6)), sv.ModelError, "got 7"),
        (sv.Frame(1, np.ones((6, 6))), sv.ModelError, "frame: X.* is not a Pluecker transform"),
        (sv.Frame(1, np.eye(3)), sv.ArrayShapeError, r"frame: X must have shape \(..., 6, 6\)"),
        (sv.Frame(1, np.eye(6)[None]), sv.ArrayShapeError, r"frame: X must have shape \(6, 6\)"),
        (sv.Frame(1, np.full((6, 6), np.nan)), sv.ModelError, "frame: X.*not finite"),
    ],
)
def test_wrong_frames_are_refused(call: str, frame: Any, error: Any, message: str) -> None:
    model = sv.autoTree(3)
    model.frames = {"hand": sv.Frame(2, np.eye(6))}
    with pytest.raises(error, match=message):
        CALLS[call](model, np.zeros(3), frame)


@pytest.mark.parametrize("call", [name for name in CALLS if name != "pose"])
def test_wrong_axes_are_refused(call: str) -> None:
    for axes in ("LOCAL", "world", None, 1):
        with pytest.raises(sv.SpatialError, match=r"axes: want 'body' \(LOCAL\), 'base' \(WORLD\)"):
            CALLS[call](sv.autoTree(3), np.zeros(3), 1, axes=axes)


def test_calls_without_or_with_two_frames_are_refused() -> None:
    model, q = sv.autoTree(3), np.zeros(3)
    for _ in range(2):
        with pytest.raises(TypeError, match=r"got 2 arguments, want FrameJacobian\(model"):
            sv.FrameJacobian(model, q)  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="got 'frame' by position and by keyword"):
            sv.FrameJacobian(model, q, 1, frame=2)  # type: ignore[misc]
        with pytest.raises(TypeError, match="got 5 arguments, want FrameJacobian"):
            sv.FrameJacobian(model, q, 1, "body", 3)  # type: ignore[call-arg]
        assert sv.FrameJacobian(model, q, 1).any()
    with pytest.raises(sv.ModelError, match="no frame and no body is called 'foot'"):
        sv.FrameJacobian.bind(model, frame="foot")
    with pytest.raises(sv.SpatialError, match="axes: want 'body'"):
        sv.FrameJacobian.bind(model, axes="LOCAL")


def test_wrong_arrays_are_refused() -> None:
    model, q = sv.autoTree(3), np.zeros(3)
    with pytest.raises(sv.SpatialError, match="classical: want True or False, got 'yes'"):
        sv.frame_acceleration(model, q, q, q, 1, classical="yes")  # type: ignore[arg-type]
    with pytest.raises(sv.ArrayShapeError, match=r"weight must have shape \(..., 6\)"):
        modFrame_second_derivatives(model, q, q, np.ones(5), 1)
    with pytest.raises(sv.ArrayShapeError, match=r"leading axes do not broadcast: .*weight \(2,\)"):
        modFrame_second_derivatives(model, np.zeros((3, 3)), q, np.ones((2, 6)), 1)


def test_the_name_of_a_frame_in_place_of_velocities_is_told() -> None:
    with pytest.raises(sv.SpatialError, match="qd: .*the name of a frame .* frame='body1'"):
        sv.forward_kinematics(sv.autoTree(3), np.zeros(3), "body1")


def test_names_that_contain_what_was_asked_are_suggested() -> None:
    arm = sv.autoTree(2).replace(frames={"left_arm_hand_tcp": sv.Frame(1, np.eye(6))})
    with pytest.raises(sv.ModelError, match="'tcp'; did you mean 'left_arm_hand_tcp'"):
        sv.forward_kinematics(arm, [0, 0], frame="tcp")
