"""Constrained dynamics of exported libraries: the bits of Python, and a status for bad input."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from counted import counted
from export_checks import NEEDS_COMPILER
from exported import (
    DEPENDENT,
    DONE,
    IN_BASE,
    IN_FRAME1,
    IN_FRAME2,
    NO_NAME,
    NOT_FINITE,
    NULL,
    OVERLAP,
    POINTS,
    ROD,
    SINGULAR,
    UNSUPPORTED,
    VALUE,
    WORKSPACE,
    Constraint,
    Library,
)
from helpers import near
from once import made_once

from derivatives import KKT_FO_derivatives
from spatial_v2 import (
    KKT_FD,
    DistanceConstraint,
    FDab,
    FrameConstraint,
    Impact_dyn,
    Model,
    PointConstraint,
    autoTree,
    load_model,
    plux,
    random_configuration,
    xlt,
)
from spatial_v2.constraints.ConstraintSet import ConstraintSet
from spatial_v2.constraints.residual import Gains
from spatial_v2.constraints.row_kernels import rows as rows_of
from spatial_v2.engine.constrained import LINE
from spatial_v2.engine.tree import lift_transforms
from spatial_v2.export import build_library, compiler, export_library, model_bytes, write_model
from spatial_v2.export.constrained import CONSTRAINED
from spatial_v2.export.functions import exportable, exported
from spatial_v2.orientation import rpyToRot

RECORDS = {f.name: f for f in exported([exportable()[name] for name in CONSTRAINED])}
FUZZ = Path(__file__).parents[1] / "support" / "export_constraints_fuzz.c"
EXAMPLES = Path(__file__).parents[2] / "examples" / "cpp"
SANITIZERS = "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"
KINDS = {0: IN_FRAME1, 1: IN_FRAME2, -1: IN_BASE, LINE: ROD}
MODELS = "branched", "floating", "chain", "planar_tree"

pytestmark = NEEDS_COMPILER


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    def make(root: Path) -> None:
        export_library(root, [exportable()[name] for name in CONSTRAINED], level="native")
        build_library(root, ["-Wall", "-Wextra", "-Wshadow", "-Werror"])

    return made_once(tmp_path_factory, "constraints", make)


@pytest.fixture(scope="module")
def library(folder: Path) -> Library:
    return Library(folder / "lib" / "libspatial_v2.so")


def built(folder: Path, source: Path, program: Path, *more: str) -> list[str]:
    """Build a program with the sources of the library, under sanitizers; return its command."""
    objects = sorted(map(str, [*(folder / "src").glob("*.c"), *(folder / "objects").glob("*.o")]))
    command = ["c++", "-std=c++17"] if source.suffix == ".cpp" else [*(compiler() or ())]
    if source.suffix == ".cpp":
        copy = shutil.copytree(folder, program.parent / "library")
        objects = [str(build_library(copy, SANITIZERS)[1])]
    include = f"-I{folder / 'include'}", "-O1", "-Wall", "-Wextra", "-Wshadow", "-Werror"
    end = [*objects, *more, "-lm", "-o", str(program)]
    made = subprocess.run(
        [*command, *include, *SANITIZERS, str(source), *end], capture_output=True, text=True
    )
    if made.returncode and "sanitize" in made.stderr:
        pytest.skip("the C compiler has no address sanitizer")
    assert made.returncode == 0, made.stderr
    return [str(program)]


def in_c(model: Model, given: Sequence[Any]) -> list[Constraint]:
    """Return constraints as records of the library, from those that Python resolves."""
    made = []
    for x in ConstraintSet(model, given).relations:
        points = isinstance(given[len(made)], PointConstraint)
        X1, X2 = (lift_transforms(X[None])[0] if len(X) == 3 else X for X in x.frames)
        D = np.roll(x.directions, 3, axis=1) if not points and x.own == -1 else x.directions
        D = D[:, :1] if x.own == LINE else D
        kind = POINTS if points else KINDS[x.own]
        made.append(Constraint(kind, x.body1, x.body2, X1, X2, x.m, D))
    return made


def constraints_on(model: Model) -> dict[str, list[Any]]:
    """Return contacts, rails and welds on a model, by name."""
    last = model.NB - 1
    if model.is_planar:
        return {"tip": [PointConstraint(last, [0.3, -0.2], directions=[[0, 1]])]}
    X = plux(rpyToRot([0.3, -0.2, 0.5]), [0.1, -0.3, 0.2])
    tip, plane = [0.3, -0.2, 0.1], [[0.0, 0.6, 0.8]]
    return {
        "none": [],
        "tip": [PointConstraint(last, tip, point1=[0.1, 0.2, 0.3], directions=plane)],
        "rail": [FrameConstraint(last, X, frame1=X, rows=[1, 4])],
        "loop": [FrameConstraint(last, X, 0, xlt([0.2, 0, 0]), rows=[3])],
        "rod": [DistanceConstraint(last, tip, -1, [2.0, 0.1, -0.4], distance=1.7)],
        "axes of the base": [FrameConstraint(last, X, frame1=X, rows=[3, 4], axes="mixed")],
    }


def arguments(model: Model, name: str, m: int, lead: tuple[int, ...]) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    sizes = {"v": model.NV, "m": m}
    return [
        random_configuration(model, rng, lead) if x == "q" else rng.uniform(size=(*lead, sizes[x]))
        for x in RECORDS[name].cores
    ]


def python(
    name: str, model: Model, args: list[np.ndarray], given: list[Any], gains: Any, **how: Any
) -> list[np.ndarray]:
    """Return the results of Python in the form of the library."""
    if name == "constraint_rows":
        held, lead = ConstraintSet(model, given), args[0].shape[:-1]
        states = [x.reshape(-1, x.shape[-1]) for x in args]
        wanted = Gains(*(np.full(held.m, x) for x in gains))
        found = rows_of(model, states, held, wanted, bool(lead))
        return [x if lead else x[0] for x in found]
    if name == "Impact_dyn":
        qd_plus = [
            Impact_dyn(model, q, qd, given, e, **how)
            for q, qd, e in zip(*(np.atleast_2d(x) for x in args), strict=True)
        ]
        return [np.reshape(x, (*args[0].shape[:-1], -1)) for x in zip(*qd_plus, strict=True)]
    if name == "KKT_FD":
        return [*KKT_FD(model, *args, given, baumgarte=gains, **how)]
    made = KKT_FO_derivatives(model, *args, given, baumgarte=gains, **how)
    solution = np.concatenate(KKT_FD(model, *args, given, baumgarte=gains, **how), axis=-1)
    return [solution, np.stack(made[:3], axis=-3), np.stack(made[3:], axis=-3)]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", CONSTRAINED)
def test_constraints_have_the_bits_of_python(library: Library, name: str, model: str) -> None:
    """Contacts, rails, loops, in all axes, with gains of Baumgarte stabilisation and softness, for
    one state and for batches. What Python computes by other kernels agrees to rounding: impacts,
    accelerations beside derivatives, motion without constraints. So do sizes of rows, of whose
    products and sums a compiler makes single instructions in one program and not in the other.
    """
    robot = zoo.build(model)
    for kind, given in constraints_on(robot).items():
        m = ConstraintSet(robot, given).m
        has_place = kind not in ("none", "loop") and not robot.is_planar
        for gains, softness in ((((0.0, 0.0)), 0.0), ((9.0 * has_place, 6.0), 1e-3)):
            impact = name == "Impact_dyn"
            if impact and softness:
                continue
            for lead in ((), (11,)):
                args = arguments(robot, name, m, lead)
                forces = {}
                if RECORDS[name].force and not robot.is_planar:
                    forces["f_ext"] = np.random.default_rng(3).normal(size=(*lead, robot.NB, 6))
                how = {"damping": softness} if softness and name.startswith("KKT") else {}
                status, outs = library.call(
                    RECORDS[name], robot, args, forces.get("f_ext"), constraints=in_c(robot, given),
                    gains=gains, softness=softness,
                )  # fmt: skip
                assert status == DONE, (kind, library.c.sv2_message(status))
                wanted = python(name, robot, args, given, gains, **how, **forces)
                for k, (x, want) in enumerate(zip(outs, wanted, strict=True)):
                    if impact or RECORDS[name].shapes[k] == "z" or kind == "none":
                        near(x, want, 1e-10)
                    elif name == "constraint_rows" and k == 2:  # sums of squares, fused or not
                        near(x, want, 1e-15)
                    else:
                        np.testing.assert_array_equal(x, want, err_msg=kind)


def test_no_call_asks_for_memory(folder: Path, tmp_path: Path) -> None:
    """Contacts, rails and loops, for one state and for batches; dependent rows, too."""
    watched = counted(folder, tmp_path, CONSTRAINED)
    robot = zoo.build("floating")
    for given in (*constraints_on(robot).values(), 2 * constraints_on(robot)["tip"]):
        m = ConstraintSet(robot, given).m
        for name in CONSTRAINED:
            for lead in ((), (11,)):
                args = arguments(robot, name, m, lead)
                watched.call(RECORDS[name], robot, args, constraints=in_c(robot, given))


def test_dependent_rows_are_a_status_with_the_solution_of_least_norm(library: Library) -> None:
    """Two equal contacts share their force, in one state and in a batch."""
    robot = zoo.build("floating")
    tip = PointConstraint(robot.NB - 1, [0.3, -0.2, 0.1])
    f = RECORDS["KKT_FD"]
    for lead in ((), (5,)):
        args = arguments(robot, f.name, 6, lead)
        status, outs = library.call(f, robot, args, constraints=in_c(robot, [tip, tip]))
        assert status == DEPENDENT
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = KKT_FD(robot, *args, [tip, tip], rank="minimum_norm")
        for x, want in zip(outs, wanted, strict=True):
            near(x, want, 1e-9)
        status, _ = library.call(f, robot, args, constraints=in_c(robot, [tip, tip]), softness=1e-3)
        assert status == DONE
    for name in ("Impact_dyn", "KKT_FO_derivatives"):
        args = arguments(robot, name, 6, ())
        given = in_c(robot, [tip, tip])
        assert library.call(RECORDS[name], robot, args, constraints=given)[0] == DEPENDENT


def test_a_body_without_inertia_is_a_status(library: Library) -> None:
    light = autoTree(3).replace(I=[*autoTree(3).I[:2], np.zeros((6, 6))])
    args = arguments(light, "KKT_FD", 1, ())
    first = in_c(light, [PointConstraint(0, [1.0, 0, 0], directions=[[0, 1, 0]])])
    assert library.call(RECORDS["KKT_FD"], light, args, constraints=first)[0] == SINGULAR


def test_wrong_constraints_are_a_status(library: Library) -> None:
    robot = load_model("puma560")
    last, I6 = robot.NB - 1, np.eye(6)
    _, made = library.open(model_bytes(robot))
    for x, status in {
        (POINTS, -1, last, None, None, 3): DONE,
        (POINTS, -1, last, None, None, 2): VALUE,
        (POINTS, -1, last, None, None, 4): VALUE,
        (POINTS, -1, last, None, None, 0): VALUE,
        (POINTS, last, last, None, None, 3): VALUE,
        (POINTS, -1, -1, None, None, 3): VALUE,
        (POINTS, -2, last, None, None, 3): NO_NAME,
        (POINTS, -1, robot.NB, None, None, 3): NO_NAME,
        (-1, -1, last, None, None, 3): VALUE,
        (ROD, -1, last, None, None, 1): DONE,
        (ROD, -1, last, None, None, 2): VALUE,
        (5, -1, last, None, None, 6): VALUE,
        (IN_BASE, -1, last, None, None, 6): DONE,
        (IN_BASE, -1, last, None, None, 2**63): VALUE,
    }.items():
        for given in ([Constraint(*x)], [Constraint(POINTS, -1, 0, None, None, 3), Constraint(*x)]):
            found, handle = library.constraints(made, given)
            assert found == status and bool(handle.value) == (status == DONE), x
            library.c.sv2_constraints_free(handle)
    for X in (2 * I6, np.full((6, 6), np.nan)):
        for ends in ((X, None), (None, X)):
            one = Constraint(POINTS, -1, last, *ends, 3)
            assert library.constraints(made, [one])[0] == VALUE
    one = Constraint(POINTS, -1, last, None, None, 1, [[0, np.inf, 0]])  # type: ignore[arg-type]
    assert library.constraints(made, [one])[0] == VALUE
    at = ctypes.byref(ctypes.c_void_p())
    assert library.c.sv2_constraints_new(None, None, ctypes.c_size_t(0), at) == NULL
    assert library.c.sv2_constraints_new(made, None, ctypes.c_size_t(1), at) == NULL
    assert library.c.sv2_constraints_new(made, None, ctypes.c_size_t(0), None) == NULL
    library.c.sv2_constraints_free(None)
    status, held = library.constraints(made, [Constraint(IN_BASE, -1, last, None, None, 6)])
    assert library.c.sv2_set_softness(held, ctypes.c_double(-1.0)) == VALUE
    assert library.c.sv2_set_softness(held, ctypes.c_double(np.nan)) == VALUE
    assert library.c.sv2_set_softness(None, ctypes.c_double(0)) == NULL
    for x, status in ((np.ones(6), VALUE), (-np.ones(6), VALUE), (np.nan * np.ones(6), VALUE)):
        gain = ctypes.c_void_p(x.ctypes.data)
        assert library.c.sv2_set_baumgarte(held, gain, None) == status
    assert library.c.sv2_set_baumgarte(None, None, None) == NULL
    library.c.sv2_constraints_free(held)
    _, held = library.constraints(made, [Constraint(IN_BASE, -1, last, I6, None, 6)])
    ones = np.ones(6)
    gain = ctypes.c_void_p(ones.ctypes.data)
    assert library.c.sv2_set_baumgarte(held, gain, gain) == UNSUPPORTED
    assert library.c.sv2_set_baumgarte(held, None, gain) == DONE
    library.c.sv2_constraints_free(held)
    library.c.sv2_model_free(made)


def test_wrong_calls_of_constraints_are_a_status(library: Library) -> None:
    robot, f = load_model("puma560"), RECORDS["KKT_FD"]
    given = in_c(robot, [PointConstraint(robot.NB - 1, [0.3, -0.2, 0.1])])
    args = arguments(robot, f.name, 3, ())
    assert library.call(f, robot, args, short=10**9, constraints=given)[0] == WORKSPACE
    lost = [np.nan * x for x in args]
    assert library.call(f, robot, lost, short=128, constraints=given)[0] == WORKSPACE
    for k in range(3):
        bad = [x.copy() for x in args]
        bad[k][0] = np.nan
        assert library.call(f, robot, bad, constraints=given)[0] == NOT_FINITE
        batch = [np.stack([x, y]) for x, y in zip(args, bad, strict=True)]
        assert library.call(f, robot, batch, constraints=given)[0] == NOT_FINITE
    assert library.c.sv2_KKT_FD(None, *[None] * 7, ctypes.c_size_t(0)) == NULL
    assert library.c.sv2_KKT_FD_workspace(None) == 0
    _, made = library.open(model_bytes(robot))
    _, held = library.constraints(made, given)
    room, x = library.workspace("KKT_FD", held), np.full(100, 0.25)
    end = ctypes.c_void_p(room.ctypes.data), ctypes.c_size_t(len(room))
    q, other = (ctypes.c_void_p(x.ctypes.data + 8 * k) for k in (0, 60))
    for outs in ((q, other), (other, q), (other, other)):
        assert library.c.sv2_KKT_FD(held, q, q, q, None, *outs, *end) == OVERLAP
    library.c.sv2_constraints_free(held)
    library.c.sv2_model_free(made)
    geared = zoo.build(zoo.ROTORS[0])
    _, made = library.open(model_bytes(geared))
    one = Constraint(POINTS, -1, 0, None, None, 3)
    assert library.constraints(made, [one])[0] == UNSUPPORTED
    library.c.sv2_model_free(made)


def test_a_contact_is_that_of_a_named_frame(library: Library) -> None:
    robot = load_model("puma560")
    _, made = library.open(model_bytes(robot))
    one = Constraint(POINTS, 0, 0, None, None, 1)
    at = ctypes.byref(one)
    assert library.c.sv2_contact(made, robot.body_names[-1].encode(), at) == DONE
    assert (one.kind, one.body1, one.body2, one.rows) == (POINTS, -1, robot.NB - 1, 3)
    assert library.c.sv2_contact(made, b"nosuch", at) == NO_NAME
    assert library.c.sv2_contact(made, None, at) == NULL
    assert library.c.sv2_contact(made, b"", None) == NULL
    library.c.sv2_model_free(made)


def test_constraints_live_in_memory_of_the_caller(library: Library) -> None:
    """With a byte less than `sv2_constraints_size` there is a status; unaligned memory is fine."""
    robot = load_model("puma560")
    _, made = library.open(model_bytes(robot))
    one, count = Constraint(POINTS, -1, robot.NB - 1, None, None, 3), ctypes.c_size_t(1)
    size = library.c.sv2_constraints_size(made, ctypes.byref(one), count)
    assert library.c.sv2_constraints_size(None, ctypes.byref(one), count) == 0
    memory, held = np.full(size + 64, 7, np.uint8), ctypes.c_void_p()
    for shift in (0, 1, 9):
        at = ctypes.c_void_p(memory.ctypes.data + shift)
        inside = made, ctypes.byref(one), count, at
        for bytes_, status in ((size - 1, WORKSPACE), (size, DONE)):
            room = ctypes.c_size_t(bytes_)
            assert library.c.sv2_constraints_in(*inside, room, ctypes.byref(held)) == status
        library.c.sv2_constraints_free(held)
        assert (memory[size + shift :] == 7).all()
        memory[:] = 7
    library.c.sv2_model_free(made)


@pytest.fixture(scope="module")
def fuzz(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command of a program that makes and uses lists of constraints."""

    def make(place: Path) -> None:
        built(folder, FUZZ, place / "fuzz")

    return [str(made_once(tmp_path_factory, "fuzz_of_constraints", make) / "fuzz")]


@pytest.mark.parametrize("model", ["puma560", "floating"])
def test_damaged_constraints_give_a_status(fuzz: list[str], tmp_path: Path, model: str) -> None:
    """Two thousand lists of constraints, good and bad, on damaged models, are made and used under
    the address sanitizer; none causes an invalid access.
    """
    robot = zoo.build(model) if model in zoo.NAMES else load_model(model)
    write_model(robot, tmp_path / "model.sv2")
    command = [*fuzz, str(tmp_path / "model.sv2"), "2000"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    made, refused, solved = map(int, ended.stdout.split())
    assert made > 200 and refused > 200 and solved > 50


def test_the_example_has_the_forces_of_python(folder: Path, tmp_path: Path) -> None:
    robot = load_model("puma560")
    write_model(robot, tmp_path / "model.sv2")
    program = built(folder, EXAMPLES / "contact.cpp", tmp_path / "contact")
    words = str(tmp_path / "model.sv2"), robot.body_names[-1], "60"
    ended = subprocess.run([*program, *words], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    q, qd, stands = np.full(robot.NQ, 0.4), np.zeros(robot.NV), True
    force, contact = np.zeros(3), [PointConstraint(robot.NB - 1)]
    for _ in range(60):
        if stands:
            qdd, force = KKT_FD(robot, q, qd, -0.01 * qd, contact, baumgarte=(0.0, 20.0))
            stands = force[2] >= 0
        if not stands:
            qdd = FDab(robot, q, qd, -0.01 * qd)
        qd = qd + 1e-3 * qdd
        q = q + 1e-3 * qd
    near(np.array(ended.stdout.split(), float), np.concatenate([force, qdd]), 1e-9)
