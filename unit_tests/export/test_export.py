"""Exported libraries return the same bits as Python, and a status for every error."""

from __future__ import annotations

import ctypes
import math
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from export_checks import NEEDS_COMPILER, arguments, record, same_bits
from exported import (
    DONE,
    KINDS,
    NO_RESULT,
    NOT_FINITE,
    NULL,
    OVERLAP,
    UNSUPPORTED,
    WORKSPACE,
    Library,
)

import derivatives
import spatial_v2
from spatial_v2 import SpatialError, load_model
from spatial_v2.export import (
    DEFAULT,
    build_library,
    export_library,
    model_bytes,
)
from spatial_v2.export.functions import DYNAMICS, exportable

pytestmark = NEEDS_COMPILER

MODELS = [name for name in zoo.NAMES if name in zoo.ROTORS or not name.startswith("one_")]


@pytest.mark.parametrize("model", zoo.over(MODELS))
@pytest.mark.parametrize("name", KINDS)
def test_results_are_those_of_python_to_the_last_bit(
    library: Library, name: str, model: str
) -> None:
    same_bits(library, name, zoo.build(model))


@pytest.mark.parametrize("model", zoo.over(MODELS))
def test_packed_tensors_have_the_pattern_and_bits_of_python(library: Library, model: str) -> None:
    robot, f = zoo.build(model), record("ID_SO_derivatives")
    _, made = library.open(model_bytes(robot))
    for k, wanted in enumerate(derivatives.SO_pattern(robot)):
        i, j, k_ = (np.full(library.nonzeros(f.name, made, k), -1, np.int32) for _ in range(3))
        assert library.pattern(f.name, made, k, i, j, k_) == DONE
        for got, want in zip((i, j, k_), (wanted.i, wanted.j, wanted.k), strict=True):
            np.testing.assert_array_equal(got, want)
    library.c.sv2_model_free(made)
    for lead in ((), (1,), (11,)):
        args, force = arguments(robot, f.name, lead)
        options = {} if force is None else {"f_ext": force}
        status, outs = library.call(f, robot, args, force, packed=True)
        assert status == DONE
        wanted = derivatives.ID_SO_derivatives(robot, *args, packed=True, **options)
        for out, want in zip(outs, wanted, strict=True):
            np.testing.assert_array_equal(out, want.values)


def test_wrong_calls_of_packed_functions_are_a_status(library: Library) -> None:
    f, model = record("ID_SO_derivatives"), zoo.build("rotors")
    _, made = library.open(model_bytes(model))
    room = np.zeros(64, np.int32)
    for k in (-1, 4, 2**31 - 1):
        assert library.nonzeros(f.name, made, k) == 0
        assert library.pattern(f.name, made, k, room, room, room) == NO_RESULT
    assert library.nonzeros(f.name, ctypes.c_void_p(), 0) == 0
    for nulls in range(1, 4):
        rooms = [room] * (3 - nulls) + [None] * nulls
        assert library.pattern(f.name, made, 0, *rooms) == NULL
    assert library.pattern(f.name, ctypes.c_void_p(), 0, room, room, room) == NULL
    library.c.sv2_model_free(made)
    args, _ = arguments(model, f.name, ())
    assert library.call(f, model, args, short=1024, packed=True)[0] == WORKSPACE
    args[0][1] = np.inf
    assert library.call(f, model, args, packed=True)[0] == NOT_FINITE
    assert library.c.sv2_message(NO_RESULT) == b"there is no result of this number"


@pytest.mark.wide
def test_every_default_function_has_the_bits_of_python(tmp_path: Path) -> None:
    export_library(tmp_path, [exportable()[name] for name in DEFAULT], level="native")
    whole = Library(build_library(tmp_path)[0])
    for name in DYNAMICS:
        for model in MODELS:
            same_bits(whole, name, zoo.build(model))


def test_joint_terms_with_rotors_have_the_bits_of_python(library: Library) -> None:
    model = zoo.build("rotors").replace(
        armature=[1, 2, 0, 3], damping=0.5, friction=[0, 1, 1, 2], stiffness=[3, 0, 1, 2], rest=0.2
    )
    for name in ("ID", "HandC", "FDab", "ground_kinematics", "ID_SO_derivatives"):
        same_bits(library, name, model)


def test_a_function_without_joint_terms_refuses_them(library: Library) -> None:
    """A model with damping gives a status where Python raises an error."""
    model, f = load_model("puma560").replace(damping=0.1), record("ID_SlotineLi")
    for shape in ((), (3,)):
        args, _ = arguments(model, f.name, shape)
        status, outs = library.call(f, model, args)
        assert status == UNSUPPORTED and np.isnan(outs[0]).all()
        assert b"armature, damping, friction" in library.c.sv2_message(status)
        with pytest.raises(SpatialError, match="does not support the damping"):
            spatial_v2.ID_SlotineLi(model, *args)


@pytest.mark.parametrize(("model", "rotors"), [("rotors", 4), ("one_rotor", 1), ("chain", 0)])
def test_numbers_of_a_model_are_those_without_rotors(
    library: Library, model: str, rotors: int
) -> None:
    robot = zoo.build(model)
    _, made = library.open(model_bytes(robot))
    got = [getattr(library.c, f"sv2_{x}")(made) for x in ("NB", "NQ", "NV", "rotors")]
    library.c.sv2_model_free(made)
    assert got == [robot.NB, robot.NQ, robot.NV, rotors]


def test_large_numbers_are_finite(library: Library) -> None:
    """Results are finite if each number is, even if their sum is not."""
    model, f = load_model("puma560").replace(armature=1e308), record("ID")
    args = [np.zeros((3, 6)), np.zeros((3, 6)), np.full((3, 6), 1.5)]
    assert library.call(f, model, args)[0] == DONE
    assert library.call(f, model, [x[0] for x in args])[0] == DONE
    args[2][1, 4] = 2.0
    assert library.call(f, model, args)[0] == NOT_FINITE
    assert library.call(f, model, [x[1] for x in args])[0] == NOT_FINITE


def test_wrong_arguments_are_a_status(library: Library) -> None:
    model, f = load_model("puma560"), record("ID")
    args, _ = arguments(model, "ID", ())
    assert library.call(f, model, args, short=128)[0] == WORKSPACE
    assert library.call(f, model, args, short=10**9)[0] == WORKSPACE
    args[0][2] = np.nan
    assert library.call(f, model, args)[0] == NOT_FINITE
    one = np.zeros(1)
    status, made = library.open(model_bytes(model))
    assert status == DONE
    at, size = ctypes.c_void_p(one.ctypes.data), ctypes.c_size_t(8)
    for k in (0, 1, 2, 3, 5, 6):
        given = [made, at, at, at, None, at, at, size]
        given[k] = None
        assert library.c.sv2_ID(*given) == NULL
    assert library.c.sv2_ID_workspace(None) == 0
    library.c.sv2_model_free(made)
    library.c.sv2_model_free(None)
    assert library.c.sv2_message(WORKSPACE).startswith(b"the workspace")
    assert library.c.sv2_message(-1) == library.c.sv2_message(99) == b"unknown status"


@pytest.mark.parametrize("name", KINDS)
def test_results_that_overlap_another_array_are_a_status(library: Library, name: str) -> None:
    """Each result against each argument, external forces and each other result: where they share a
    number there is a status and nothing is computed; side by side they are fine.
    """
    model, f = load_model("puma560"), record(name)
    status, made = library.open(model_bytes(model))
    assert status == DONE
    sizes = {"q": model.NQ, "v": model.NV, "b": model.NB, "6": 6, "3": 3}
    lengths = [sizes[core] for core in f.cores] + [6 * model.NB] * f.force
    lengths += [math.prod(sizes[x] for x in shape) for shape in f.shapes]
    starts = np.cumsum([0, *lengths])
    numbers, count = np.full(starts[-1] + 1, 0.25), len(lengths)
    room = library.workspace(name, made)

    def call(at: list[int]) -> int:
        given = [ctypes.c_void_p(numbers.ctypes.data + 8 * int(k)) for k in at]
        end = ctypes.c_void_p(room.ctypes.data), ctypes.c_size_t(len(room))
        return int(getattr(library.c, f"sv2_{name}")(made, *given, *end))

    assert call([*starts[:-1]]) == DONE
    for k in range(count - len(f.shapes), count):
        for i in range(count):
            for shift in (0, lengths[i] - 1) if i != k else ():
                at = [*starts[:-1]]
                at[k] = starts[i] + shift
                numbers[:] = 0.25
                assert call(at) == OVERLAP, (k, i, shift)
                assert np.all(numbers == 0.25)
    library.c.sv2_model_free(made)


def test_threads_with_their_own_workspaces_do_not_disturb_one_another(library: Library) -> None:
    model, f = load_model("puma560"), record("ID_SO_derivatives")
    args, _ = arguments(model, f.name, (64,))
    wanted = derivatives.ID_SO_derivatives(model, *args).d2tau_dq
    found: list[Any] = []

    def work() -> None:
        for _ in range(5):
            found.append(library.call(f, model, args)[1][0])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    for x in found:
        np.testing.assert_array_equal(x, wanted)
