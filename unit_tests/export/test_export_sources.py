"""Files of exported libraries that need no kernels: versions for CMake, functions for Octave."""

import shutil
import subprocess
from pathlib import Path

import pytest

pytest.importorskip("numba")

from spatial_v2 import ID, FrameJacobian
from spatial_v2.export.functions import exported
from spatial_v2.export.matlab import matlab_sources
from spatial_v2.export.sources import Level, sources

WANTED = {
    "1.4": True,
    "1.4.2": True,
    "1.0": True,
    "1": True,
    "1.5": False,
    "2.0": False,
    "0.9": False,
}
"""Versions that `find_package` may ask for, and if a library of version 1.4.2 serves."""
CHECK = """
foreach(wanted {wanted})
  unset(PACKAGE_VERSION_COMPATIBLE)
  set(PACKAGE_FIND_VERSION ${{wanted}})
  string(REGEX MATCH "^[0-9]+" PACKAGE_FIND_VERSION_MAJOR ${{wanted}})
  include({file})
  if(PACKAGE_VERSION_COMPATIBLE)
    message(STATUS "serves ${{wanted}}")
  endif()
endforeach()
"""


def written(version: str) -> dict[str, str]:
    """Return the text files of a library with this version."""
    return sources(exported([ID, FrameJacobian]), ["state"], [Level("native", 4, "1")], version)


@pytest.mark.parametrize("version", ["1.4.2", "1.4.2.dev7+g50d1ab", "1.4.2+dirty"])
def test_find_package_takes_versions_of_the_same_major(tmp_path: Path, version: str) -> None:
    """Not newer ones than the library, nor those of another major version."""
    if shutil.which("cmake") is None:
        pytest.skip("cmake is not installed")
    file, script = tmp_path / "version.cmake", tmp_path / "check.cmake"
    file.write_text(written(version)["lib/cmake/spatial_v2/spatial_v2-config-version.cmake"])
    script.write_text(CHECK.format(wanted=" ".join(WANTED), file=file))
    ended = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    serves = {line.split()[-1] for line in ended.stdout.splitlines() if "serves" in line}
    assert serves == {wanted for wanted, served in WANTED.items() if served}


def test_the_license_and_every_header_are_written_and_installed() -> None:
    files = written("1.0")
    installed = files["CMakeLists.txt"]
    assert files["LICENSE"].startswith("BSD 3-Clause License")
    headers = [name for name in files if name.startswith("include/")]
    assert len(headers) == 3
    for name in [*headers, "LICENSE"]:
        assert name in installed


CALLS = """
addpath('{original}'); addpath('{compiled}');
lastwarn('');
for way = {{'', 'on', '', 'off'}}
  if ~isempty(way{{1}}), spatial_v2_original('warn', way{{1}}); end
  lastwarn('');
  y = spatial_v2_original('ID', 'q: want real numbers', 21);
  printf('%d [%s]\\n', y, lastwarn());
end
"""


def test_calls_of_original_functions_can_give_a_warning(tmp_path: Path) -> None:
    """It is given once for each function, after it has been asked for."""
    octave = shutil.which("octave-cli") or shutil.which("octave")
    if octave is None:
        pytest.skip("GNU Octave is not installed")
    compiled, original = tmp_path / "compiled", tmp_path / "original"
    for folder in (compiled, original):
        folder.mkdir()
    for name, text in matlab_sources(exported([ID])).items():
        (compiled / name).write_text(text)
    (original / "ID.m").write_text("function y = ID(x)\n  y = 2 * x;\nend\n")
    script = tmp_path / "calls.m"
    script.write_text(CALLS.format(original=original, compiled=compiled))
    ended = subprocess.run([octave, "--no-init-file", str(script)], capture_output=True, text=True)
    warned = "42 [ID: q: want real numbers; the original function computes this]"
    assert ended.stdout.splitlines() == ["42 []", warned, "42 []", "42 []"]
