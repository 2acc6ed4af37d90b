"""Model files that are damaged or wrong give a status, also under the address sanitizer."""

from __future__ import annotations

import ctypes
import struct
import subprocess
from pathlib import Path

import numpy as np
import pytest
import zoo
from export_checks import NEEDS_COMPILER, sealed
from exported import (
    DAMAGED,
    DONE,
    FUZZ,
    INVALID,
    NO_MODEL,
    NULL,
    SANITIZERS,
    UNREADABLE,
    VERSION,
    Library,
    coupled_models,
)
from once import made_once

from spatial_v2 import Model, load_model
from spatial_v2.export import (
    compiler,
    model_bytes,
    write_model,
)

pytestmark = NEEDS_COMPILER


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
