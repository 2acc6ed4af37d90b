"""Functions for Octave that a wheel has ready: they run without a compiler, with its kernels."""

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from octave_mex import OCTAVE, in_octave, ready
from typer.testing import CliRunner

pytest.importorskip("numba")

from derivatives import modFD_derivatives
from spatial_v2 import ID, FDab, HandC, couple, puma560
from spatial_v2.cli import app
from spatial_v2.engine.shipped import library
from spatial_v2.export import compiler, mex
from spatial_v2.export.functions import exported
from spatial_v2.export.matlab import in_matlab


@pytest.mark.slow
@pytest.mark.skipif(OCTAVE is None or compiler() is None, reason="needs GNU Octave and cc")
def test_ready_functions_run_in_octave_wherever_they_are_moved(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is compiled, results have the bits of Python, and missing kernels are told."""
    from scipy.io import savemat

    monkeypatch.setattr(mex, "READY", wheel / "ready")
    monkeypatch.setattr(library, "FOLDER", wheel / "kernels")
    done = CliRunner().invoke(app, ["mex", str(tmp_path / "functions")])
    assert done.exit_code == 0 and "build" in done.output
    moved = tmp_path / "moved"
    shutil.copytree(tmp_path / "functions" / "matlab", moved, symlinks=True)
    shutil.rmtree(tmp_path / "functions")
    robot = puma560()
    q, qd, qdd = np.random.default_rng(0).normal(size=(3, 20, 6))
    states = {"q": q.T, "qd": qd.T, "qdd": qdd.T}
    robot.to_matlab(moved / "model.mat")
    savemat(moved / "states.mat", states)
    ended = in_octave(
        moved,
        "[H, C] = HandC(model, q(:, 1), qd(:, 1));",
        "printf('%.17g ', ID(model, q, qd, qdd), ID(model, q(:, 1), qd(:, 1), qdd(:, 1)), H, C);",
        "try, ID(model, 1, 2, 3), catch e, fprintf(stderr, '%s', e.message); end",
    )
    assert "ID: q: want 6x1, or 6xN for N states, got 1x1" in ended.stderr
    one = HandC(robot, q[0], qd[0])
    wanted = [ID(robot, q, qd, qdd), ID(robot, q[0], qd[0], qdd[0]), one.H.T, one.C]
    found = np.array(ended.stdout.split(), float)
    np.testing.assert_array_equal(found, np.concatenate([np.ravel(x) for x in wanted]))
    shutil.rmtree(moved / "kernels")
    ended = in_octave(moved, "ID(model, q, qd, qdd)")
    assert "no kernels for this processor, here or in a folder kernels" in ended.stderr


G = np.array([[1, 0, 0], [0, 1, 0], [0, -0.5, 0], [0.3, 0, 2], [0, 0, 1], [-1.1, 0, 0]])
C = np.array([0, 0, 0.1, 0.2, 0, 0.3])


@pytest.mark.slow
@pytest.mark.skipif(OCTAVE is None or compiler() is None, reason="needs GNU Octave and cc")
def test_coupled_joints_are_a_field_of_the_model(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Results have the bits of Python; without the field the model is the free tree again."""
    place = ready(wheel, tmp_path, monkeypatch, {"G": G, "c": C[:, None]})
    ended = in_octave(
        place,
        "model.coupling.matrix = G; model.coupling.offset = c;",
        "printf('%.17g ', ID(model, q, qd, qdd), FDab(model, q, qd, qdd));",
        "printf('%.17g ', HandC(model, q(:, 1), qd(:, 1)));",
        "[d_q, d_qd, d_tau] = modFD_derivatives(model, q, qd, qdd, q);",
        "printf('%.17g ', d_q, d_qd, d_tau);",
        "x = rmfield(model, 'coupling'); printf('%.17g ', ID(x, G * q + c, G * qd, G * qdd));",
    )
    robot, (q, qd, qdd) = puma560(), np.random.default_rng(0).normal(size=(3, 20, 3))
    arm = couple(robot, matrix=G, offset=C)
    wanted = [ID(arm, q, qd, qdd), FDab(arm, q, qd, qdd), HandC(arm, q[0], qd[0]).H.T]
    wanted += modFD_derivatives(arm, q, qd, qdd, q)
    count = sum(map(np.size, wanted))
    found = np.array(ended.stdout.split(), float)
    np.testing.assert_array_equal(found[:count], np.concatenate([np.ravel(x) for x in wanted]))
    whole = ID(robot, q @ G.T + C, qd @ G.T, qdd @ G.T)
    np.testing.assert_allclose(found[count:], whole.ravel(), rtol=1e-12, atol=1e-12)


WRONG = {
    "ID(model, 1, 2, 3)": "q: want 3x1, or 3xN for N states, got 1x1",
    "ID(model, single(q), qd, qdd)": "got a single; other functions ignore model.coupling",
    "model.coupling = 3; ID(model, q, qd, qdd)": "want a struct with the fields matrix and offset",
    "model.coupling = struct('offset', c); ID(model, q, qd, qdd)": "coupling.matrix is missing",
    "model.coupling.matrix = G(1:4, :); ID(model, q, qd, qdd)": "matrix: want 6 rows",
    "model.coupling.offset = c'; ID(model, q, qd, qdd)": "offset: want 6 rows",
    "model.coupling.offset = [c, c]; ID(model, q, qd, qdd)": "offset: want one column, got 2",
    "model.coupling.offset = c / 0; ID(model, q, qd, qdd)": "offset: want finite numbers",
    "model.coupling.matrix = [G, G(:, 1) - G(:, 3)]; ID(model, q, qd, qdd)": "column 4 is a sum",
    "model.jtype{1} = 'S'; model.coupling = struct('matrix', [G; G(1:2,:)]); ID(model, q, qd, qdd)":
        "joint 1 has 3 velocity variables, which can only be independent",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(OCTAVE is None or compiler() is None, reason="needs GNU Octave and cc")
def test_wrong_couplings_are_an_error(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = ready(wheel, tmp_path, monkeypatch, {"G": G, "c": C[:, None]})
    given = "model.coupling.matrix = G; model.coupling.offset = c"
    lines = [
        f"load('{place}/model.mat'); {given}; try, {x}; catch e, printf('%s\\n', e.message); end"
        for x in WRONG
    ]
    said = in_octave(place, *lines).stdout.splitlines()
    for message, want in zip(said, WRONG.values(), strict=True):
        assert message.startswith("ID: ") and want in message, message


@pytest.mark.slow
@pytest.mark.skipif(compiler() is None, reason="no C compiler (cc) is installed")
def test_the_ready_file_needs_the_c_library_and_octave_alone(wheel: Path) -> None:
    """A header of its own declares all that it takes of Octave."""
    if shutil.which("nm") is None:
        pytest.skip("nm is not installed")
    command = ["nm", "-D", str(wheel / "ready" / "matlab" / "spatial_v2_mex.mex")]
    rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert "mexFunction" in {row.split()[-1] for row in rows if " T " in row}
    header = Path(mex.__file__).with_name("templates") / "matlab" / "octave" / "mex.h"
    taken = {row.split()[-1] for row in rows if " U " in row}
    declared = {x for x in taken if f"{x}(" in header.read_text("utf-8")}
    assert declared == {x for x in taken if x.startswith(("mx", "mex"))}
    assert all("GLIBC" in x for x in taken - declared)


def test_a_wheel_has_all_functions_that_matlab_has() -> None:
    functions = mex.matlab_functions()
    assert {"ID", "HandC", "modFD_second_derivatives"} <= {f.__name__ for f in functions}
    assert all(map(in_matlab, exported(functions))) and len(functions) == 21


def test_installations_without_ready_files_compile_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []
    monkeypatch.setattr(mex, "READY", tmp_path / "missing")
    command = sys.modules["spatial_v2.cli.export"]
    monkeypatch.setattr(command, "export", lambda *x: given.extend(x))
    assert mex.copy_mex(tmp_path / "functions") is None
    done = CliRunner().invoke(app, ["mex", str(tmp_path / "functions")])
    assert done.exit_code == 0 and given[0] == tmp_path / "functions"
    names = given[1]
    assert isinstance(names, list) and "ID_SO_derivatives" in names and given[-1] is True
