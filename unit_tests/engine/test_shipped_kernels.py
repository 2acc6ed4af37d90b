"""Kernels compiled ahead: same bits as those compiled here, without numba, never out of date."""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import zoo
from once import made_once

from spatial_v2 import ID, SpatialError, puma560
from spatial_v2.engine.kernel import KernelCall, Record
from spatial_v2.engine.shipped import kernel as shipped
from spatial_v2.engine.shipped.library import FOLDER, LEVELS, VARIABLE
from spatial_v2.engine.status import Status
from spatial_v2.export import compiler

KERNELS = "ID", "ID_info", "HandC", "ID_SO_derivatives", "FrameJacobian"
MODELS = [name for name in (*zoo.SPATIAL, *zoo.PLANAR) if not name.startswith("one_")]
ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed"),
]

RESULTS = """
import os, sys
import numpy as np
import zoo
from derivatives import ID_SO_derivatives
from spatial_v2 import FrameJacobian, HandC, ID

def results(model, q, qd, qdd, f_ext):
    made = [ID(model, q, qd, qdd), ID(model, q, qd, qdd, f_ext=f_ext), *HandC(model, q, qd)]
    made += ID_SO_derivatives(model, q, qd, qdd)
    made += [x.values for x in ID_SO_derivatives(model, q, qd, qdd, f_ext, packed=True)]
    made += [FrameJacobian(model, q, model.NB - 1), *ID(model, q, qd, qdd, return_info=True)[1]]
    out = np.empty_like(qd), np.empty_like(made[2])
    made += [*HandC(model, q, qd, out=out[::-1]), ID(model, q, qd, qdd, workers=2)]
    return [np.asarray(x) for x in made]

found = {}
for name in sys.argv[2:]:
    model, rng = zoo.build(name), np.random.default_rng(5)
    for lead in (), (11,), (2, 3):
        q, qd, qdd, _, f_ext = zoo.states(model, rng, lead)
        for k, x in enumerate(results(model, q, qd, qdd, f_ext)):
            found[f"{name} {lead} {k}"] = x
np.savez(sys.argv[1], **found)
print("numba" in sys.modules)
"""


def run(code: str, *args: Any, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new process."""
    path = os.pathsep.join([str(ROOT), str(ROOT / "unit_tests" / "support")])
    command = [sys.executable, "-P", "-W", "error", "-c", code, *map(str, args)]
    given = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run(command, env=given, capture_output=True, text=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a library for this processor."""
    from spatial_v2.export.shipped import build_kernels

    def make(place: Path) -> None:
        (made,) = build_kernels(place, ["native"], KERNELS)
        assert made.parent == place and made.exists() and list(place.iterdir()) == [made]

    return made_once(tmp_path_factory, "kernels", make)


def test_results_are_those_of_kernels_compiled_here(folder: Path, tmp_path: Path) -> None:
    """For one state and batches, with forces, threads, ``out=``, packed and dense tensors."""
    files = [tmp_path / "shipped.npz", tmp_path / "compiled.npz"]
    for path, kernels, said in zip(files, (str(folder), "0"), ("False", "True"), strict=True):
        done = run(RESULTS, path, *MODELS, **{VARIABLE: kernels})
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == [said]
    here, there = map(np.load, files)
    assert here.files == there.files and len(here.files) > 500
    for name in here.files:
        np.testing.assert_array_equal(here[name], there[name], err_msg=name)


def test_one_call_imports_what_it_needs(folder: Path) -> None:
    """A process with one call imports neither Numba nor what only errors and other calls need."""
    code = """
import sys
from spatial_v2 import ID, models
ID(models.puma560(), *[[0.0] * 6] * 3)
print({"numba", "scipy", "subprocess", "difflib", "fractions"} & {*sys.modules})
"""
    done = run(code, **{VARIABLE: str(folder)})
    assert done.stdout.strip() == "set()", done


def test_models_with_rotors_and_edited_models(folder: Path) -> None:
    code = """
import numpy as np, sys, zoo
from spatial_v2 import ID, HandC
for name in zoo.ROTORS:
    model = zoo.build(name)
    q, qd, qdd, *_ = zoo.states(model, np.random.default_rng(0))
    for given in (q, qd, qdd), [np.stack([x, x]) for x in (q, qd, qdd)]:
        for _ in range(2):
            wanted = ID.reference(model, *given)
            np.testing.assert_allclose(ID(model, *given), wanted, rtol=1e-9, atol=1e-9)
            model.I = {0: 1.5 * model.I[0]}
assert "numba" not in sys.modules
"""
    done = run(code, **{VARIABLE: str(folder)})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("mode", ["wait", "background", "never"])
def test_every_mode_of_compilation_uses_the_kernels(folder: Path, mode: str) -> None:
    """Kernels, unlike the reference implementation, have these bits."""
    code = """
import numpy as np, sys
from spatial_v2 import FDab, ID, puma560
from spatial_v2.engine.shipped.kernel import ShippedKernel
model, x = puma560(), np.ones(6)
ID(model, x, x, x), ID(model, *np.ones((3, 9, 6)))
assert type(model.checked().calls[ID.work].runner.kernel) is ShippedKernel
assert "numba" not in sys.modules
np.testing.assert_allclose(ID(model, x, x, FDab(model, x, x, x)), x, atol=1e-9)
"""
    done = run(code, SPATIAL_V2_COMPILE=mode, **{VARIABLE: str(folder)})
    assert done.returncode == 0, done.stderr


def test_errors_are_those_of_other_calls(folder: Path) -> None:
    code = """
import numpy as np
from spatial_v2 import HandC, ID, SpatialError, puma560
model, x = puma560(), np.ones(6)
H, C = np.empty((6, 6)), np.empty(6)
calls = [
    (lambda: ID(model, x, x, x[:5]), "qdd"), (lambda: ID(model, x, x, x, out=x), ""),
    (lambda: HandC(model, x, x, out=(H, H[0])), "share memory"),
    (lambda: ID(model, x, x, x, out=model.gravity), ""),
    (lambda: ID(model, x, x, x, workers=0), "workers"), (lambda: ID(model, x * np.nan, x, x), ""),
]
for call, text in calls:
    try:
        print(call())
    except SpatialError as error:
        assert text in str(error), error
        print("error")
np.testing.assert_array_equal(model.gravity, [0, 0, -9.81])
"""
    said = {key: run(code, **{VARIABLE: key}) for key in (str(folder), "0")}
    shipped_said, compiled_said = said.values()
    assert shipped_said.returncode == 0, shipped_said.stderr
    assert shipped_said.stdout == compiled_said.stdout and "error" in shipped_said.stdout


def test_code_of_other_sources_is_not_run(folder: Path, tmp_path: Path) -> None:
    """An edit of a source of the engine is noticed, and a warning given."""
    ignored = shutil.ignore_patterns("__pycache__", "*.so")
    shutil.copytree(ROOT / "spatial_v2", tmp_path / "spatial_v2", ignore=ignored)
    edited = tmp_path / "spatial_v2" / "engine" / "parts" / "sweep.py"
    code = """
from spatial_v2.engine.shipped.kernel import shipped_kernel
print(shipped_kernel("ID") is not None)
"""
    here = {VARIABLE: str(folder), "PYTHONPATH": str(tmp_path)}
    assert run(code, **here).stdout.split() == ["True"]
    edited.write_text(edited.read_text() + "\n# edited\n")
    done = run(code, **here)
    assert done.returncode and "native.so is of other sources" in done.stderr
    run_on = run("import warnings; warnings.simplefilter('ignore')\n" + code, **here)
    assert run_on.stdout.split() == ["False"]


def test_libraries_that_cannot_be_used_are_passed_over(folder: Path, tmp_path: Path) -> None:
    code = """
import warnings
from spatial_v2.engine.shipped.library import library
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    print(library() and library().level, [str(x.message)[:60] for x in said])
"""
    shutil.copy(folder / "native.so", tmp_path / "x86-64-v3.so")
    (tmp_path / "x86-64-v4.so").write_bytes((folder / "native.so").read_bytes()[:5000])
    assert run(code, **{VARIABLE: str(tmp_path)}).stdout.startswith(
        "x86-64-v3 ['x86-64-v4.so cannot be used"
    )
    assert "no library of kernels" in run(code, **{VARIABLE: str(tmp_path / "none")}).stdout
    here = {VARIABLE: str(folder)}
    assert run(code, **here, SPATIAL_V2_LANES="1").stdout.split() == ["None", "[]"]
    assert run(code, **here, NUMBA_DISABLE_JIT="1").stdout.split() == ["None", "[]"]
    assert run(code, **{VARIABLE: "0"}).stdout.split() == ["None", "[]"]


def test_a_library_runs_without_the_extension(folder: Path) -> None:
    """Kernels fill results of one state by themselves, and refuse those that overlap arguments."""
    from spatial_v2.calls.prepare import kernel_tree
    from spatial_v2.engine.shipped.library import Library

    model, (q, qd, qdd) = puma560(), np.random.default_rng(1).normal(size=(3, 6))
    kernel = shipped.ShippedKernel(Library(folder / "native.so"), "ID")
    none, tau = np.empty((0, 0, 6)), np.empty(6)
    forces = none, none
    takes = KernelCall([("v", 6)] * 3, (6, -1), [(("v",), (6,))])
    one = kernel.one_state(Record(kernel_tree(model)), takes, (), False, True)
    assert one((q, qd, qdd), forces, (tau,)) == Status.DONE
    assert one((q, qd, qdd), forces, (q,)) == Status.OVERLAP
    assert one((q, qd, qdd[:5]), forces, (tau,)) == Status.REFUSED
    np.testing.assert_allclose(tau, ID(model, q, qd, qdd), rtol=1e-10)


def test_kernels_are_named(tmp_path: Path) -> None:
    from spatial_v2.export.shipped import build_kernels, kernel_names

    assert {"ID", "ID_info", "frame_motion", "ID_SO_derivatives"} <= set(kernel_names())
    with pytest.raises(SpatialError, match="got 'RNEA'"):
        build_kernels(tmp_path, ["native"], ["RNEA"])
    with pytest.raises(SpatialError, match="level: want one of"):
        build_kernels(tmp_path, ["sparc"], ["ID"])
    assert not FOLDER.exists() and LEVELS[0] == "native"


def test_a_wheel_with_kernels(tmp_path: Path) -> None:
    """It is for one platform, has the library, and runs it where it is installed.

    Its tag has the version of glibc whose symbols the library needs.
    """
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir"]
    asked = {"SPATIAL_V2_WHEEL_KERNELS": "v3:ID"}
    subprocess.run([*command, str(tmp_path), str(ROOT)], env={**os.environ, **asked}, check=True)
    (wheel,) = tmp_path.glob("*.whl")
    tag = re.search(r"-cp311-abi3-manylinux_2_(\d+)_x86_64\.whl$", wheel.name)
    name, here = platform.libc_ver()
    assert tag if name == "glibc" else "-cp311-abi3-" in wheel.name
    place = tmp_path / "installed"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target"]
    subprocess.run([*install, str(place), str(wheel)], check=True)
    extension, made = sorted(place.rglob("*.so"))
    assert (extension.name, made.name) == ("_call.abi3.so", "x86-64-v3.so")
    needed = [int(x) for x in re.findall(rb"GLIBC_2\.(\d+)", made.read_bytes())]
    if tag:
        assert int(tag[1]) == max(17, *needed) <= max(17, int(here.split(".")[1]))
    code = """
import sys, numpy as np
from spatial_v2 import ID, puma560
ID(puma560(), *np.ones((3, 6)))
print("numba" in sys.modules)
"""
    done = run(code, PYTHONPATH=str(place))
    assert done.stdout.split() == ["False"], done.stderr
