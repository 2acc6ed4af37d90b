"""Models of exported libraries: names, limits, setters, and memory of the caller."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
import zoo
from export_checks import NEEDS_COMPILER, sealed
from exported import DONE, NO_NAME, NULL, VALUE, WORKSPACE, Library

import spatial_v2
from spatial_v2 import Model, load_model, mcI, random_configuration
from spatial_v2.export import model_bytes

pytestmark = NEEDS_COMPILER


def address(x: np.ndarray) -> ctypes.c_void_p:
    return ctypes.c_void_p(x.ctypes.data)


def torque(library: Library, made: ctypes.c_void_p, model: Model) -> np.ndarray:
    q, qd, qdd = state(model)
    tau, room = np.empty(model.NV), library.workspace("ID", made)
    given = [address(x) for x in (q, qd, qdd)]
    end = None, address(tau), address(room), ctypes.c_size_t(len(room))
    assert library.c.sv2_ID(made, *given, *end) == DONE
    return tau


def state(model: Model) -> list[Any]:
    rng = np.random.default_rng(3)
    return [random_configuration(model, rng), rng.normal(size=model.NV), rng.normal(size=model.NV)]


@pytest.mark.parametrize("model", ["branched", "planar_tree", "rotors", "floating"])
def test_names_and_variables_are_those_of_the_model(library: Library, model: str) -> None:
    robot = zoo.build(model)
    _, made = library.open(model_bytes(robot))
    c = library.c
    assert c.sv2_robot_name(made) == (robot.name or "").encode()
    for i in range(robot.NB):
        assert c.sv2_body_name(made, ctypes.c_size_t(i)).decode() == robot.body_names[i]
        assert c.sv2_joint_name(made, ctypes.c_size_t(i)).decode() == robot.joint_names[i]
        assert c.sv2_body_index(made, robot.body_names[i].encode()) == i
        assert c.sv2_joint_index(made, robot.joint_names[i].encode()) == i
        assert c.sv2_parent(made, ctypes.c_size_t(i)) == robot.parent[i]
        got = [ctypes.c_size_t() for _ in range(4)]
        assert c.sv2_joint_variables(made, ctypes.c_size_t(i), *map(ctypes.byref, got)) == DONE
        q, v = robot.layout.qinds[i], robot.layout.vinds[i]
        assert [x.value for x in got] == [q.start, q.stop - q.start, v.start, v.stop - v.start]
    beyond = ctypes.c_size_t(robot.NB)
    assert c.sv2_body_name(made, beyond) is None and c.sv2_joint_name(made, beyond) is None
    assert c.sv2_joint_variables(made, beyond, *map(ctypes.byref, got)) == NO_NAME
    assert c.sv2_body_index(made, b"nosuch") == c.sv2_body_index(made, None) == -1
    assert c.sv2_body_index(None, b"x") == -1 and c.sv2_body_name(None, beyond) is None
    c.sv2_model_free(made)


def test_limits_are_those_of_the_model(library: Library) -> None:
    robot = load_model("puma560")
    robot = robot.replace(limits={robot.joint_names[2]: (-1.0, 2.0, 3.0, 4.0)})
    _, made = library.open(model_bytes(robot))
    for name in ("lower", "upper", "velocity_limit", "effort_limit"):
        get = getattr(library.c, f"sv2_{name}")
        get.restype = ctypes.POINTER(ctypes.c_double)
        np.testing.assert_array_equal(np.ctypeslib.as_array(get(made), (6,)), getattr(robot, name))
        assert not get(None)
    library.c.sv2_model_free(made)


@pytest.mark.parametrize("model", ["branched", "rotors", "floating"])
def test_setters_give_the_bits_of_a_new_model(library: Library, model: str) -> None:
    robot = zoo.build(model)
    _, made = library.open(model_bytes(robot))
    rng, n = np.random.default_rng(1), robot.NV
    gravity, body = rng.normal(size=3), robot.NB - 1
    payload = mcI(2.0, rng.normal(size=3), np.diag([0.1, 0.2, 0.25]))
    damping, armature = rng.uniform(size=n), rng.uniform(size=n)
    assert library.c.sv2_set_gravity(made, address(gravity)) == DONE
    assert library.c.sv2_set_payload(made, body, address(payload)) == DONE
    assert library.c.sv2_set_payload(made, body, address(payload)) == DONE  # in place of the first
    assert library.c.sv2_set_damping(made, address(damping)) == DONE
    assert library.c.sv2_set_armature(made, address(armature)) == DONE
    inertias = np.array(robot.I)
    inertias[body] += payload
    heavy = robot.replace(I=inertias, gravity=gravity, damping=damping, armature=armature)
    wanted = spatial_v2.ID(heavy, *state(robot))
    np.testing.assert_array_equal(torque(library, made, robot), wanted)
    assert library.c.sv2_set_gravity(made, address(np.array(robot.gravity))) == DONE
    assert library.c.sv2_set_payload(made, body, None) == DONE
    assert library.c.sv2_set_damping(made, None) == library.c.sv2_set_armature(made, None) == DONE
    wanted = spatial_v2.ID(robot, *state(robot))
    np.testing.assert_array_equal(torque(library, made, robot), wanted)
    library.c.sv2_model_free(made)


def test_springs_are_set(library: Library) -> None:
    """Springs of a file and those of setters act alike; those of a free joint are refused."""
    robot = zoo.build("floating")
    has = np.repeat(np.equal(robot.nv, 1), robot.nv).astype(float)
    rest = -0.3 * has
    _, made = library.open(model_bytes(robot))
    assert library.c.sv2_set_stiffness(made, address(20 * has)) == DONE
    assert library.c.sv2_set_rest(made, address(rest)) == DONE
    assert library.c.sv2_set_stiffness(made, address(has + 1)) == VALUE
    sprung = robot.replace(stiffness=20 * has, rest=rest)
    _, read = library.open(model_bytes(sprung))
    wanted = spatial_v2.ID(sprung, *state(robot))
    for model in (made, read):
        np.testing.assert_array_equal(torque(library, model, robot), wanted)
        assert library.c.sv2_set_stiffness(model, None) == DONE
        now = torque(library, model, robot)
        np.testing.assert_array_equal(now, spatial_v2.ID(robot, *state(robot)))
        library.c.sv2_model_free(model)


def test_values_that_setters_refuse_change_nothing(library: Library) -> None:
    robot = load_model("puma560")
    _, made = library.open(model_bytes(robot))
    before = torque(library, made, robot)
    good = mcI(2.0, np.ones(3), np.eye(3))
    assert library.c.sv2_set_gravity(made, address(np.array([0, np.inf, 0]))) == VALUE
    for bad in (
        good + np.nan, -good, 2 * good - good.T * 3, good + np.eye(6)[::-1],
        good - np.diag([9.0, 0, 0, 0, 0, 0]), np.diag([0, 0, 0, 1.0, 2.0, 1.0]),
    ):  # fmt: skip
        assert library.c.sv2_set_payload(made, 0, address(np.ascontiguousarray(bad))) == VALUE
    for body in (-1, 6, 2**31 - 1):
        assert library.c.sv2_set_payload(made, body, address(good)) == NO_NAME
    for name in ("armature", "damping", "friction", "stiffness"):
        for x in (np.full(6, -1.0), np.full(6, np.nan)):
            assert getattr(library.c, f"sv2_set_{name}")(made, address(x)) == VALUE
        assert getattr(library.c, f"sv2_set_{name}")(None, address(before)) == NULL
    assert library.c.sv2_set_gravity(made, None) == library.c.sv2_set_payload(None, 0, None) == NULL
    np.testing.assert_array_equal(torque(library, made, robot), before)
    library.c.sv2_model_free(made)


@pytest.mark.parametrize("model", ["branched", "rotors", "floating", "planar_tree"])
def test_a_model_lives_in_memory_of_the_caller(library: Library, model: str) -> None:
    """The size is enough for memory and data of any alignment; with less there is a status."""
    robot = zoo.build(model)
    data = model_bytes(robot)
    size = library.c.sv2_model_size(data, ctypes.c_size_t(len(data)))
    assert library.c.sv2_model_size(data[:-1], ctypes.c_size_t(len(data) - 1)) == 0
    assert library.c.sv2_model_size(None, ctypes.c_size_t(0)) == 0
    memory, made = np.full(size + 64, 7, np.uint8), ctypes.c_void_p()
    for shift in (0, 1, 9):
        room, count = ctypes.c_void_p(memory.ctypes.data + shift), ctypes.c_size_t(len(data))
        there = bytes(shift) + data
        place = ctypes.create_string_buffer(there)
        source = ctypes.c_void_p(ctypes.addressof(place) + shift)
        for less in (32, 100, size - 8, size):
            small = ctypes.c_size_t(size - less)
            status = library.c.sv2_model_in(source, count, room, small, ctypes.byref(made))
            assert (status, made.value) == (WORKSPACE, None), less
        full = ctypes.c_size_t(size)
        assert library.c.sv2_model_in(source, count, room, full, ctypes.byref(made)) == DONE
        assert (memory[size + shift :] == 7).all()
        if not robot.is_planar:
            wanted = spatial_v2.ID(robot, *state(robot))
            np.testing.assert_array_equal(torque(library, made, robot), wanted)
        library.c.sv2_model_free(made)
        memory[:] = 7


def earlier(data: bytes, robot: Model) -> bytes:
    """Return a model file as earlier versions wrote it, without limits, frames and names."""
    import struct

    n, terms = robot.NB + robot.n_rotor, robot.NV + robot.n_rotor if robot.has_joint_terms else 0
    size = 64 + 8 * (81 * n + 3 + 3 * terms + 2 * robot.n_rotor)
    head = data[:8] + struct.pack("<I", 2 if robot.n_rotor else 1) + data[12:48]
    return sealed(head + struct.pack("<Q", size) + data[56:64] + data[80 : 80 + size - 64])


@pytest.mark.parametrize("model", ["branched", "rotors"])
def test_files_of_earlier_versions_are_read(library: Library, model: str) -> None:
    robot = zoo.build(model)
    status, made = library.open(earlier(model_bytes(robot), robot))
    assert status == DONE
    np.testing.assert_array_equal(torque(library, made, robot), spatial_v2.ID(robot, *state(robot)))
    assert library.c.sv2_body_name(made, ctypes.c_size_t(0)) is None
    assert library.c.sv2_body_index(made, b"x") == -1
    frame = library.frame(made, 0)
    assert frame[0] == DONE and library.frame(made, "x")[0] == NO_NAME
    library.c.sv2_frame_free(frame[1])
    library.c.sv2_model_free(made)
