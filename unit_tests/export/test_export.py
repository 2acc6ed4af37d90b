"""Exported libraries return the same bits as Python, and a status for every error."""

from __future__ import annotations

import ctypes
import functools
import math
import platform
import shutil
import struct
import subprocess
import sys
import threading
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from exported import (
    DAMAGED,
    DONE,
    INVALID,
    KINDS,
    NO_MODEL,
    NO_RESULT,
    NOT_FINITE,
    NULL,
    OF_EVERY_KIND,
    OVERLAP,
    UNREADABLE,
    UNSUPPORTED,
    VERSION,
    WORKSPACE,
    Library,
    coupled_models,
    library_of_every_kind,
)
from helpers import near
from once import made_once

import derivatives
import spatial_v2
from spatial_v2 import Model, SpatialError, load_model
from spatial_v2.couplings import CoupledModel
from spatial_v2.couplings.free import free_tree
from spatial_v2.engine.tree import lower
from spatial_v2.export import (
    DEFAULT,
    build_library,
    compiler,
    export_library,
    model_bytes,
    write_model,
)
from spatial_v2.export.functions import DYNAMICS, exportable, exported

MODELS = [name for name in zoo.NAMES if name in zoo.ROTORS or not name.startswith("one_")]
EXAMPLES = Path(__file__).parents[2] / "examples" / "cpp"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed"),
]


def named(name: str) -> Any:
    return getattr(derivatives, name, None) or getattr(spatial_v2, name)


@functools.cache
def record(name: str) -> Any:
    return exported([named(name)])[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return library_of_every_kind(tmp_path_factory)


@pytest.fixture(scope="module")
def library(folder: Path) -> Library:
    return Library(folder / "lib" / "libspatial_v2.so")


def arguments(model: Model, name: str, shape: tuple[int, ...]) -> tuple[list[Any], Any]:
    rng = np.random.default_rng(7)
    f = record(name)
    q = spatial_v2.random_configuration(model, rng, shape)
    given = [q if core == "q" else rng.normal(size=(*shape, model.NV)) for core in f.cores]
    bodies = free_tree(model).NB
    force = rng.normal(size=(*shape, bodies, 6)) if f.force and not model.is_planar else None
    return given, force


def same_bits(library: Library, name: str, model: Model) -> None:
    """Results are Python's to the last bit. Kernels with sums compute states of batches one by one,
    and Python takes others if q has rotation matrices, which it checks. With external forces on a
    robot with rotors, it sums tensors and results of coupled models in another order.
    """
    f, coupled = record(name), isinstance(model, CoupledModel)
    rotors = free_tree(model).has_rotors
    matrices = any(joint.code in ("SO3", "SE3") for joint in model.layout.joints)
    for lead in ((), (1,), (11,), (700,)):
        if lead == (700,) and (f.runs or f.sums):
            continue
        args, force = arguments(model, name, lead)
        for given in (None, force):
            rounding = 1e-13 * (f.sums and matrices)
            rounding += 1e-14 * ((coupled or bool(f.runs)) and rotors and given is not None)
            status, outs = library.call(f, model, args, given)
            if (f.sums and rotors) or (coupled and f.coupled == "refuses"):
                assert status == UNSUPPORTED
                continue
            assert status == DONE
            wanted = from_python(f, model, lead, args, given)
            several = wanted if len(outs) > 1 else [wanted]
            for out, shape, want in zip(outs, f.shapes, several, strict=True):
                found = lower(out, tuple(shape)) if model.is_planar else out
                atol = rounding * np.abs(want).max(initial=0.0)
                np.testing.assert_allclose(found, want, rtol=0.0, atol=atol)


def from_python(f: Any, model: Model, lead: tuple[int, ...], args: list[Any], force: Any) -> Any:
    """Compute results in Python, in the way in which the library does."""
    function, options = named(f.name), {} if force is None else {"f_ext": force}
    if not f.sums or not lead:
        function(model, *args, **options)  # the first call for a coupled model has no kernel
        return function(model, *args, **options)
    one = [{name: x[k] for name, x in options.items()} for k in range(*lead)]
    states = [function(model, *(x[k] for x in args), **given) for k, given in enumerate(one)]
    return [np.stack(x) for x in zip(*states, strict=True)]


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


LEVELS = {"x86-64-v2": ("SSE42", 4), "x86-64-v3": ("AVX2", 4), "x86-64-v4": ("AVX512_SKX", 8)}
"""Levels of processors: what NumPy calls their instructions, and their SIMD widths."""


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="needs x86-64")
@pytest.mark.parametrize("level", LEVELS)
def test_levels_of_processors_agree_to_rounding(tmp_path: Path, level: str) -> None:
    """The library states its level and SIMD width, and runs if the processor has that level."""
    feature, width = LEVELS[level]
    export_library(tmp_path, [spatial_v2.ID], level=level)
    library = Library(build_library(tmp_path)[0])
    assert f'SV2_LEVEL "{level}"' in (tmp_path / "include" / "spatial_v2.h").read_text("utf-8")
    assert f'{{"{level}", {width}, ' in (tmp_path / "src" / "levels.c").read_text("utf-8")
    if not features().get(feature):
        return
    for model in map(zoo.build, ("branched", "floating", "planar_tree")):
        for shape in ((), (11,)):
            args, _ = arguments(model, "ID", shape)
            status, (tau,) = library.call(record("ID"), model, args)
            assert status == DONE
            near(tau, spatial_v2.ID(model, *args), 1e-12)


def features() -> dict[str, bool]:
    """Return the instructions of this processor, as NumPy knows them."""
    from numpy._core import _multiarray_umath

    found: dict[str, bool] = _multiarray_umath.__cpu_features__
    return found


def sealed(data: bytes) -> bytes:
    """Return the contents of a model file with its checksum made right."""
    head = data[:56] + bytes(4) + data[60:64]
    seal = zlib.crc32(head) ^ zlib.crc32(data[64:])
    return data[:56] + struct.pack("<I", seal) + data[60:]


def test_a_model_file_is_refused_by_its_fault(library: Library, tmp_path: Path) -> None:
    data = model_bytes(load_model("puma560"))
    joint, gravity = 80 + 8 * 6, 80 + 8 * 81 * 6
    for wrong, status in (
        (b"", NO_MODEL),
        (b"MATLAB 5.0 MAT-file", NO_MODEL),
        (data[:40], DAMAGED),
        (data[:-8], DAMAGED),
        (data + bytes(1), DAMAGED),
        (data[:8] + struct.pack("<I", 6) + data[12:], VERSION),
        (data[:8] + struct.pack("<I", 2) + data[12:], DAMAGED),
        (data[:8] + struct.pack("<I", 5) + data[12:], DAMAGED),
        (data[:60] + struct.pack("<I", 1) + data[64:], DAMAGED),
        (data[:300] + b"x" + data[301:], DAMAGED),
        (sealed(data[:80] + struct.pack("<q", 3) + data[88:]), INVALID),
        (sealed(data[:joint] + struct.pack("<q", 6) + data[joint + 8 :]), INVALID),
        (sealed(data[:gravity] + struct.pack("<d", np.nan) + data[gravity + 8 :]), INVALID),
        (sealed(data[:-16] + b"x" * 16), INVALID),
        (data[:64] + struct.pack("<Q", 1) + data[72:], DAMAGED),
        (data[:72] + struct.pack("<Q", 2**60) + data[80:], DAMAGED),
    ):
        got, model = library.open(wrong)
        assert (got, model.value) == (status, None)
        path = tmp_path / "model.sv2"
        path.write_bytes(wrong)
        assert library.c.sv2_model_from_file(str(path).encode(), ctypes.byref(model)) == status
    assert library.c.sv2_model_from_file(b"/no/such", ctypes.byref(model)) == UNREADABLE
    assert library.c.sv2_model_from_file(None, ctypes.byref(model)) == NULL
    assert library.c.sv2_model_from_file(b"x", None) == NULL


def test_a_file_with_wrong_rotors_is_refused(library: Library) -> None:
    """A rotor is on the parent of the body whose joint drives it; bodies drive in order."""
    model = zoo.build("rotors")
    data, n = model_bytes(model), model.NB + model.n_rotor
    assert library.open(data)[0] == DONE
    drivers = 80 + 8 * (81 * n + 3)
    ratios = drivers + 8 * model.n_rotor
    for at, value, status in (
        (drivers, struct.pack("<q", model.NB), INVALID),
        (drivers, struct.pack("<q", -1), INVALID),
        (drivers + 8, struct.pack("<q", 0), INVALID),
        (ratios, struct.pack("<d", np.inf), INVALID),
        (80 + 8 * model.NB, struct.pack("<q", 0), INVALID),
        (80 + 8 * (n + 6 * model.NB), struct.pack("<q", 2), INVALID),
        (8, struct.pack("<I", 1), DAMAGED),
        (60, struct.pack("<I", 1), DAMAGED),
        (60, struct.pack("<I", 2**32 - 1), DAMAGED),
    ):
        wrong = sealed(data[:at] + value + data[at + len(value) :])
        got, made = library.open(wrong)
        assert (got, made.value) == (status, None), (at, value)


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


FUZZ = Path(__file__).parents[1] / "support" / "export_fuzz.c"


@pytest.fixture(scope="module")
def fuzz(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a program that reads damaged files, built with the library under sanitizers."""

    def make(place: Path) -> None:
        sources = sorted(map(str, (folder / "src").glob("*.c")))
        kernels = sorted(map(str, (folder / "objects").glob("*.o")))
        include = [f"-I{folder / 'include'}", f"-I{folder / 'src'}"]
        build = [*(compiler() or ()), "-O1", *SANITIZERS, *include, str(FUZZ), *sources, *kernels]
        command = [*build, "-lm", "-o", str(place / "fuzz")]
        made = subprocess.run(command, capture_output=True, text=True)
        if made.returncode and "sanitize" in made.stderr:
            pytest.skip("the C compiler has no address sanitizer")
        assert made.returncode == 0, made.stderr

    return made_once(tmp_path_factory, "fuzz", make) / "fuzz"


@pytest.mark.parametrize("model", ["puma560", "planar_tree", "rotors", "coupled"])
def test_damaged_model_files_give_a_status(fuzz: Path, tmp_path: Path, model: str) -> None:
    """Ten thousand damaged files are read under the address sanitizer; none causes an invalid
    access.

    Half of them have the right checksum. All exported functions run with the models that open.
    """
    if model == "coupled":
        robot: Model = coupled_models()["rotors"]
    else:
        robot = zoo.build(model) if model in zoo.NAMES else load_model(model)
    write_model(robot, tmp_path / "model.sv2")
    command = [str(fuzz), str(tmp_path / "model.sv2"), "10000"]
    ended = subprocess.run(command, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    opened, refused = map(int, ended.stdout.split())
    assert refused > 5000 and opened > 0 and opened + refused == 10000


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


SANITIZERS = "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"


@pytest.fixture(scope="module")
def checked(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder with a library that checks its accesses to memory, and the options for programs
    with it; the library itself if the compiler has no sanitizers.
    """

    def make(copy: Path) -> None:
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        build_library(copy, SANITIZERS)

    try:
        return made_once(tmp_path_factory, "checked", make), [*SANITIZERS]
    except SpatialError as error:
        assert "sanitize" in str(error)
        return folder, []


def numbers(
    checked: tuple[Path, list[str]], tmp_path: Path, name: str, *words: str, include: str = ""
) -> np.ndarray:
    """Build an example with the library, as users do, and return the numbers that it prints. All
    accesses to memory are checked.
    """
    folder, checks = checked
    source = next(EXAMPLES.glob(f"{name}.c*"))
    command = ["c++", "-std=c++17"] if source.suffix == ".cpp" else [*compiler(), "-std=c11"]
    if shutil.which(command[0]) is None:
        pytest.skip("no C++ compiler (c++) is installed")
    program = tmp_path / name
    flags = ["-Wall", "-Wextra", "-Werror", "-O2", f"-I{folder / 'include'}"]
    flags += [*checks, *(["-isystem", include] if include else [])]
    static = str(folder / "lib" / "libspatial_v2.a")
    subprocess.run([*command, *flags, str(source), static, "-lm", "-o", str(program)], check=True)
    write_model(load_model("puma560"), tmp_path / "puma.sv2")
    ended = subprocess.run(
        [str(program), str(tmp_path / "puma.sv2"), *words],
        check=True, capture_output=True, text=True, env={},
    )  # fmt: skip
    return np.array(ended.stdout.split(), dtype=float)


def sine(x: np.ndarray) -> np.ndarray:
    return np.array([math.sin(t) for t in x.ravel()]).reshape(x.shape)


def test_example_of_a_control_loop(checked: tuple[Path, list[str]], tmp_path: Path) -> None:
    t = 1e-3 * 19 + np.arange(6.0)
    q, qd = 0.3 * sine(t), 0.3 * np.array([math.cos(x) for x in t])
    wanted = spatial_v2.ID(load_model("puma560"), q, qd, -q)
    np.testing.assert_array_equal(numbers(checked, tmp_path, "control_loop", "20"), wanted)


def test_example_of_a_tool(checked: tuple[Path, list[str]], tmp_path: Path) -> None:
    """The force of a spring from the tool to its goal, in joint space, beside that of HandC."""
    robot, q = load_model("puma560"), np.full(6, 0.4)
    J = spatial_v2.FrameJacobian(robot, q, "hand", "mixed")[3:]
    wanted = spatial_v2.HandC(robot, q, 0 * q).C + J.T @ np.full(3, 100 * 0.05)
    near(numbers(checked, tmp_path, "reach", "hand", "3"), wanted, 1e-12)


STANDARDS = {
    "-std=c++17": "throwing",
    "-std=c++17 -fno-exceptions": "q: want 6 numbers, got 5",
    "-std=c++23 -DEXPECTED": "throwing",
}
"""Options of the compiler, and what a program says that ends by an error that nobody handles."""


@pytest.mark.parametrize("flags", STANDARDS)
def test_errors_are_a_status_or_expected_by_choice(
    folder: Path, tmp_path: Path, flags: str
) -> None:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler (c++) is installed")
    write_model(load_model("puma560"), tmp_path / "puma.sv2")
    program, source = str(tmp_path / "status"), str(FUZZ.with_name("export_status.cpp"))
    strict = ["-Wall", "-Wextra", "-Wshadow", "-Werror", f"-I{folder / 'include'}"]
    static = str(folder / "lib" / "libspatial_v2.a")
    command = ["c++", *flags.split(), *strict, source, static, "-lm", "-o", program]
    made = subprocess.run(command, capture_output=True, text=True)
    if "EXPECTED" in flags and "has no std::expected" in made.stderr:
        pytest.skip("the C++ compiler has no std::expected")
    assert made.returncode == 0, made.stderr
    words = [program, str(tmp_path / "puma.sv2")]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    ended = subprocess.run([*words, "fails"], capture_output=True, text=True)
    assert ended.returncode != 0 and STANDARDS[flags] in ended.stderr


def test_errors_are_exceptions_in_cpp(folder: Path, tmp_path: Path) -> None:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler (c++) is installed")
    write_model(load_model("puma560"), tmp_path / "puma.sv2")
    program = str(tmp_path / "errors")
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", f"-I{folder / 'include'}"]
    files = [str(FUZZ.with_name("export_errors.cpp")), str(folder / "lib" / "libspatial_v2.a")]
    subprocess.run(["c++", *flags, *files, "-lm", "-o", program], check=True)
    ended = subprocess.run([program, str(tmp_path / "puma.sv2")], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


@pytest.fixture(scope="module")
def eigen() -> str:
    """Return the folder with Eigen's headers, of Debian or of a wheel."""
    wheel = [Path(path) / "cmeel.prefix" / "include" / "eigen3" for path in sys.path]
    for folder in (Path("/usr/include/eigen3"), Path("/usr/local/include/eigen3"), *wheel):
        if (folder / "Eigen" / "Dense").exists():
            return str(folder)
    pytest.skip("Eigen is not installed (libeigen3-dev, or pip install cmeel-eigen)")


LAYOUTS = {
    1: "want contiguous numbers",  # a row of a column-major matrix
    2: "want a row-major matrix",
    3: "want contiguous numbers",  # a column of a row-major matrix
    4: "want contiguous numbers",  # every second entry
    5: "want a row-major tensor",
    6: "no match for call",  # floats
    7: "no match for call",  # a sum that is not computed
    8: "no match for call",  # a constant as result
}


def test_layouts_of_eigen_are_checked_by_the_compiler(
    folder: Path, tmp_path: Path, eigen: str
) -> None:
    """Objects that are contiguous and row-major are taken as they are; others do not compile."""
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler (c++) is installed")
    write_model(load_model("puma560"), tmp_path / "puma.sv2")
    program, source = str(tmp_path / "layouts"), str(FUZZ.with_name("export_layouts.cpp"))
    flags = ["-std=c++17", f"-I{folder / 'include'}", "-isystem", eigen, "-fmax-errors=1"]
    strict = ["-Wall", "-Wextra", "-Wshadow", "-Werror"]
    files = [source, str(folder / "lib" / "libspatial_v2.a"), "-lm", "-o", program]
    subprocess.run(["c++", *flags, *strict, *files], check=True)
    ended = subprocess.run([program, str(tmp_path / "puma.sv2")], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    for k, wanted in LAYOUTS.items():
        command = ["c++", *flags, f"-DREFUSED={k}", "-fsyntax-only", source]
        ended = subprocess.run(command, capture_output=True, text=True)
        assert ended.returncode != 0 and wanted in ended.stderr, (k, ended.stderr)


def test_objects_of_eigen_in_any_layout(folder: Path, tmp_path: Path, eigen: str) -> None:
    """`in` and `out` copy objects that are not contiguous and row-major, and no others."""
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler (c++) is installed")
    write_model(load_model("puma560"), tmp_path / "puma.sv2")
    program, source = str(tmp_path / "eigen"), str(FUZZ.with_name("export_eigen.cpp"))
    flags = ["-std=c++17", f"-I{folder / 'include'}", "-isystem", eigen]
    flags += ["-Wall", "-Wextra", "-Wshadow", "-Werror", "-fsanitize=address,undefined"]
    files = [source, str(folder / "lib" / "libspatial_v2.a"), "-lm", "-o", program]
    subprocess.run(["c++", *flags, *files], check=True)
    ended = subprocess.run([program, str(tmp_path / "puma.sv2")], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    for k, wanted in {1: "want doubles", 2: "no matching function"}.items():
        command = ["c++", *flags, f"-DREFUSED={k}", "-fsyntax-only", source]
        ended = subprocess.run(command, capture_output=True, text=True)
        assert ended.returncode != 0 and wanted in ended.stderr, (k, ended.stderr)


def test_example_with_eigen(checked: tuple[Path, list[str]], tmp_path: Path, eigen: str) -> None:
    goal = np.linspace(0.1, 0.6, 6)
    wanted = spatial_v2.ID(load_model("puma560"), 0 * goal, goal / 2, 100 * goal - 10 * goal)
    found = numbers(checked, tmp_path, "eigen", include=eigen).reshape(6, 2)
    near(found, np.column_stack([wanted, wanted]), 1e-12)


def test_example_of_a_batch(checked: tuple[Path, list[str]], tmp_path: Path) -> None:
    q = 0.3 * sine(np.arange(50.0)[:, None] + np.arange(6.0))
    wanted = spatial_v2.ID(load_model("puma560"), q, 0 * q, 0 * q)
    np.testing.assert_array_equal(numbers(checked, tmp_path, "batch", "50"), wanted.ravel())


def test_example_of_second_derivatives(checked: tuple[Path, list[str]], tmp_path: Path) -> None:
    q = np.array([0.1 * (i + 1) for i in range(6)])
    wanted = derivatives.ID_SO_derivatives(load_model("puma560"), q, 0 * q, 0 * q).d2tau_dq
    np.testing.assert_array_equal(numbers(checked, tmp_path, "second_derivatives"), wanted.ravel())


def test_example_of_packed_tensors(checked: tuple[Path, list[str]], tmp_path: Path) -> None:
    q = np.array([0.1 * (i + 1) for i in range(6)])
    wanted = derivatives.ID_SO_derivatives(load_model("puma560"), q, 0 * q, 0 * q, packed=True)
    pattern, values = wanted.d2tau_dq.pattern, wanted.d2tau_dq.values
    got = numbers(checked, tmp_path, "packed").reshape(-1, 4)
    want = np.column_stack([pattern.i, pattern.j, pattern.k, values])
    np.testing.assert_array_equal(got, want)


def cmake(place: Path, text: str, folder: Path) -> Path:
    """Build a program that uses the library with CMake; return the folder of the build."""
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    place.mkdir(exist_ok=True)
    head = f"cmake_minimum_required(VERSION 3.16)\nproject(user C)\n{text}\n"
    program = f"add_executable(batch {EXAMPLES / 'batch.c'})\n"
    links = "target_link_libraries(batch ${library} m)\n"
    (place / "CMakeLists.txt").write_text(head + program + links)
    for command in (["-S", str(place), "-B", str(place / "build"), f"-DCMAKE_PREFIX_PATH={folder}"],
                    ["--build", str(place / "build")]):  # fmt: skip
        ended = subprocess.run(["cmake", *command], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
    return place / "build"


FIND = "find_package(spatial_v2 REQUIRED)\nset(library spatial_v2::{})"


@pytest.mark.parametrize("target", ["spatial_v2", "static"])
@pytest.mark.parametrize("way", ["find_package", "add_subdirectory"])
def test_cmake_finds_the_library(folder: Path, tmp_path: Path, way: str, target: str) -> None:
    """Both ways give the same targets. Programs name the shared library, not the folder in which
    they were linked, so that they run elsewhere.
    """
    text = FIND.format(target)
    if way == "add_subdirectory":
        text = f"add_subdirectory({folder} robot)\nset(library spatial_v2::{target})"
    program = cmake(tmp_path / "user", text, folder) / "batch"
    if target == "spatial_v2" and shutil.which("readelf"):
        found = subprocess.run(["readelf", "-d", program], capture_output=True, text=True).stdout
        assert "[libspatial_v2.so]" in found
    if target == "spatial_v2":
        moved = tmp_path / "robot"
        moved.mkdir()
        shutil.copy(program, moved / "batch")
        shutil.copy(folder / "lib" / "libspatial_v2.so", moved)
        write_model(load_model("puma560"), moved / "puma.sv2")
        command = [str(moved / "batch"), str(moved / "puma.sv2"), "3"]
        ended = subprocess.run(command, env={"LD_LIBRARY_PATH": str(moved)}, capture_output=True)
        assert ended.returncode == 0, ended.stderr


def test_versions_and_pkg_config(folder: Path, tmp_path: Path) -> None:
    """`find_package` takes the same major version; pkg-config follows the folder when it moves."""
    moved = tmp_path / "moved"
    shutil.copytree(folder, moved)
    version = (moved / "lib/cmake/spatial_v2/spatial_v2-config-version.cmake").read_text()
    assert f'"{spatial_v2.__version__.partition("+")[0]}"' in version
    if shutil.which("pkg-config"):
        command = ["pkg-config", "--cflags", "--libs", str(moved / "lib/pkgconfig/spatial_v2.pc")]
        found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        assert Path(found[0][2:]).resolve() == moved / "include"
        assert Path(found[1][2:]).resolve() == moved / "lib" and found[2] == "-lspatial_v2"


def test_the_folder_has_the_license_and_no_other_files_than_it_should(folder: Path) -> None:
    assert (folder / "LICENSE").read_bytes() == (EXAMPLES.parents[1] / "LICENSE").read_bytes()
    assert sorted(x.name for x in folder.iterdir()) == [
        "CMakeLists.txt", "LICENSE", "include", "lib", "objects", "src",
    ]  # fmt: skip


def test_a_library_lists_its_functions(library: Library) -> None:
    library.c.sv2_functions.restype = ctypes.POINTER(ctypes.c_char_p)
    names = library.c.sv2_functions()
    assert [names[k].decode() for k in range(len(OF_EVERY_KIND))] == list(OF_EVERY_KIND)
    assert names[len(OF_EVERY_KIND)] is None


def test_public_symbols_have_the_prefix_of_the_library(folder: Path) -> None:
    """The shared library defines nothing but the functions of its header."""
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    command = ["nm", "-D", "--defined-only", str(folder / "lib" / "libspatial_v2.so")]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    header = (folder / "include" / "spatial_v2.h").read_text()
    for name in [line.split()[-1] for line in found.splitlines()]:
        assert name.startswith("sv2_") and f"{name}(" in header


def test_cmake_builds_the_library_from_its_sources(folder: Path, tmp_path: Path) -> None:
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    build, prefix = str(tmp_path / "build"), tmp_path / "prefix"
    for command in (["-S", str(folder), "-B", build, f"-DCMAKE_INSTALL_PREFIX={prefix}"],
                    ["--build", build, "--target", "install"]):  # fmt: skip
        ended = subprocess.run(["cmake", *command], capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr + ended.stdout
    same_bits(Library(prefix / "lib" / "libspatial_v2.so"), "ID", zoo.build("floating"))
    cmake(tmp_path / "user", FIND.format("spatial_v2"), prefix)


def test_functions_and_models_that_cannot_be_exported(tmp_path: Path) -> None:
    for function in (np.sin, spatial_v2.FDcrb, spatial_v2.inverse_kinematics):
        with pytest.raises(SpatialError, match="export: "):
            export_library(tmp_path, [function])
    with pytest.raises(SpatialError, match="functions: want at least one"):
        export_library(tmp_path, [])
    with pytest.raises(SpatialError, match="forms: want state"):
        export_library(tmp_path, [spatial_v2.ID], ["packed"])
    with pytest.raises(SpatialError, match="level: want any, native"):
        export_library(tmp_path, [spatial_v2.ID], level="z80")
    assert not list(tmp_path.iterdir())


def test_object_code_for_arm(tmp_path: Path) -> None:
    """Object code for ARM is of machine 183 in ELF, 64-bit ARM.

    The kernel of the second function counts references, for which Numba uses instructions of x86.
    """
    export_library(tmp_path, [spatial_v2.ID, derivatives.Christoffel], level="aarch64")
    for path in (tmp_path / "objects").iterdir():
        data = path.read_bytes()
        assert data[:4] == b"\x7fELF" and struct.unpack("<H", data[18:20]) == (183,)
