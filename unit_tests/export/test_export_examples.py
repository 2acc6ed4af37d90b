"""Examples in C and C++ compute what Python does; errors and objects of Eigen in C++."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from export_checks import NEEDS_COMPILER
from exported import (
    EXAMPLES,
    FUZZ,
    SANITIZERS,
)
from helpers import near
from once import made_once

import derivatives
import spatial_v2
from spatial_v2 import SpatialError, load_model
from spatial_v2.export import (
    build_library,
    compiler,
    write_model,
)

pytestmark = NEEDS_COMPILER


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


REFUSED_MDSPANS = {
    1: "want a row-major mdspan",
    2: "want an mdspan without gaps",
    3: "no match for call",  # constant numbers as result
    4: "no match for call",  # floats
}


def test_layouts_of_mdspan_are_checked_by_the_compiler(folder: Path, tmp_path: Path) -> None:
    """An mdspan of layout_right is taken as it is, and checked for overlaps; others do not
    compile.
    """
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler (c++) is installed")
    write_model(load_model("puma560"), tmp_path / "puma.sv2")
    program, source = str(tmp_path / "mdspan"), str(FUZZ.with_name("export_mdspan.cpp"))
    flags = ["-std=c++17", f"-I{folder / 'include'}"]
    newest = ["-std=c++23", "-Wall", "-Wextra", "-Wshadow", "-Werror"]
    files = [source, str(folder / "lib" / "libspatial_v2.a"), "-lm", "-o", program]
    for given in ([*flags, "-fsanitize=address,undefined"], [*flags, *newest]):
        subprocess.run(["c++", *given, *files], check=True)
        command = [program, str(tmp_path / "puma.sv2")]
        ended = subprocess.run(command, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stderr
    for k, wanted in REFUSED_MDSPANS.items():
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
