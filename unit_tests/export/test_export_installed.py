"""Folders of exported libraries: CMake, pkg-config, symbols, levels of processors."""

from __future__ import annotations

import ctypes
import platform
import shutil
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
import zoo
from export_checks import NEEDS_COMPILER, arguments, record, same_bits
from exported import (
    DONE,
    EXAMPLES,
    OF_EVERY_KIND,
    Library,
)
from helpers import near

import derivatives
import spatial_v2
from spatial_v2 import SpatialError, load_model
from spatial_v2.export import (
    build_library,
    export_library,
    write_model,
)

pytestmark = NEEDS_COMPILER

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
