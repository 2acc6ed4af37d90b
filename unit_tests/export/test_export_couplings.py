"""Exported models with coupled joints: bits of Python, names of the variables, damaged files."""

from __future__ import annotations

import ctypes
import struct

import numpy as np
import pytest
from export_checks import NEEDS_COMPILER, arguments, record, same_bits, sealed
from exported import (
    DAMAGED,
    DONE,
    INVALID,
    KINDS,
    NO_NAME,
    NOT_FINITE,
    POINTS,
    UNSUPPORTED,
    WORKSPACE,
    Constraint,
    Library,
    coupled_models,
)
from mechanisms import four_bar, four_bar_by_formula
from test_export_models import address, state, torque

import derivatives
import spatial_v2
from spatial_v2 import Model, ModelError, autoTree, couple, mcI
from spatial_v2.export import model_bytes, write_model

MODELS = coupled_models()
pytestmark = NEEDS_COMPILER


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", KINDS)
def test_results_are_those_of_python(library: Library, name: str, model: str) -> None:
    same_bits(library, name, MODELS[model])


@pytest.mark.parametrize("model", ["differential", "rotors"])
def test_joint_terms_are_those_of_the_tree(library: Library, model: str) -> None:
    n = MODELS[model].tree.NV
    terms = {"armature": np.arange(n), "damping": 0.5, "stiffness": 3.0, "rest": 0.2}
    for name in ("ID", "HandC", "FDab", "ID_SO_derivatives"):
        same_bits(library, name, MODELS[model].replace(**terms))


@pytest.mark.parametrize("model", ["no_own", "rotors", "floating"])
def test_frames_are_on_bodies_of_the_tree(library: Library, model: str) -> None:
    robot, f = MODELS[model], record("FrameJacobian")
    body = robot.tree.NB - 1
    for lead in ((), (11,)):
        (q, *_), _ = arguments(robot, f.name, lead)
        status, (J,) = library.call(f, robot, [q], frame=body, options=(0,))
        assert status == DONE
        spatial_v2.FrameJacobian(robot, q, body)
        np.testing.assert_array_equal(J, spatial_v2.FrameJacobian(robot, q, body))


@pytest.mark.parametrize("model", ["mimic", "differential", "rotors", "floating"])
def test_packed_tensors_have_the_pattern_of_python(library: Library, model: str) -> None:
    robot, f = MODELS[model], record("ID_SO_derivatives")
    args, _ = arguments(robot, f.name, (3,))
    for _ in range(2):
        wanted = derivatives.ID_SO_derivatives(robot, *args, packed=True)
    status, outs = library.call(f, robot, args, packed=True)
    assert status == DONE
    _, made = library.open(model_bytes(robot))
    for k, (out, want) in enumerate(zip(outs, wanted, strict=True)):
        indices = [np.full(len(out[0]), -1, np.int32) for _ in range(3)]
        assert library.pattern(f.name, made, k, *indices) == DONE
        for found, listed in zip(indices, "ijk", strict=True):
            np.testing.assert_array_equal(found, getattr(want.pattern, listed))
        np.testing.assert_array_equal(out, want.values)
    library.c.sv2_model_free(made)


@pytest.mark.parametrize("model", MODELS)
def test_names_variables_and_limits_are_those_of_the_model(library: Library, model: str) -> None:
    robot, c = MODELS[model], library.c
    tree, space = robot.tree, robot.coupling.space
    if tree.nv[0] == 1:
        limited = tree.replace(limits={tree.joint_names[0]: (-1.0, 2.0, 3.0, 4.0)})
        robot = couple(limited, matrix=robot.coupling.matrix, offset=robot.coupling.offset)
    _, made = library.open(model_bytes(robot))
    sizes = [getattr(c, f"sv2_{x}")(made) for x in ("NB", "NQ", "NV", "rotors", "joints")]
    assert sizes == [tree.NB, robot.NQ, robot.NV, tree.n_rotor, space.NB]
    assert c.sv2_tree_NV(made) == tree.NV
    for i in range(tree.NB):
        assert c.sv2_body_name(made, ctypes.c_size_t(i)).decode() == tree.body_names[i]
    for i, name in enumerate(robot.joint_names):
        assert c.sv2_joint_name(made, ctypes.c_size_t(i)).decode() == name
        assert c.sv2_joint_index(made, name.encode()) == i
        got = [ctypes.c_size_t() for _ in range(4)]
        assert c.sv2_joint_variables(made, ctypes.c_size_t(i), *map(ctypes.byref, got)) == DONE
        q, v = space.qinds[i], space.vinds[i]
        assert [x.value for x in got] == [q.start, q.stop - q.start, v.start, v.stop - v.start]
    beyond = ctypes.c_size_t(space.NB)
    assert c.sv2_joint_name(made, beyond) is None
    assert c.sv2_joint_variables(made, beyond, *map(ctypes.byref, got)) == NO_NAME
    for name in ("lower", "upper", "velocity_limit", "effort_limit"):
        get = getattr(c, f"sv2_{name}")
        get.restype = ctypes.POINTER(ctypes.c_double)
        wanted = getattr(robot, name)
        np.testing.assert_array_equal(np.ctypeslib.as_array(get(made), wanted.shape), wanted)
    c.sv2_model_free(made)


@pytest.mark.parametrize("model", ["mimic", "rotors", "floating"])
def test_setters_change_the_tree(library: Library, model: str) -> None:
    robot, rng = MODELS[model], np.random.default_rng(1)
    tree, body = robot.tree, robot.tree.NB - 1
    payload, armature = mcI(2.0, [0.1, 0.2, 0.3], np.eye(3)), rng.uniform(size=tree.NV)
    _, made = library.open(model_bytes(robot))
    assert library.c.sv2_set_payload(made, body, address(payload)) == DONE
    assert library.c.sv2_set_armature(made, address(armature)) == DONE
    inertias = np.array(tree.I)
    inertias[body] += payload
    heavy = robot.replace(I=inertias, armature=armature)
    for _ in range(2):  # the first call has no kernel
        wanted = spatial_v2.ID(heavy, *state(robot))
    np.testing.assert_array_equal(torque(library, made, robot), wanted)
    library.c.sv2_model_free(made)


def test_a_motion_without_inertia_is_told_until_there_is_a_payload(library: Library) -> None:
    """The inertia with which that of a variable is compared grows with payloads."""
    bare = autoTree(3)
    robot = couple(bare.replace(I=[bare.I[0], 0 * bare.I[1], 0 * bare.I[2]]), mimic={2: (1, 1, 0)})
    _, made = library.open(model_bytes(robot))
    q, qd, tau = (np.array(x) for x in ([0.3, 0.4], [0.1, 0.2], [1.0, 2.0]))
    given, ydd = [address(x) for x in (q, qd, tau)], np.empty(2)
    room = library.workspace("FDab", made)
    call = made, *given, None, address(ydd), address(room), ctypes.c_size_t(len(room))
    assert library.c.sv2_FDab(*call) == NOT_FINITE
    payload = mcI(2.0, [0.1, 0.2, 0.3], np.eye(3))
    assert library.c.sv2_set_payload(made, 2, address(payload)) == DONE
    assert library.c.sv2_FDab(*call) == DONE
    heavy = robot.replace(I=[bare.I[0], 0 * bare.I[1], payload])
    np.testing.assert_array_equal(ydd, spatial_v2.FDab(heavy, q, qd, tau))
    assert library.c.sv2_set_payload(made, 2, None) == DONE
    assert library.c.sv2_FDab(*call) == NOT_FINITE
    library.c.sv2_model_free(made)


@pytest.mark.parametrize("model", ["no_own", "rotors", "floating"])
def test_a_model_lives_in_memory_of_the_caller(library: Library, model: str) -> None:
    data = model_bytes(MODELS[model])
    count, made = ctypes.c_size_t(len(data)), ctypes.c_void_p()
    size = library.c.sv2_model_size(data, count)
    memory = np.full(size + 64, 7, np.uint8)
    for less in (32, 100, size // 2, size - 8):
        small = ctypes.c_size_t(size - less)
        status = library.c.sv2_model_in(data, count, address(memory), small, ctypes.byref(made))
        assert (status, made.value) == (WORKSPACE, None)
    full = ctypes.c_size_t(size)
    assert library.c.sv2_model_in(data, count, address(memory), full, ctypes.byref(made)) == DONE
    assert (memory[size:] == 7).all()
    for _ in range(2):  # the first call has no kernel
        wanted = spatial_v2.ID(MODELS[model], *state(MODELS[model]))
    np.testing.assert_array_equal(torque(library, made, MODELS[model]), wanted)


def test_a_file_with_a_wrong_coupling_is_refused(library: Library) -> None:
    """Each fault in the numbers of a coupling has a status, with the checksum made right."""
    robot = MODELS["floating"]
    tree, space, data = robot.tree, robot.coupling.space, model_bytes(robot)
    assert library.open(data)[0] == DONE
    entries, one = struct.unpack("<Q", data[104:112])[0], robot.NV
    joint = 112 + 8 * (81 * tree.NB + 3)
    offset = joint + 8 * space.NB
    above = offset + 8 * tree.NV
    row = above + 16 * one
    column = row + 8 * entries
    factor = column + 8 * entries
    for at, value, status in (
        (joint, struct.pack("<q", -1), INVALID),
        (joint, struct.pack("<q", tree.NB), INVALID),
        (joint + 8, struct.pack("<q", 0), INVALID),
        (offset, struct.pack("<d", 0.5), INVALID),
        (offset + 8 * (tree.NV - 1), struct.pack("<d", np.nan), INVALID),
        (above, struct.pack("<q", 0), INVALID),
        (above + 8, struct.pack("<q", -2), INVALID),
        (row - 8, struct.pack("<d", np.inf), INVALID),
        (row, struct.pack("<q", 0), INVALID),
        (row + 8 * (entries - 1), struct.pack("<q", tree.NV), INVALID),
        (row + 8, struct.pack("<q", 0), INVALID),
        (column, struct.pack("<q", 0), INVALID),
        (column, struct.pack("<q", one), INVALID),
        (factor, struct.pack("<d", np.nan), INVALID),
        (factor, struct.pack("<d", 0.0), INVALID),
        (80, struct.pack("<Q", 0), DAMAGED),
        (80, struct.pack("<Q", tree.NB + 1), DAMAGED),
        (96, struct.pack("<Q", tree.NV + 1), DAMAGED),
        (104, struct.pack("<Q", 2**61), DAMAGED),
        (8, struct.pack("<I", 4), DAMAGED),
    ):
        wrong = sealed(data[:at] + value + data[at + len(value) :])
        got, made = library.open(wrong)
        assert (got, made.value) == (status, None), (at, value)


def test_constraints_take_no_coupled_model(library: Library) -> None:
    _, made = library.open(model_bytes(MODELS["mimic"]))
    assert library.constraints(made, [Constraint(POINTS, -1, 3, None, None, 3)])[0] == UNSUPPORTED
    library.c.sv2_model_free(made)


@pytest.mark.parametrize("make", [four_bar, four_bar_by_formula])
def test_loops_and_functions_are_refused_by_name(make: object) -> None:
    model: Model = make()  # type: ignore[operator]
    with pytest.raises(ModelError, match="^model_bytes: takes no coupled model"):
        model_bytes(model)
    with pytest.raises(ModelError, match="^write_model: takes no coupled model"):
        write_model(model, "unwritten")
