"""Kinematics of exported libraries: the bits of Python for frames by name, in all axes."""

from __future__ import annotations

import ctypes
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from export_checks import NEEDS_COMPILER, sealed
from exported import DONE, NO_NAME, NOT_FINITE, NULL, OVERLAP, VALUE, WORKSPACE, Library
from helpers import near
from once import made_once

from spatial_v2 import Model, load_model, plux, random_configuration
from spatial_v2.engine.tree import lower, raise_vectors
from spatial_v2.export import build_library, export_library, model_bytes
from spatial_v2.export.functions import exportable, exported
from spatial_v2.model.frame import AXES, Frame
from spatial_v2.orientation import rpyToRot

NAMES = [
    "forward_kinematics", "frame_motion", "FrameJacobian", "FrameJacobianTimeDerivative",
    "frame_velocity", "frame_acceleration", "frame_derivatives", "modFrame_second_derivatives",
]  # fmt: skip
RECORDS = {f.name: f for f in exported([exportable()[name] for name in NAMES])}
MODELS = [name for name in zoo.NAMES if name in zoo.ROTORS or not name.startswith("one_")]

pytestmark = NEEDS_COMPILER


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    def make(root: Path) -> None:
        export_library(root, [exportable()[name] for name in NAMES], level="native")
        build_library(root, ["-Wall", "-Wextra", "-Wshadow", "-Werror"])

    folder = made_once(tmp_path_factory, "frames", make)
    return Library(folder / "lib" / "libspatial_v2.so")


def with_frames(name: str) -> Model:
    """Return a model of the zoo with frames: a tool on the last body, a camera on the base."""
    model = zoo.build(name)
    if model.is_planar:
        tool = camera = np.eye(3)
    else:
        tool, camera = (
            plux(rpyToRot([0.3, -0.2, 0.5]), [0.1, -0.3, 0.2]),
            plux(np.eye(3), [1, 2, 3]),
        )
    return model.replace(frames={"tool": Frame(model.NB - 1, tool), "camera": Frame(-1, camera)})


def arguments(model: Model, cores: tuple[str, ...], lead: tuple[int, ...]) -> list[Any]:
    rng = np.random.default_rng(5)
    sizes = {"v": model.NV, "6": 3 if model.is_planar else 6}
    return [
        random_configuration(model, rng, lead) if x == "q" else rng.normal(size=(*lead, sizes[x]))
        for x in cores
    ]


def in_space(model: Model, cores: tuple[str, ...], args: list[Any]) -> list[Any]:
    """Return arguments with planar vectors as spatial ones."""
    planar = [core == "6" and model.is_planar for core in cores]
    return [raise_vectors(x) if y else x for x, y in zip(args, planar, strict=True)]


def function(name: str) -> Any:
    return exportable()[name]


@pytest.mark.parametrize("model", zoo.over(MODELS))
@pytest.mark.parametrize("name", NAMES)
def test_frames_have_the_bits_of_python(library: Library, name: str, model: str) -> None:
    """A named frame, a body and a frame on the base, in all axes, with both accelerations."""
    robot, f = with_frames(model), RECORDS[name]
    frames: list[Any] = (
        ["tool", robot.body_names[0], 0, "camera"] if f.subject == "frame" else [None]
    )
    axes = list(AXES) if f.axes_given else ["body"]
    for frame, axis, kind in itertools.product(frames, axes, range(1 + f.classical)):
        options: dict[str, Any] = {"frame": frame} if f.subject == "frame" else {}
        if f.axes_given:
            options["axes"] = axis
        if f.classical:
            options["classical"] = bool(kind)
        numbers = (AXES[axis],) * f.axes_given + (kind,) * f.classical
        for lead in ((), (11,)):
            args = arguments(robot, f.cores, lead)
            given = in_space(robot, f.cores, args)
            status, outs = library.call(f, robot, given, frame=frame, options=numbers)
            assert status == DONE
            wanted = function(name)(robot, *args, **options)
            several = wanted if len(outs) > 1 else [wanted]
            for out, shape, want in zip(outs, f.shapes, several, strict=True):
                found = lower(out, tuple(shape)) if robot.is_planar else out
                np.testing.assert_array_equal(found, want)


@pytest.mark.parametrize("name", ["forward_kinematics", "frame_motion"])
def test_results_that_are_not_wanted_change_no_bit_of_the_others(
    library: Library, name: str
) -> None:
    robot, f = with_frames("branched"), RECORDS[name]
    frame = "tool" if f.subject else None
    args, several = (arguments(robot, f.cores, lead) for lead in ((), (3,)))
    _, wanted = library.call(f, robot, args, frame=frame)
    every = range(len(f.results))
    for n in every[1:]:
        for without in itertools.combinations(every, n):
            status, outs = library.call(f, robot, args, frame=frame, unwanted=without)
            assert status == DONE
            for k in every:
                want = np.full_like(wanted[k], np.nan) if k in without else wanted[k]
                np.testing.assert_array_equal(outs[k], want)
    assert library.call(f, robot, args, frame=frame, unwanted=every)[0] == NULL
    assert library.call(f, robot, several, frame=frame, unwanted=[0])[0] == NULL
    other = RECORDS["FrameJacobian"]
    q = args[:1]
    assert library.call(other, robot, q, frame="tool", options=(0,), unwanted=[0])[0] == NULL


def test_the_bias_is_the_acceleration_for_none_of_the_joints(library: Library) -> None:
    robot = with_frames("branched")
    q, qd = arguments(robot, ("q", "v"), ())
    f, rate = RECORDS["frame_acceleration"], RECORDS["FrameJacobianTimeDerivative"]
    for axes in range(3):
        _, (bias,) = library.call(
            f, robot, [q, qd, 0 * qd], frame="tool", options=(axes, axes == 2)
        )
        _, (Jd,) = library.call(rate, robot, [q, qd], frame="tool", options=(axes,))
        near(bias, Jd @ qd, 1e-12)


def test_wrong_calls_of_frames_are_a_status(library: Library) -> None:
    robot, f = with_frames("chain"), RECORDS["FrameJacobian"]
    _, made = library.open(model_bytes(robot))
    for name in ("nosuch", "", "Tool"):
        assert library.frame(made, name)[0] == NO_NAME
    for body in (-2, robot.NB, 2**31 - 1, -(2**31)):
        status, frame = library.frame(made, body)
        assert (status, frame.value) == (NO_NAME, None)
        assert library.c.sv2_frame_size(made, body) == 0
    frame = ctypes.c_void_p()
    at = ctypes.byref(frame)
    assert library.c.sv2_frame_new(None, b"tool", at) == NULL
    assert library.c.sv2_frame_new(made, None, at) == NULL
    assert library.c.sv2_frame_new(made, b"tool", None) == NULL
    assert library.c.sv2_frame_at(None, 0, None, at) == NULL
    library.c.sv2_frame_free(None)
    for X in (np.zeros((6, 6)), 2 * np.eye(6), np.full((6, 6), np.nan), -np.eye(6)):
        assert library.c.sv2_frame_at(made, 0, X.ctypes.data_as(ctypes.c_void_p), at) == VALUE
    (q,) = arguments(robot, ("q",), ())
    for axes in (-1, 3, 99):
        assert library.call(f, robot, [q], frame="tool", options=(axes,))[0] == VALUE
    assert library.call(f, robot, [q], frame="tool", options=(0,), short=10**9)[0] == WORKSPACE
    assert library.call(f, robot, [np.nan * q], frame="tool", options=(0,))[0] == NOT_FINITE
    assert library.c.sv2_FrameJacobian(None, 0, *[None] * 3, ctypes.c_size_t(0)) == NULL
    assert library.c.sv2_FrameJacobian_workspace(None) == 0
    status, frame = library.frame(made, "tool")
    x = q.ctypes.data_as(ctypes.c_void_p)
    assert library.c.sv2_FrameJacobian(frame, 0, x, x, x, ctypes.c_size_t(8)) == OVERLAP
    library.c.sv2_frame_free(frame)
    library.c.sv2_model_free(made)


def test_a_frame_lives_in_memory_of_the_caller(library: Library) -> None:
    """With one byte less than `sv2_frame_size` there is a status; unaligned memory is fine."""
    robot = load_model("puma560")
    _, made = library.open(model_bytes(robot))
    for body in (-1, 0, robot.NB - 1):
        size = library.c.sv2_frame_size(made, body)
        memory, frame = np.full(size + 64, 7, np.uint8), ctypes.c_void_p()
        for shift in (0, 1, 9):
            at = ctypes.c_void_p(memory.ctypes.data + shift)
            inside = made, body, None, at
            short = ctypes.c_size_t(size - 1)
            assert library.c.sv2_frame_in(*inside, short, ctypes.byref(frame)) == WORKSPACE
            full = ctypes.c_size_t(size)
            assert library.c.sv2_frame_in(*inside, full, ctypes.byref(frame)) == DONE
            library.c.sv2_frame_free(frame)
            assert (memory[size + shift :] == 7).all()
            memory[:] = 7
    library.c.sv2_model_free(made)


def test_a_frame_that_is_not_a_transform_is_refused_in_a_file(
    library: Library, tmp_path: Path
) -> None:

    robot = with_frames("chain")
    data = model_bytes(robot)
    text = data.rfind(robot.name.encode() + b"\0" + robot.body_names[0].encode() + b"\0")
    first = text - 2 * 8 * 36
    assert library.open(sealed(data))[0] == DONE
    assert library.open(sealed(data[:first] + bytes(8) + data[first + 8 :]))[0] == 8
    body = first - 16
    assert library.open(sealed(data[:body] + b"\xff" * 7 + b"\x7f" + data[body + 8 :]))[0] == 8
